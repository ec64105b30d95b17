import { z } from "zod";
import {
  ChangeRecord,
  ChangesPagination,
  ChangesQuery,
  maxWaitSeconds,
  waitsPerKey,
} from "../../events/schema/changes";
import { changesKeptDays } from "../../kernel/durations";
import { ActivityPagination, ActivityQuery, ActivityRecord } from "../../subscribers/schema/activities";
import { FieldPatch, FieldRecord, NewField, TagPatch, TagRecord } from "../../subscribers/schema/fields";
import { ListQuery } from "../../subscribers/schema/list-query";
import { SegmentRecord } from "../../subscribers/schema/segments";
import { StatsQuery, StatsRecord } from "../../subscribers/schema/stats";
import {
  bulkBounds,
  NewSubscriber,
  SkippedItem,
  SubscriberPatch,
  SubscriberRecord,
} from "../../subscribers/schema/subscriber";
import {
  NewSuppressions,
  SuppressionRecord,
  SuppressionsQuery,
} from "../../suppressions/schema/suppressions";
import { importOperations } from "./import-operations";
import type { Operation } from "./operation";
import {
  AskingRecord,
  BulkQuery,
  CreateQuery,
  DeleteQuery,
  DryRun,
  LinkIds,
  LinksRecord,
  Me,
  NewsletterRecord,
  Pagination,
  RecordQuery,
  SkippedId,
} from "./operation-schemas";
import { webhookOperations } from "./webhook-operations";

