import { linksOfMany, linksOfSubscriber } from "../subscribers/unsubscribe-links";
import { type Answer, success } from "./envelope";
import { type RestContext, readBody, readLinkIds } from "./read-request";

async function linkSubscriber({ app, ctx, of, id }: RestContext): Promise<Answer> {
  return success(200, await linksOfSubscriber({ ...ctx, links: app.links }, { ...of, id }));
}

async function linkSubscribers(context: RestContext): Promise<Answer> {
  const { app, ctx, of } = context;
  const input = { ...of, ids: readLinkIds(await readBody(context)) };
  return success(200, await linksOfMany({ ...ctx, links: app.links }, input));
}

export const linkEndpoints = { linkSubscriber, linkSubscribers };
