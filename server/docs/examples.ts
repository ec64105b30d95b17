import { ChangeRecord, writeChangePosition } from "../events/schema/changes";
import { noOutcomes } from "../imports/schema/import-counts";
import { ImportResource, ImportRowRecord } from "../imports/schema/import-records";
import { defaultLimits } from "../kernel/default-limits";
import { ConfirmationRecord } from "../mail/schema/confirmation-states";
import { parsePolicy } from "../platform/limits/policies";
import { LinksRecord } from "../rest/schema/operation-schemas";
import type { OperationId } from "../rest/schema/operations";
import { ActivityRecord, writeActivityCursor } from "../subscribers/schema/activities";
import { TagRecord } from "../subscribers/schema/fields";
import { SegmentRecord } from "../subscribers/schema/segments";
import { NewSubscriber, SubscriberRecord } from "../subscribers/schema/subscriber";
import { SuppressionRecord } from "../suppressions/schema/suppressions";
import { answer, exampleOf, type Json, type OperationExample } from "./example-parts";
import { webhookOperationExamples } from "./webhook-examples";

const sampleRecord = exampleOf(SubscriberRecord);
const sampleSuppression = exampleOf(SuppressionRecord);
const sampleLinks = exampleOf(LinksRecord);
const sampleTag = exampleOf(TagRecord);
const otherId = "01a1fab8-2230-7d10-8f6b-4f0c1f6f9a21";
const samplePosition = { epoch: "5d0c3b0e-7a1c-4f39-9d6f-0b8d4c1e2a55", xid: "184467", id: otherId };
const sampleNewsletter = { id: "01a1fab8-1f00-7a11-8000-5b1d5e1f0a01", name: "Weekly" };
const sampleField: Json = {
  key: "edition",
  label: "Edition",
  type: "choice",
  choices: ["Print", "Digital"],
  required: false,
  created_at: sampleRecord.created_at,
};
const sampleImport: Json = {
  ...exampleOf(ImportResource),
  results: { ...noOutcomes, new_active: 1, new_pending: 1, suppressed: 1 },
  progress: { done: 0, total: 3 },
};
const endedImport: Json = {
  ...sampleImport,
  state: "done",
  progress: { done: 3, total: 3 },
  ended_at: "2026-06-11T17:00:04+00:00",
  undo_until: "2026-06-18T17:00:04+00:00",
};
/** The request body that creates the sample record. */
const sample: Json = Object.fromEntries(
  Object.keys(NewSubscriber.shape).map((name) => [name, sampleRecord[name]]),
);
const sampleWindows = (limit: string) =>
  parsePolicy(limit).map(({ name, quota, windowSeconds }) => ({
    name,
    quota,
    window_seconds: windowSeconds,
    remaining: quota - 1,
    reset_seconds: windowSeconds - 18,
  }));