export const operations = {
  createSubscriber: {
    method: "POST",
    path: "/api/v1/subscribers",
    summary: "Create a subscriber",
    description:
      "Active subscribers are added immediately. Pending subscribers receive a confirmation email. This endpoint never resubscribes an unsubscribed person.",
    permission: "subscribers:write",
    query: CreateQuery,
    body: NewSubscriber,
    idempotent: true,
    queuesConfirmations: true,
    answers: [
      { status: 201, data: SubscriberRecord },
      {
        status: 200,
        data: z.xor([SubscriberRecord, DryRun]),
        when: "on_duplicate=update for an existing subscriber, or dry_run=true",
      },
    ],
    rejects: ["email_already_subscribed", "email_suppressed"],
  },
  createSubscribers: {
    method: "POST",
    path: "/api/v1/subscribers/bulk",
    summary: "Create subscribers in bulk",
    description:
      "Creates up to 100 subscribers, or none if any item is invalid. The error lists every invalid item: `errors` by field and `items` by position.",
    permission: "subscribers:write",
    policy: "bulk",
    query: BulkQuery,
    body: z.array(NewSubscriber).min(bulkBounds.min).max(bulkBounds.max),
    idempotent: true,
    queuesConfirmations: true,
    answers: [
      {
        status: 201,
        data: z.object({
          created: z.array(SubscriberRecord),
          updated: z
            .array(SubscriberRecord)
            .optional()
            .meta({ description: "Only with on_duplicate=update." }),
          skipped: z
            .array(SkippedItem)
            .optional()
            .meta({ description: "Only with on_duplicate=skip or update." }),
        }),
      },
      { status: 200, data: DryRun, when: "dry_run=true" },
    ],
  },
  listSubscribers: {
    method: "GET",
    path: "/api/v1/subscribers",
    summary: "List subscribers",
    description:
      "Newest first, unless `sort` asks for another order. Follow `pagination.next_cursor` until it is null, with the same parameters. With `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed as of one moment.",
    permission: "subscribers:read",
    query: ListQuery,
    streams: true,
    answers: [{ status: 200, data: z.array(SubscriberRecord), pagination: Pagination }],
  },
  getSubscriber: {
    method: "GET",
    path: "/api/v1/subscribers/{id}",
    summary: "Get a subscriber",
    description: "Subscribers of other newsletters return 404.",
    permission: "subscribers:read",
    query: RecordQuery,
    answers: [{ status: 200, data: SubscriberRecord }],
  },
  listActivity: {
    method: "GET",
    path: "/api/v1/subscribers/{id}/activity",
    summary: "List a subscriber's activity",
    description:
      "Shows how the subscriber was added, when a confirmation was requested, when and from which IP address they confirmed, and when they unsubscribed. Newest first. Follow `pagination.next_cursor` until it is null; new activities do not shift the pages.",
    permission: "subscribers:read",
    query: ActivityQuery,
    answers: [{ status: 200, data: z.array(ActivityRecord), pagination: ActivityPagination }],
  },
  listChanges: {
    method: "GET",
    path: "/api/v1/changes",
    summary: "List changes",
    description: `Lists subscribers that were created, updated, confirmed, unsubscribed or erased. New changes are always added at the end. Store \`pagination.next\` and pass it as \`after\`, even after an empty page. With \`wait\`, of up to ${maxWaitSeconds} seconds, the request returns as soon as there is a change. A key can have ${waitsPerKey} waiting requests at a time. Changes are kept for ${changesKeptDays} days.`,
    permission: "subscribers:read",
    query: ChangesQuery,
    answers: [{ status: 200, data: z.array(ChangeRecord), pagination: ChangesPagination }],
  },
  updateSubscriber: {
    method: "PUT",
    path: "/api/v1/subscribers/{id}",
    summary: "Update a subscriber",
    description:
      "Send at least one of email, name, status, fields and tags. Members that you leave out keep their value. PATCH does the same as PUT. A record can be sent back as it was read. Setting the status to pending sends a confirmation email. An unsubscribed person can be set to pending, but not to active.",
    permission: "subscribers:write",
    isPartial: true,
    query: RecordQuery,
    body: SubscriberPatch,
    queuesConfirmations: true,
    answers: [{ status: 200, data: SubscriberRecord }],
    rejects: ["email_already_subscribed", "email_suppressed"],
  },
  deleteSubscriber: {
    method: "DELETE",
    path: "/api/v1/subscribers/{id}",
    summary: "Unsubscribe a subscriber",
    description:
      "The subscriber stays on the list as unsubscribed and can't be created again. Repeating the request changes nothing. With erase=true the subscriber is erased instead.",
    permission: "subscribers:write",
    permissionWith: { parameter: "erase", value: "true", permission: "subscribers:erase" },
    query: DeleteQuery,
    answers: [{ status: 200, data: SubscriberRecord }],
  },
  askSubscriber: {
    method: "POST",
    path: "/api/v1/subscribers/{id}/confirmation",
    summary: "Resend the confirmation email",
    description:
      "Sends a confirmation email to a pending or unsubscribed subscriber. An unsubscribed one becomes pending. Each subscriber receives at most one a minute and three a day. Takes no body.",
    permission: "subscribers:write",
    queuesConfirmations: true,
    answers: [{ status: 200, data: AskingRecord }],
    rejects: ["validation_error", "email_suppressed"],
  },
  linkSubscriber: {
    method: "POST",
    path: "/api/v1/subscribers/{id}/links",
    summary: "Get a subscriber's links",
    description:
      "Returns the subscriber's own unsubscribe link for your emails. Anyone with the link can unsubscribe this subscriber, but no one else. Changes nothing. Takes no body.",
    permission: "subscribers:write",
    answers: [{ status: 200, data: LinksRecord }],
  },
  linkSubscribers: {
    method: "POST",
    path: "/api/v1/subscribers/links",
    summary: "Get links in bulk",
    description:
      "Takes an array of up to 1,000 ids. `links` has the order of the request. Unknown ids are listed in `skipped`. Changes nothing.",
    permission: "subscribers:write",
    policy: "bulk",
    body: LinkIds,
    answers: [{ status: 200, data: z.object({ links: z.array(LinksRecord), skipped: z.array(SkippedId) }) }],
  },
  listFields: {
    method: "GET",
    path: "/api/v1/fields",
    summary: "List fields",
    description: "Returns all custom fields of the newsletter in their order.",
    permission: "subscribers:read",
    answers: [{ status: 200, data: z.array(FieldRecord) }],
  },
  createField: {
    method: "POST",
    path: "/api/v1/fields",
    summary: "Create a field",
    description: "Defines custom data of subscribers. A newsletter can have at most 100 fields.",
    permission: "fields",
    body: NewField,
    answers: [{ status: 201, data: FieldRecord }],
  },
  updateField: {
    method: "PUT",
    path: "/api/v1/fields/{key}",
    summary: "Update a field",
    description:
      "Updates the label, the choices, or whether the field is required on the sign-up page. Subscribers keep their current value when you remove a choice.",
    permission: "fields",
    body: FieldPatch,
    answers: [{ status: 200, data: FieldRecord }],
  },
  deleteField: {
    method: "DELETE",
    path: "/api/v1/fields/{key}",
    summary: "Delete a field",
    description:
      "Also deletes the field's values of all subscribers. The key can be used again. Rejected while a segment uses the field.",
    permission: "fields",
    answers: [{ status: 200, data: FieldRecord }],
    rejects: ["validation_error"],
  },
  listTags: {
    method: "GET",
    path: "/api/v1/tags",
    summary: "List tags",
    description:
      "Returns all tags of the newsletter by name, each with the number of subscribers who have it. Counts a million subscribers in about a second.",
    permission: "subscribers:read",
    answers: [{ status: 200, data: z.array(TagRecord) }],
  },
  updateTag: {
    method: "PUT",
    path: "/api/v1/tags/{name}",
    summary: "Rename or merge a tag",
    description:
      "Renames the tag. If another tag has the new name, the tag is merged into that one. Both take effect at once in records, filters and segments. After a merge, a background job changes the subscribers, who then appear in the change feed; a rename does not. Staff can undo a merge for a day. PATCH does the same as PUT.",
    permission: "fields",
    isPartial: true,
    body: TagPatch,
    answers: [{ status: 200, data: TagRecord }],
  },
  deleteTag: {
    method: "DELETE",
    path: "/api/v1/tags/{name}",
    summary: "Delete a tag",
    description:
      "The tag disappears at once. A background job removes it from the subscribers, who then appear in the change feed. Staff can undo this for a day. Rejected while a segment uses the tag. Returns the tag as it was.",
    permission: "fields",
    answers: [{ status: 200, data: TagRecord }],
    rejects: ["validation_error"],
  },
  listSegments: {
    method: "GET",
    path: "/api/v1/segments",
    summary: "List segments",
    description:
      "Returns all segments by name. Staff define segments on the dashboard. GET /api/v1/subscribers?segment=ID lists the subscribers in a segment.",
    permission: "subscribers:read",
    answers: [{ status: 200, data: z.array(SegmentRecord) }],
  },
  ...importOperations,
  getStats: {
    method: "GET",
    path: "/api/v1/stats",
    summary: "Get statistics",
    description:
      "Returns the number of subscribers by status, and how many joined and left on each day (UTC), as on the dashboard's overview.",
    permission: "subscribers:read",
    query: StatsQuery,
    answers: [{ status: 200, data: StatsRecord }],
  },
  listSuppressions: {
    method: "GET",
    path: "/api/v1/suppressions",
    summary: "List suppressions",
    description:
      "Lists addresses that never receive email, newest first. For unsubscribed subscribers use GET /api/v1/subscribers?status=unsubscribed.",
    permission: "suppressions",
    query: SuppressionsQuery,
    answers: [{ status: 200, data: z.array(SuppressionRecord), pagination: Pagination }],
  },
  createSuppressions: {
    method: "POST",
    path: "/api/v1/suppressions",
    summary: "Create suppressions in bulk",
    description:
      "Takes up to 100 addresses, all or none. Suppressed addresses never receive email; subscribers among them are unsubscribed. An already suppressed address keeps the stronger reason and the earlier date. The records have the order of the request.",
    permission: "suppressions",
    policy: "bulk",
    body: NewSuppressions,
    idempotent: true,
    answers: [{ status: 201, data: z.array(SuppressionRecord) }],
  },
  deleteSuppression: {
    method: "DELETE",
    path: "/api/v1/suppressions/{id}",
    summary: "Delete a suppression",
    description:
      "The address can be added again. Rejected if the person unsubscribed, complained or denied signing up: only they can lift such a suppression, by confirming from their own inbox.",
    permission: "suppressions",
    answers: [{ status: 200, data: SuppressionRecord }],
    rejects: ["validation_error"],
  },
  ...webhookOperations,
  listNewsletters: {
    method: "GET",
    path: "/api/v1/newsletters",
    summary: "List newsletters",
    description:
      "Returns the newsletters that the key can use, oldest first: its own, or all newsletters of its account.",
    permission: null,
    isAboutKey: true,
    answers: [{ status: 200, data: z.array(NewsletterRecord) }],
  },
  getMe: {
    method: "GET",
    path: "/api/v1/me",
    summary: "Test an API key",
    description:
      "Returns the key's newsletter, permissions and expiry, and the remaining requests of each rate limit. Has its own rate limit. Changes nothing.",
    permission: null,
    isAboutKey: true,
    policy: "me",
    answers: [{ status: 200, data: Me }],
  },
  getDocument: {
    method: "GET",
    path: "/api/v1/openapi.json",
    summary: "Get the OpenAPI document",
    description: "Returns OpenAPI 3.1 without the response envelope. Needs no key.",
    permission: "none",
    policy: null,
    answers: [],
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

/** The operations that are about the key. */
export type KeyOperation = {
  [Id in OperationId]: (typeof operations)[Id] extends { isAboutKey: true } ? Id : never;
}[OperationId];
