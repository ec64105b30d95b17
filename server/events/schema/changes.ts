import { z } from "zod";
import { cursorSchema, writeCursor } from "../../kernel/cursor";
import { IncludeParameter } from "../../subscribers/schema/fields";
import { limitField, whole } from "../../subscribers/schema/list-query";
import { SubscriberRecord } from "../../subscribers/schema/subscriber";

/** The kinds of change of a subscriber, as the database records them. */
const changeKinds = ["created", "updated", "confirmed", "unsubscribed", "erased"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The longest that a request may wait for a change: proxies commonly give up after 60 s. */
export const maxWaitSeconds = 30;
/** Requests of one key that may wait at a time, in one process. */
export const waitsPerKey = 5;

/** One change. Several changes of a subscriber within one transaction appear once. */
export const ChangeRecord = z
  .object({
    type: z.enum(changeKinds).meta({
      description: "erased: the subscriber was erased. Delete your copy of the data.",
      examples: ["confirmed"],
    }),
    at: z.string().meta({
      description:
        "Start of the transaction of the change: ISO 8601, whole seconds, offset +00:00. Use the order of the response, not this time.",
      examples: ["2026-06-11T17:04:31+00:00"],
    }),
    subscriber_id: z.uuid().meta({ examples: ["01a1fab8-221d-73cc-bf6f-88bbf811ce3c"] }),
    subscriber: SubscriberRecord.nullable().meta({
      description: "The current record, not the one at the time of the change. Null after erasure.",
    }),
  })
  .meta({ id: "Change" });
export type ChangeRecord = z.infer<typeof ChangeRecord>;

/** A reader's place: after this person in this transaction, in one history of the database. */
export type ChangePlace = { epoch: string; xid: string; id: string };

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const placeShape = new RegExp(`^(${uuid})\\.(\\d{1,19})\\.(${uuid})$`);

export const writeChangePosition = ({ epoch, xid, id }: ChangePlace): string =>
  writeCursor(`${epoch}.${xid}.${id}`);

function readPlace(text: string): ChangePlace | null {
  const [, epoch, xid, id] = placeShape.exec(text) ?? [];
  return epoch && xid && id && BigInt(xid) < 2n ** 63n ? { epoch, xid, id } : null;
}

/** A position of the change feed, or `now`. */
export const ChangePosition = cursorSchema(readPlace, {
  word: "now",
  message: "after must be the pagination.next of an earlier response of GET /api/v1/changes, or now.",
});

export const ChangesQuery = z.object({
  after: ChangePosition.optional().meta({
    description:
      "The pagination.next of the previous response. now: returns no changes, only the current position. Default: the oldest change that is kept.",
  }),
  limit: limitField,
  wait: whole("wait", 0, maxWaitSeconds)
    .optional()
    .meta({
      description: `If there are no changes yet, wait this many seconds for one, at most ${maxWaitSeconds}.`,
    }),
  include: IncludeParameter,
});

export const ChangesPagination = z
  .object({
    limit: z.int().nonnegative(),
    next: z.string().meta({ description: "The `after` of the next request. Also present on an empty page." }),
  })
  .meta({ id: "ChangesPagination" });
