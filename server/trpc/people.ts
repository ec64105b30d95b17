import { z } from "zod";
import { PeopleFilterInput } from "../contract/people-filter";
import { peopleOrders } from "../contract/people-list";
import { NewSubscriber, SubscriberPatch } from "../contract/subscriber";
import { createSubscriber } from "../services/create-subscribers";
import { countMatching, countPeopleByStatus, listChosen, listPeople } from "../services/people";
import * as person from "../services/person";
import { updateSubscriber } from "../services/subscribers";
import { newsletterEditorProcedure, newsletterProcedure, router } from "./base";

const Place = z.union([z.object({ after: z.uuid() }), z.object({ before: z.uuid() })]).nullable();
const OfPerson = z.object({ id: z.uuid("There is no such person.") });

export const peopleRouter = router({
  page: newsletterProcedure
    .input(
      z.object({
        filter: PeopleFilterInput,
        order: z.enum(peopleOrders),
        from: Place,
        limit: z.int().min(1).max(100).default(100),
      }),
    )
    .query(({ ctx, input: { filter, order, from, limit } }) =>
      listPeople(ctx.acting, { newsletterId: ctx.newsletter.id, ...filter }, { order, limit, from }),
    ),

  counts: newsletterProcedure.query(({ ctx }) => countPeopleByStatus(ctx.acting, ctx.newsletter.id)),

  matching: newsletterProcedure
    .input(z.object({ filter: PeopleFilterInput }))
    .query(({ ctx, input }) =>
      countMatching(ctx.acting, { newsletterId: ctx.newsletter.id, ...input.filter }),
    ),

  get: newsletterProcedure
    .input(OfPerson)
    .query(({ ctx, input }) => person.getPerson(ctx.acting, ctx.newsletter.id, input.id)),

  everything: newsletterEditorProcedure
    .input(OfPerson)
    .query(({ ctx, input }) => person.exportPerson(ctx.acting, ctx.newsletter, input.id)),

  allowMail: newsletterEditorProcedure
    .input(OfPerson)
    .mutation(({ ctx, input }) => person.allowMail(ctx.acting, ctx.newsletter, input.id)),

  link: newsletterEditorProcedure.input(OfPerson).query(({ ctx, input }) =>
    person.confirmationLink(ctx.acting, ctx.app.links.confirmationUrl, {
      newsletterId: ctx.newsletter.id,
      id: input.id,
    }),
  ),

  add: newsletterEditorProcedure.input(z.object({ person: NewSubscriber })).mutation(({ ctx, input }) => {
    const origin = { newsletterId: ctx.newsletter.id, source: "dashboard", sourceId: ctx.staff.id } as const;
    return createSubscriber(ctx.acting, origin, input.person);
  }),

  change: newsletterEditorProcedure
    .input(OfPerson.extend({ version: z.int(), patch: SubscriberPatch }))
    .mutation(({ ctx, input }) => updateSubscriber(ctx.acting, ctx.newsletter.id, input)),

  askAgain: newsletterEditorProcedure
    .input(OfPerson)
    .mutation(({ ctx, input }) => person.askAgain(ctx.acting, ctx.newsletter, input.id)),

  /** People to be written into a file, 1,000 at a time. */
  export: newsletterEditorProcedure
    .input(z.object({ filter: PeopleFilterInput, after: z.uuid().nullable() }))
    .query(({ ctx, input: { filter, after } }) =>
      listPeople(
        ctx.acting,
        { newsletterId: ctx.newsletter.id, ...filter },
        {
          order: "newest",
          limit: 1000,
          from: after ? { after } : null,
        },
      ),
    ),

  chosen: newsletterEditorProcedure
    .input(z.object({ ids: z.array(z.uuid()).min(1).max(5000) }))
    .query(({ ctx, input }) => listChosen(ctx.acting, ctx.newsletter.id, input.ids)),
});
