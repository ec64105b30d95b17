import type { ChangePlace, ChangeRecord } from "../contract/changes";
import type { Include } from "../contract/fields";
import { changesKeptDays } from "../contract/spans";
import {
  beforeChanges,
  beginChangeHistory,
  type ChangeHistory,
  type ChangeRow,
  endOfChanges,
  findLastChange,
  listChangesAfter,
} from "../db/changes";
import type { Db } from "../db/client";
import { malformed } from "../errors";
import { includeAttributes } from "./attributes";
import { formatTime, presentSubscriber } from "./subscribers";

/** Where to read on from: a position of an earlier answer, `now`, or null for the oldest change that is kept. */
export type ReadAfter = ChangePlace | "now" | null;

/** xids: the transaction of each change. */
export type ChangePage = { records: ChangeRecord[]; xids: string[]; next: ChangePlace };

const START_ANEW =
  "Start again: get a position with after=now, read the whole list, then continue from the position.";

/** @throws AppError validation_error (400) on `after`, for a position from which changes would be missed */
function checkPlace({ epoch }: ChangePlace, history: ChangeHistory): void {
  const reject = (why: string) =>
    malformed(`${why} ${START_ANEW}`, { errors: { after: [`${why} ${START_ANEW}`] } });
  if (epoch !== history.epoch || history.isAhead)
    throw reject("The database was restored or moved since this position was given.");
  if (history.isTooOld)
    throw reject(`This position is older than the ${changesKeptDays} days for which changes are kept.`);
}

const presentChange = (row: ChangeRow): ChangeRecord => ({
  type: row.kind,
  at: formatTime(row.at),
  subscriber_id: row.subscriberId,
  subscriber: row.id === null ? null : presentSubscriber(row, row.createdAt),
});

async function readPage(
  db: Db,
  newsletterId: string,
  after: ReadAfter,
  limit: number,
): Promise<{
  history: ChangeHistory;
  page: Omit<ChangePage, "next"> & { next: Omit<ChangePlace, "epoch"> };
}> {
  if (after === "now") {
    const { history, last } = await findLastChange(db, newsletterId);
    return { history, page: { records: [], xids: [], next: endOfChanges(last ?? beforeChanges, history) } };
  }
  const from = after ?? beforeChanges;
  const { history, changes } = await listChangesAfter(db, newsletterId, { after: from, limit });
  const latest = changes.at(-1);
  const last = latest ? { xid: latest.xid, id: latest.subscriberId } : from;
  const next = changes.length < limit ? endOfChanges(last, history) : last;
  const xids = changes.map(({ xid }) => xid);
  return {
    history,
    page: { records: changes.map(presentChange), xids, next: { xid: next.xid, id: next.id } },
  };
}

async function withAttributes(
  db: Db,
  newsletterId: string,
  changes: ChangeRecord[],
  include: Include | undefined,
): Promise<ChangeRecord[]> {
  const people = changes.flatMap(({ subscriber }) => subscriber ?? []);
  const included = await includeAttributes({ db }, newsletterId, { records: people, include });
  const byId = new Map(included.map((person) => [person.id, person]));
  return changes.map((change) => ({ ...change, subscriber: byId.get(change.subscriber_id) ?? null }));
}

/**
 * A page of what changed on a newsletter, in an order in which nothing appears behind what was read.
 * @param limit 1 to 100
 * @throws AppError validation_error (400) on `after`
 */
export async function listChanges(
  { db }: { db: Db },
  newsletterId: string,
  { after, limit, include }: { after: ReadAfter; limit: number; include?: Include | undefined },
): Promise<ChangePage> {
  let read = await readPage(db, newsletterId, after, limit);
  if (!read.history.isOurs) {
    await beginChangeHistory(db);
    read = await readPage(db, newsletterId, after, limit);
  }
  const { history, page } = read;
  if (after !== null && after !== "now") checkPlace(after, history);
  const records = await withAttributes(db, newsletterId, page.records, include);
  return { records, xids: page.xids, next: { epoch: history.epoch, ...page.next } };
}
