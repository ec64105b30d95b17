import { z } from "zod";
import { maxSelected } from "../bulk-actions/schema/bulk-actions";
import { afterRecentSignIn, newsletterEditorProcedure, newsletterProcedure, router } from "../trpc/base";
import { createSubscriber, warnOfOptOut } from "./create-subscribers";
import { countMatching, countPeopleByStatus, exportChosen, exportPeople, listPeople } from "./people";
import * as person from "./person";
import { PeopleFilterInput } from "./schema/filter";
import { peopleOrders } from "./schema/people-list";
import { NoteText } from "./schema/person-notes";
import { NewSubscriber, SubscriberPatch } from "./schema/subscriber";
import { resolvePeopleFilter } from "./segments";
import { updateSubscriber } from "./subscribers";

const Place = z.union([z.object({ after: z.uuid() }), z.object({ before: z.uuid() })]).nullable();
/** Whether an export includes unsubscribe links. */
const WithLinks = z.boolean().default(false);
const OfPerson = z.object({ id: z.uuid("This person does not exist.") });

/** Exports only write to the audit log. */
const exportProcedure = newsletterEditorProcedure.meta({ onArchived: true }).use(afterRecentSignIn);

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
    .query(async ({ ctx: { acting, newsletter }, input: { filter, order, from, limit } }) =>
      listPeople(acting, await resolvePeopleFilter(acting, newsletter.id, filter), { order, limit, from }),
    ),

  counts: newsletterProcedure.query(({ ctx }) => countPeopleByStatus(ctx.acting, ctx.newsletter.id)),

  matching: newsletterProcedure
    .input(z.object({ filter: PeopleFilterInput }))
    .query(async ({ ctx: { acting, newsletter }, input }) =>
      countMatching(acting, await resolvePeopleFilter(acting, newsletter.id, input.filter)),
    ),

  get: newsletterProcedure
    .input(OfPerson)
    .query(({ ctx, input }) => person.getPerson(ctx.acting, ctx.newsletter.id, input.id)),

  allowMail: newsletterEditorProcedure
    .input(OfPerson)
    .mutation(({ ctx, input }) => person.allowMail(ctx.acting, ctx.newsletter, input.id)),

  add: newsletterEditorProcedure
    .input(z.object({ person: NewSubscriber, despiteOptOut: z.boolean().default(false) }))
    .mutation(async ({ ctx, input: { person, despiteOptOut } }) => {
      const origin = {
        newsletterId: ctx.newsletter.id,
        source: "dashboard",
        sourceId: ctx.staff.id,
      } as const;
      if (!despiteOptOut) await warnOfOptOut(ctx.acting, ctx.newsletter.id, person);
      return (await createSubscriber(ctx.acting, origin, person)).record;
    }),

  change: newsletterEditorProcedure
    .input(
      OfPerson.extend({
        version: z.int32().min(0),
        patch: SubscriberPatch,
      }),
    )
    .mutation(({ ctx, input }) => updateSubscriber(ctx.acting, ctx.newsletter.id, input)),

  saveNote: newsletterEditorProcedure
    .input(OfPerson.extend({ version: z.int32().min(0), text: NoteText }))
    .mutation(({ ctx, input }) => person.saveNote(ctx.acting, ctx.newsletter, input)),

  askAgain: newsletterEditorProcedure
    .input(OfPerson)
    .mutation(({ ctx, input }) => person.askAgain(ctx.acting, ctx.newsletter, input.id)),

  export: exportProcedure
    .input(z.object({ filter: PeopleFilterInput, after: z.uuid().nullable(), links: WithLinks }))
    .mutation(async ({ ctx: { acting, newsletter }, input: { filter, after, links } }) =>
      exportPeople(acting, {
        newsletter,
        filter: await resolvePeopleFilter(acting, newsletter.id, filter),
        after,
        links: links ? acting.links : null,
      }),
    ),

  exportChosen: exportProcedure
    .input(z.object({ ids: z.array(z.uuid()).min(1).max(maxSelected), links: WithLinks }))
    .mutation(({ ctx: { acting, newsletter }, input: { ids, links } }) =>
      exportChosen(acting, { newsletter, ids, links: links ? acting.links : null }),
    ),

  exportPerson: exportProcedure
    .input(OfPerson)
    .mutation(({ ctx, input }) => person.exportPerson(ctx.acting, ctx.newsletter, input.id)),
});
