import { z } from "zod";
import { ActivityPagination, ActivityQuery, ActivityRecord } from "./activities";
import { ChangeRecord, ChangesPagination, ChangesQuery, maxWaitSeconds, waitsPerKey } from "./changes";
import { FieldPatch, FieldRecord, NewField } from "./fields";
import { ListQuery } from "./list-query";
import { bodyCodes, idempotencyCodes, type Operation } from "./operation";
import {
  AskingRecord,
  BulkQuery,
  CreateQuery,
  DeleteQuery,
  DryRun,
  LinkIds,
  LinksRecord,
  Me,
  Pagination,
  RecordQuery,
  SkippedId,
} from "./operation-schemas";
import { SegmentRecord } from "./segments";
import { changesKeptDays } from "./spans";
import { bulkBounds, NewSubscriber, SkippedItem, SubscriberPatch, SubscriberRecord } from "./subscriber";
import { NewSuppressions, SuppressionRecord, SuppressionsQuery } from "./suppressions";

export const operations = {
  createSubscriber: {
    method: "POST",
    path: "/api/v1/subscribers",
    summary: "Add one person",
    description:
      "Active people are on the list at once; pending ones are mailed a confirmation first. A person who unsubscribed is never brought back by this.",
    permission: "subscribers:write",
    policy: "single",
    query: CreateQuery,
    body: NewSubscriber,
    idempotent: true,
    answers: [
      { status: 201, data: SubscriberRecord },
      {
        status: 200,
        data: z.xor([SubscriberRecord, DryRun]),
        when: "on_duplicate=update, where somebody was there, or dry_run=true",
      },
    ],
    rejects: [...bodyCodes, "email_already_subscribed", "email_suppressed", ...idempotencyCodes],
  },
  createSubscribers: {
    method: "POST",
    path: "/api/v1/subscribers/bulk",
    summary: "Add up to 100 people, all or nobody",
    description:
      "One bad item rejects the whole request, and every bad item is named: `errors` by field for people, `items` by position for programs.",
    permission: "subscribers:write",
    policy: "bulk",
    query: BulkQuery,
    body: z.array(NewSubscriber).min(bulkBounds.min).max(bulkBounds.max),
    idempotent: true,
    answers: [
      {
        status: 201,
        data: z.object({
          created: z.array(SubscriberRecord),
          updated: z.array(SubscriberRecord).optional().meta({ description: "With on_duplicate=update." }),
          skipped: z.array(SkippedItem).optional().meta({ description: "With on_duplicate=skip." }),
        }),
      },
      { status: 200, data: DryRun, when: "dry_run=true" },
    ],
    rejects: [...bodyCodes, ...idempotencyCodes],
  },
  listSubscribers: {
    method: "GET",
    path: "/api/v1/subscribers",
    summary: "List people, newest first",
    description: "Follow `pagination.next_cursor` until it is null: any page then costs the same.",
    permission: "subscribers:read",
    policy: "single",
    query: ListQuery,
    answers: [{ status: 200, data: z.array(SubscriberRecord), pagination: Pagination }],
    rejects: [],
  },
  getSubscriber: {
    method: "GET",
    path: "/api/v1/subscribers/{id}",
    summary: "Read one person",
    description: "Another newsletter's person is not found, like one who does not exist.",
    permission: "subscribers:read",
    policy: "single",
    query: RecordQuery,
    answers: [{ status: 200, data: SubscriberRecord }],
    rejects: ["not_found"],
  },
  listActivity: {
    method: "GET",
    path: "/api/v1/subscribers/{id}/activity",
    summary: "List a subscriber's activity",
    description:
      "How they came, when they were asked, when and from which address they confirmed, when and how they left. Follow `pagination.next_cursor` until it is null: what there was is on one page each, also while more happens.",
    permission: "subscribers:read",
    policy: "single",
    query: ActivityQuery,
    answers: [{ status: 200, data: z.array(ActivityRecord), pagination: ActivityPagination }],
    rejects: ["not_found"],
  },
  listChanges: {
    method: "GET",
    path: "/api/v1/changes",
    summary: "Follow what changes",
    description: `Every person who was created, updated, confirmed, unsubscribed or erased, in an order in which nothing ever appears before what was read. Keep \`pagination.next\` and give it as \`after\`, also after an empty page. With \`wait\` of up to ${maxWaitSeconds} seconds an answer comes as soon as there is something; ${waitsPerKey} requests of a key may wait at a time. Changes are kept ${changesKeptDays} days.`,
    permission: "subscribers:read",
    policy: "single",
    query: ChangesQuery,
    answers: [{ status: 200, data: z.array(ChangeRecord), pagination: ChangesPagination }],
    rejects: [],
  },
  updateSubscriber: {
    method: "PUT",
    path: "/api/v1/subscribers/{id}",
    summary: "Change one person",
    description:
      "At least one of email, name, status, fields and tags; what is absent keeps its value. Moving to pending mails a confirmation. Who unsubscribed can be set to pending, which asks them again, but not to active.",
    permission: "subscribers:write",
    policy: "single",
    query: RecordQuery,
    body: SubscriberPatch,
    answers: [{ status: 200, data: SubscriberRecord }],
    rejects: [...bodyCodes, "not_found", "email_already_subscribed", "email_suppressed"],
  },
  deleteSubscriber: {
    method: "DELETE",
    path: "/api/v1/subscribers/{id}",
    summary: "Unsubscribe one person",
    description:
      "The person stays on the list as unsubscribed, so that no create brings them back. Doing it again changes nothing. With erase=true they are erased instead.",
    permission: "subscribers:write",
    policy: "single",
    query: DeleteQuery,
    answers: [{ status: 200, data: SubscriberRecord }],
    rejects: ["not_found"],
  },
  askSubscriber: {
    method: "POST",
    path: "/api/v1/subscribers/{id}/confirmation",
    summary: "Ask one person to confirm, again",
    description:
      "Mails a confirmation to who is pending, or to who unsubscribed, who is pending then. One person is asked at most once a minute and three times a day. Takes no body.",
    permission: "subscribers:write",
    policy: "single",
    answers: [{ status: 200, data: AskingRecord }],
    rejects: ["validation_error", "not_found", "email_suppressed"],
  },
  linkSubscriber: {
    method: "POST",
    path: "/api/v1/subscribers/{id}/links",
    summary: "Get the links of one person",
    description:
      "The person's own unsubscribe link, for the mails that you send them. Whoever has the link can unsubscribe this person, and nobody else. Changes nothing. Takes no body.",
    permission: "subscribers:write",
    policy: "single",
    answers: [{ status: 200, data: LinksRecord }],
    rejects: ["not_found"],
  },
  linkSubscribers: {
    method: "POST",
    path: "/api/v1/subscribers/links",
    summary: "Get the links of up to 1,000 people",
    description:
      "Takes an array of ids. `links` is in the order of the request; an id that is nobody's on this newsletter is left out of it and named in `skipped`. Changes nothing.",
    permission: "subscribers:write",
    policy: "bulk",
    body: LinkIds,
    answers: [{ status: 200, data: z.object({ links: z.array(LinksRecord), skipped: z.array(SkippedId) }) }],
    rejects: bodyCodes,
  },
  listFields: {
    method: "GET",
    path: "/api/v1/fields",
    summary: "List the fields of the newsletter",
    description: "All of them, in their order.",
    permission: "subscribers:read",
    policy: "single",
    answers: [{ status: 200, data: z.array(FieldRecord) }],
    rejects: [],
  },
  createField: {
    method: "POST",
    path: "/api/v1/fields",
    summary: "Define a field",
    description: "Custom data of subscribers, at most 100 fields in a newsletter.",
    permission: "subscribers:write",
    policy: "single",
    body: NewField,
    answers: [{ status: 201, data: FieldRecord }],
    rejects: bodyCodes,
  },
  updateField: {
    method: "PUT",
    path: "/api/v1/fields/{key}",
    summary: "Change a field",
    description:
      "Its label, its choices, or whether the sign-up page insists on it. Who has a choice that is taken away keeps it.",
    permission: "subscribers:write",
    policy: "single",
    body: FieldPatch,
    answers: [{ status: 200, data: FieldRecord }],
    rejects: [...bodyCodes, "not_found"],
  },
  deleteField: {
    method: "DELETE",
    path: "/api/v1/fields/{key}",
    summary: "Delete a field",
    description:
      "With the values that subscribers have in it. The key is free again. Rejected while a segment asks for the field.",
    permission: "subscribers:write",
    policy: "single",
    answers: [{ status: 200, data: FieldRecord }],
    rejects: ["validation_error", "not_found"],
  },
  listSegments: {
    method: "GET",
    path: "/api/v1/segments",
    summary: "List the segments of the newsletter",
    description:
      "All of them, by name. Staff define them in the dashboard; GET /api/v1/subscribers?segment=ID lists who is in one now.",
    permission: "subscribers:read",
    policy: "single",
    answers: [{ status: 200, data: z.array(SegmentRecord) }],
    rejects: [],
  },
  listSuppressions: {
    method: "GET",
    path: "/api/v1/suppressions",
    summary: "List addresses that are not written to",
    description:
      "The last added first. People on the list who unsubscribed are not among them: GET /api/v1/subscribers?status=unsubscribed has those.",
    permission: "subscribers:read",
    policy: "single",
    query: SuppressionsQuery,
    answers: [{ status: 200, data: z.array(SuppressionRecord), pagination: Pagination }],
    rejects: [],
  },
  createSuppressions: {
    method: "POST",
    path: "/api/v1/suppressions",
    summary: "Suppress up to 100 addresses, all or none",
    description:
      "These addresses never receive email; subscribers among them are unsubscribed. An address that is suppressed already keeps the stronger reason and the earlier date. The records are in the order of the request.",
    permission: "subscribers:write",
    policy: "bulk",
    body: NewSuppressions,
    idempotent: true,
    answers: [{ status: 201, data: z.array(SuppressionRecord) }],
    rejects: [...bodyCodes, ...idempotencyCodes],
  },
  deleteSuppression: {
    method: "DELETE",
    path: "/api/v1/suppressions/{id}",
    summary: "Lift one suppression",
    description:
      "The address can be added again. Refused where the person themselves unsubscribed, complained or said that they did not sign up: only their own press on a mailed link lifts that.",
    permission: "subscribers:write",
    policy: "single",
    answers: [{ status: 200, data: SuppressionRecord }],
    rejects: ["validation_error", "not_found"],
  },
  getMe: {
    method: "GET",
    path: "/api/v1/me",
    summary: "Test a key",
    description:
      "The key's newsletter, permissions and expiry, and what remains of each rate limit. Counts against a limit of its own only, and changes nothing.",
    permission: null,
    policy: "me",
    answers: [{ status: 200, data: Me }],
    rejects: [],
  },
  getDocument: {
    method: "GET",
    path: "/api/v1/openapi.json",
    summary: "This document",
    description: "OpenAPI 3.1, without an envelope and without a key.",
    permission: "none",
    policy: null,
    answers: [],
    rejects: [],
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