/** For each operation, a sample request and its answers by status. */
export const examples: Partial<Record<OperationId, OperationExample>> = {
  createSubscriber: {
    body: { pending: { value: sample } },
    answers: {
      201: answer("created", sampleRecord),
      200: { ...answer("updated", sampleRecord), ...answer("dry_run=true", { valid: true }) },
    },
  },
  createSubscribers: {
    body: { two: { value: [sample, { email: "grace@navy.mil", name: null }] } },
    answers: {
      201: {
        ...answer("created", { created: [sampleRecord] }),
        ...answer("on_duplicate=skip", {
          created: [sampleRecord],
          skipped: [{ index: 1, email: "grace@navy.mil", reason: "already_subscribed" }],
        }),
        ...answer("on_duplicate=update", {
          created: [],
          updated: [sampleRecord],
          skipped: [{ index: 1, email: "grace@navy.mil", reason: "suppressed" }],
        }),
      },
      200: answer("dry_run=true", { valid: true }),
    },
  },
  listSubscribers: {
    answers: {
      200: answer("page", [sampleRecord], {
        pagination: { limit: 1, total: 12408, next_cursor: "AaH6uCIdc8y_b4i7-BHOPA" },
      }),
    },
  },
  getSubscriber: {
    answers: {
      200: {
        ...answer("person", sampleRecord),
        ...answer("include=fields,tags", { ...sampleRecord, fields: { edition: "Print" }, tags: ["vip"] }),
        ...answer("include=subscribed_at,external_id", {
          ...sampleRecord,
          subscribed_at: "2019-05-04T10:00:00+00:00",
          external_id: "customer-1815",
        }),
        ...answer("include=confirmation", { ...sampleRecord, confirmation: exampleOf(ConfirmationRecord) }),
      },
    },
  },
  listActivity: {
    answers: {
      200: answer("page", [exampleOf(ActivityRecord)], {
        pagination: {
          limit: 1,
          next_cursor: writeActivityCursor({ at: new Date(0), rank: 2, id: sampleRecord.id as string }),
        },
      }),
    },
  },
  listChanges: {
    answers: {
      200: answer(
        "page",
        [
          { ...exampleOf(ChangeRecord), subscriber: { ...sampleRecord, status: "active" } },
          { ...exampleOf(ChangeRecord), type: "erased", subscriber_id: otherId, subscriber: null },
        ],
        { pagination: { limit: 50, next: writeChangePosition(samplePosition) } },
      ),
    },
  },
  updateSubscriber: {
    body: { "another name": { value: { name: "Ada King" } } },
    answers: { 200: answer("changed", { ...sampleRecord, name: "Ada King" }) },
  },
  deleteSubscriber: {
    answers: { 200: answer("unsubscribed", { ...sampleRecord, status: "unsubscribed" }) },
  },
  askSubscriber: {
    answers: {
      200: {
        ...answer("queued", { status: "queued", next_at: null }),
        ...answer("deferred", { status: "deferred", next_at: sampleRecord.created_at }),
      },
    },
  },
  linkSubscriber: { answers: { 200: answer("links", sampleLinks) } },
  linkSubscribers: {
    body: { two: { value: [sampleRecord.id, otherId] } },
    answers: {
      200: answer("links", {
        links: [sampleLinks],
        skipped: [{ index: 1, id: otherId, reason: "not_found" }],
      }),
    },
  },
  listFields: { answers: { 200: answer("fields", [sampleField]) } },
  createField: {
    body: {
      choice: { value: { key: "edition", label: "Edition", type: "choice", choices: ["Print", "Digital"] } },
    },
    answers: { 201: answer("created", sampleField) },
  },
  updateField: {
    body: { "another label": { value: { label: "Which edition" } } },
    answers: { 200: answer("changed", { ...sampleField, label: "Which edition" }) },
  },
  deleteField: { answers: { 200: answer("deleted", sampleField) } },
  createImport: {
    body: { two: { value: [sample, { email: "grace@navy.mil", status: "unsubscribed" }] } },
    answers: { 202: answer("planned", sampleImport) },
  },
  getImport: { answers: { 200: answer("done", endedImport) } },
  listImportRows: {
    answers: {
      200: answer(
        "rows",
        [
          exampleOf(ImportRowRecord),
          {
            ...{ line: 4, email: null, result: "rejected", text: "bob@" },
            reason:
              "The email has nothing after the @ sign. Enter the whole address, such as ada@example.org.",
          },
        ],
        { pagination: { limit: 50, next_cursor: null } },
      ),
    },
  },
  commitImport: {
    body: {
      commit: {
        value: {
          digest: sampleImport.digest,
          consent: { source: "Shop checkout", wording: "Yes, send me the newsletter.", people: 2 },
        },
      },
    },
    answers: { 202: answer("running", { ...sampleImport, state: "running" }) },
  },
  undoImport: { answers: { 202: answer("undoing", { ...endedImport, state: "undoing" }) } },
  deleteImport: { answers: { 200: answer("cancelled", { ...sampleImport, state: "cancelled" }) } },
  listTags: { answers: { 200: answer("tags", [sampleTag]) } },
  updateTag: {
    body: { "another name": { value: { name: "customer" } } },
    answers: {
      200: {
        ...answer("renamed", sampleTag),
        ...answer("merged", { ...sampleTag, subscribers: 51_204, merging: 50_000 }),
      },
    },
  },
  deleteTag: { answers: { 200: answer("deleted", sampleTag) } },
  listSegments: { answers: { 200: answer("segments", [exampleOf(SegmentRecord)]) } },
  getStats: {
    answers: {
      200: answer("two days", {
        subscribers: { active: 12408, pending: 131, unsubscribed: 1702 },
        from: "2026-06-10",
        to: "2026-06-11",
        joined: 91,
        left: 7,
        days: [
          { date: "2026-06-10", joined: 40, left: 5 },
          { date: "2026-06-11", joined: 51, left: 2 },
        ],
      }),
    },
  },
  listSuppressions: {
    answers: {
      200: answer("page", [sampleSuppression, { ...sampleSuppression, email: null, source: "person" }], {
        pagination: { limit: 2, total: 311, next_cursor: "AaH6uCIdc8y_b4i7-BHOPA" },
      }),
    },
  },
  createSuppressions: {
    body: {
      two: {
        value: [
          { email: sampleRecord.email, reason: "unsubscribed", date: sampleRecord.created_at },
          { email: "grace@navy.mil", reason: "manual" },
        ],
      },
    },
    answers: { 201: answer("suppressed", [sampleSuppression]) },
  },
  deleteSuppression: { answers: { 200: answer("lifted", sampleSuppression) } },
  ...webhookOperationExamples,
  listNewsletters: {
    answers: {
      200: answer("newsletters", [
        { ...sampleNewsletter, archived: false },
        { id: "01a1fab8-1f00-7a11-8000-5b1d5e1f0a02", name: "Product news", archived: false },
      ]),
    },
  },
  getMe: {
    answers: {
      200: answer("key", {
        newsletter: sampleNewsletter,
        key: {
          id: "01a1fab8-1f05-7bd2-9c3e-2f6f0a7b1c02",
          name: "Shop",
          permissions: ["subscribers:read", "subscribers:write"],
          networks: [],
          expires_at: null,
        },
        rate_limits: {
          read: sampleWindows(defaultLimits.read),
          write: sampleWindows(defaultLimits.write),
          bulk: sampleWindows(defaultLimits.bulk),
          stream: sampleWindows(defaultLimits.stream),
          single: sampleWindows(defaultLimits.write),
        },
      }),
    },
  },
};
