import { changesKeptDays } from "../kernel/durations";
import { malformed } from "../kernel/errors";
import type { ForecastContext } from "../mail/confirmation-states";
import type { Db, Tx } from "../platform/db/client";
import { includeMembers } from "../subscribers/include-members";
import type { Include } from "../subscribers/schema/fields";
import type { SubscriberRecord } from "../subscribers/schema/subscriber";
import { formatTime, presentSubscriber } from "../subscribers/subscribers";
import {
  beforeChanges,
  beginChangeHistory,
  type ChangeHistory,
  type ChangeRow,
  endOfChanges,
  findLastChange,
  listChangesAfter,
} from "./queries/changes";
import type { ChangePlace, ChangeRecord } from "./schema/changes";

/** The start of a page: a position of an earlier answer, `now`, or null for the oldest change that is kept. */
type ReadAfter = ChangePlace | "now" | null;

/** `limit`: 1 to 100. */
type ChangesToRead = { newsletterId: string; after: ReadAfter; limit: number };

/** `withEvents`: include the webhook events that are not changes. `describe`: adds members to the records. */
type ToRead = ChangesToRead & {
  withEvents?: boolean;
  describe?(records: SubscriberRecord[]): Promise<SubscriberRecord[]>;
};

/** An entry of the log. subscriber: the current record; null when erased, or when the event has no subscriber. */
export type LogEntry = Pick<ChangeRow, "kind" | "at" | "subscriberId" | "detail"> & {
  subscriber: SubscriberRecord | null;
};

/** problem: why entries may be missing between `after` and this page; null when none are. */
type LogPage = { entries: LogEntry[]; next: ChangePlace; problem: string | null };

function problemOf(after: ReadAfter, history: ChangeHistory): string | null {
  if (after === null || after === "now") return null;
  if (after.epoch !== history.epoch || history.isAhead)
    return "The database was restored or moved since this position was given.";
  return history.isTooOld
    ? `This position is older than the ${changesKeptDays} days for which changes are kept.`
    : null;
}

/** Reads the log, and again after its history was marked as this database's own. */
async function inOwnHistory<Read extends { history: ChangeHistory }>(
  db: Db | Tx,
  read: () => Promise<Read>,
): Promise<Read> {
  const found = await read();
  if (found.history.isOurs) return found;
  await beginChangeHistory(db);
  return read();
}

/**
 * The place after which a reader continues: the given one, or the present for `now`.
 * @returns problem: why entries after the given place are missing; the place is then the present. Null when none are.
 */
export async function findFeedPlace(
  db: Db | Tx,
  { newsletterId, after }: { newsletterId: string; after: ChangePlace | "now" },
): Promise<{ place: ChangePlace; problem: string | null }> {
  const from = after === "now" ? beforeChanges : after;
  const { history, last } = await inOwnHistory(db, () => findLastChange(db, newsletterId, from));
  const problem = problemOf(after, history);
  if (after !== "now" && problem === null) return { place: after, problem };
  return { place: { epoch: history.epoch, ...endOfChanges(last ?? beforeChanges, history) }, problem };
}

/** A page of a newsletter's log. New entries never appear before a place that was already read. */
export async function readLog(
  { db }: { db: Db },
  { newsletterId, after, limit, withEvents = false, describe }: ToRead,
): Promise<LogPage> {
  if (after === "now") {
    const { place, problem } = await findFeedPlace(db, { newsletterId, after });
    return { entries: [], next: place, problem };
  }
  const from = after ?? beforeChanges;
  const { history, changes } = await inOwnHistory(db, () =>
    listChangesAfter(db, newsletterId, { after: from, limit, withEvents }),
  );
  const latest = changes.at(-1);
  const last = latest ? { xid: latest.xid, id: latest.entryId } : from;
  const { xid, id } = changes.length < limit ? endOfChanges(last, history) : last;
  const found = changes.flatMap((row) => (row.id === null ? [] : presentSubscriber(row, row.createdAt)));
  const records = describe ? await describe(found) : found;
  const people = new Map(records.map((person) => [person.id, person]));
  return {
    entries: changes.map(({ kind, at, subscriberId, detail }) => {
      const subscriber = (subscriberId !== null && people.get(subscriberId)) || null;
      return { kind, at, subscriberId, detail, subscriber };
    }),
    next: { epoch: history.epoch, xid, id },
    problem: problemOf(after, history),
  };
}

/**
 * A page of a newsletter's changes.
 * @throws AppError validation_error (400) on `after`, for a position after which changes are no longer complete
 */
export async function listChanges(
  ctx: ForecastContext,
  { include, ...input }: ChangesToRead & { include?: Include | undefined },
): Promise<{ records: ChangeRecord[]; next: ChangePlace }> {
  const { newsletterId } = input;
  const { entries, next, problem } = await readLog(ctx, {
    ...input,
    describe: (records) => includeMembers(ctx, { newsletterId, records, include }),
  });
  if (problem) {
    const message = `${problem} Start again: get a position with after=now, read the whole list, then continue from the position.`;
    throw malformed(message, { errors: { after: [message] } });
  }
  const records = entries.map(({ kind: type, at, subscriberId, subscriber }) => ({
    type,
    at: formatTime(at),
    subscriber_id: subscriberId,
    subscriber,
  }));
  return { records: records as ChangeRecord[], next };
}
