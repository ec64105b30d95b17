import { z } from "zod";
import { ofNewsletter } from "../accounts/context";
import { deleteTag, updateTag } from "../bulk-actions/retag";
import { maxSelected } from "../bulk-actions/schema/bulk-actions";
import {
  afterRecentSignIn,
  calls,
  newsletterEditorProcedure,
  newsletterProcedure,
  router,
} from "../trpc/base";
import { createSubscriber, warnOfOptOut } from "./create-subscribers";
import * as fields from "./fields";
import { countMatching, exportChosen, exportPeople, listPeople } from "./people";
import * as person from "./person";
import { countByStatus } from "./queries/people-counts";
import { FieldPatch, maxFields, NewField, TagPatch } from "./schema/fields";
import { PeopleFilterInput } from "./schema/filter";
import { peopleOrders } from "./schema/people-list";
import { NewSegment } from "./schema/segments";
import { NewSubscriber, SubscriberPatch } from "./schema/subscriber";
import * as segments from "./segments";
import { resolvePeopleFilter } from "./segments";
import { listTags } from "./tag-changes";
import { listTagNames } from "./tags";

const Place = z.union([z.object({ after: z.uuid() }), z.object({ before: z.uuid() })]).nullable();
/** Whether an export includes unsubscribe links. */
const WithLinks = z.boolean().default(false);
/** A note of staff about a person: plain text with line breaks. */
const NoteText = z
  .string({ error: "A note must be text." })
  .max(10_000, "A note may have at most 10,000 characters.")
  .regex(/^[^\0]*$/, "The note contains an invisible control character. Remove it.")
  .transform((text) => text.replace(/\r\n?/g, "\n").trimEnd());
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
    .query(async ({ ctx: { acting }, input }) =>
      listPeople(acting, { ...input, filter: await resolvePeopleFilter(acting, input) }),
    ),

  counts: newsletterProcedure.query(({ ctx }) => countByStatus(ctx.acting.db, ctx.newsletter.id)),

  matching: newsletterProcedure
    .input(z.object({ filter: PeopleFilterInput }))
    .query(async ({ ctx: { acting }, input }) =>
      countMatching(acting, await resolvePeopleFilter(acting, input)),
    ),

  get: newsletterProcedure.input(OfPerson).query(calls(person.getPerson)),

  allowMail: newsletterEditorProcedure.input(OfPerson).mutation(calls(person.allowMail)),

  add: newsletterEditorProcedure
    .input(z.object({ person: NewSubscriber, despiteOptOut: z.boolean().default(false) }))
    .mutation(async ({ ctx, input: { person, despiteOptOut } }) => {
      const origin = {
        newsletterId: ctx.newsletter.id,
        source: "dashboard",
        sourceId: ctx.staff.id,
      } as const;
      const { newsletterId } = origin;
      if (!despiteOptOut) await warnOfOptOut(ctx.acting, { newsletterId, input: person });
      return (await createSubscriber(ctx.acting, { origin, input: person })).record;
    }),

  change: newsletterEditorProcedure
    .input(
      OfPerson.extend({
        version: z.int32().min(0),
        patch: SubscriberPatch,
      }),
    )
    .mutation(calls(person.changePerson)),

  saveNote: newsletterEditorProcedure
    .input(OfPerson.extend({ version: z.int32().min(0), text: NoteText }))
    .mutation(calls(person.saveNote)),

  askAgain: newsletterEditorProcedure.input(OfPerson).mutation(calls(person.askAgain)),

  export: exportProcedure
    .input(z.object({ filter: PeopleFilterInput, after: z.uuid().nullable(), links: WithLinks }))
    .mutation(async ({ ctx: { acting, newsletter }, input: { after, links, ...input } }) =>
      exportPeople(acting, {
        ...ofNewsletter(newsletter),
        filter: await resolvePeopleFilter(acting, input),
        after,
        links: links ? acting.links : null,
      }),
    ),

  exportChosen: exportProcedure
    .input(z.object({ ids: z.array(z.uuid()).min(1).max(maxSelected), links: WithLinks }))
    .mutation(({ ctx: { acting, newsletter }, input: { ids, links } }) =>
      exportChosen(acting, { ...ofNewsletter(newsletter), ids, links: links ? acting.links : null }),
    ),

  exportPerson: exportProcedure
    .input(OfPerson)
    .mutation(({ ctx, input }) =>
      person.exportPerson(ctx.acting, { newsletter: ctx.newsletter, id: input.id }),
    ),
});

const OfSegment = z.object({ id: z.uuid() });

export const segmentsRouter = router({
  list: newsletterProcedure.query(calls(segments.listSegments)),

  create: newsletterEditorProcedure.input(NewSegment).mutation(calls(segments.createSegment)),

  change: newsletterEditorProcedure
    .input(OfSegment.extend({ version: z.int32().min(0), segment: NewSegment }))
    .mutation(calls(segments.updateSegment)),

  remove: newsletterEditorProcedure.input(OfSegment).mutation(calls(segments.removeSegment)),
});

const OfField = z.object({ key: z.string().max(64) });

export const fieldsRouter = router({
  list: newsletterProcedure.query(calls(fields.listFields)),

  people: newsletterProcedure.input(OfField).query(calls(fields.countPeopleWithField)),

  create: newsletterEditorProcedure.input(z.object({ field: NewField })).mutation(calls(fields.createField)),

  change: newsletterEditorProcedure
    .input(OfField.extend({ patch: FieldPatch }))
    .mutation(calls(fields.updateField)),

  order: newsletterEditorProcedure
    .input(z.object({ keys: z.array(z.string().max(64)).max(maxFields) }))
    .mutation(calls(fields.orderFields)),

  delete: newsletterEditorProcedure.input(OfField).mutation(calls(fields.deleteField)),
});

const OfTag = z.object({ name: z.string().max(1000) });

export const tagsRouter = router({
  names: newsletterProcedure.query(calls(listTagNames)),

  list: newsletterProcedure.query(calls(listTags)),

  change: newsletterEditorProcedure
    .input(OfTag.extend({ patch: TagPatch, merge: z.boolean() }))
    .mutation(calls(updateTag)),

  delete: newsletterEditorProcedure.input(OfTag).mutation(calls(deleteTag)),
});
