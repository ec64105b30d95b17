import { linksOfMany, linksOfSubscriber } from "../subscribers/unsubscribe-links";
import { type Answer, success } from "./envelope";
import { type RestContext, readBody, readLinkIds } from "./read-request";

async function linkSubscriber({ app, ctx, principal: { newsletterId }, id }: RestContext): Promise<Answer> {
  return success(200, await linksOfSubscriber({ ...ctx, links: app.links }, { newsletterId, id }));
}

async function linkSubscribers(context: RestContext): Promise<Answer> {
  const { app, ctx, principal } = context;
  const value = await readBody(context);
  const input = { newsletterId: principal.newsletterId, ids: readLinkIds(value) };
  return success(200, await linksOfMany({ ...ctx, links: app.links }, input));
}

export const linkEndpoints = { linkSubscriber, linkSubscribers };
