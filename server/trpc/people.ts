import { z } from "zod";
import { NewSubscriber, SubscriberPatch } from "../contract/subscriber";
import { peopleOrders } from "../domain/people-order";
import * as people from "../services/people";
import { askAgain } from "../services/people-acts";
import { allowMail, confirmationLink, getPerson } from "../services/person";
import { everythingAbout } from "../services/person-export";
import { update } from "../services/subscriber-changes";
import { create } from "../services/subscribers";
import { newsletterEditorProcedure, newsletterProcedure, router } from "./base";
import { Filter, filterOf } from "./people-filter";

const Place = z.union([z.object({ after: z.uuid() }), z.object({ before: z.uuid() })]).nullable();
const OfPerson = z.object({ id: z.uuid("There is no such person.") });

export const peopleRouter = router({
  page: newsletterProcedure
    .input(
      z.object({
        filter: Filter,
        order: z.enum(peopleOrders),
        from: Place,
        limit: z.int().min(1).max(100).default(100),
      }),
    )
    .query(({ ctx, input: { filter, order, from, limit } }) =>
      people.page(ctx.acting, filterOf(ctx.newsletter.id, filter), { order, limit, from }),
    ),

  counts: newsletterProcedure.query(({ ctx }) => people.countByStatus(ctx.acting.db, ctx.newsletter.id)),

  matching: newsletterProcedure
    .input(z.object({ filter: Filter }))
    .query(({ ctx, input }) => people.count(ctx.acting, filterOf(ctx.newsletter.id, input.filter))),

  get: newsletterProcedure
    .input(OfPerson)
    .query(({ ctx, input }) => getPerson(ctx.acting, ctx.newsletter.id, input.id)),

  everything: newsletterEditorProcedure
    .input(OfPerson)
    .query(({ ctx, input }) => everythingAbout(ctx.acting, ctx.newsletter, input.id)),

  allowMail: newsletterEditorProcedure
    .input(OfPerson)
    .mutation(({ ctx, input }) => allowMail(ctx.acting, ctx.newsletter, input.id)),

  link: newsletterEditorProcedure
    .input(OfPerson)
    .query(({ ctx, input }) =>
      confirmationLink(ctx.acting, ctx.app.links.confirmationUrl, ctx.newsletter.id, input.id),
    ),

  add: newsletterEditorProcedure.input(z.object({ person: NewSubscriber })).mutation(({ ctx, input }) => {
    const origin = { newsletterId: ctx.newsletter.id, source: "dashboard", sourceId: ctx.staff.id } as const;
    return create(ctx.acting, origin, input.person);
  }),

  change: newsletterEditorProcedure
    .input(OfPerson.extend({ version: z.int(), patch: SubscriberPatch }))
    .mutation(({ ctx, input }) =>
      update(ctx.acting, ctx.newsletter.id, input.id, input.patch, input.version),
    ),

  askAgain: newsletterEditorProcedure
    .input(OfPerson)
    .mutation(({ ctx, input }) => askAgain(ctx.acting, ctx.newsletter, input.id)),

  /** People to be written into a file, 1,000 at a time. */
  export: newsletterEditorProcedure
    .input(z.object({ filter: Filter, after: z.uuid().nullable() }))
    .query(({ ctx, input: { filter, after } }) =>
      people.page(ctx.acting, filterOf(ctx.newsletter.id, filter), {
        order: "newest",
        limit: 1000,
        from: after ? { after } : null,
      }),
    ),

  chosen: newsletterEditorProcedure
    .input(z.object({ ids: z.array(z.uuid()).min(1).max(5000) }))
    .query(({ ctx, input }) => people.chosen(ctx.acting, ctx.newsletter.id, input.ids)),
});
