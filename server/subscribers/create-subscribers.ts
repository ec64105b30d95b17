import { actorOf, withTransaction } from "../accounts/context";
import { AppError, type ItemFault, invalidField } from "../kernel/errors";
import type { Tx } from "../platform/db/client";
import { mayReceiveResubscribeLink } from "../suppressions/schema/suppressions";
import { countRelatedOptOuts, findSuppressed, type SuppressionRow } from "../suppressions/shared-queries";
import { hasAttributes, resolveAttributes, resolveOwnAttributes } from "./attributes";
import {
  bulkRejection,
  externalIdFault,
  otherSubscriberFault,
  repeatFault,
  separateRepeats,
  suppressedFault,
  takenFault,
} from "./bulk-faults";
import { postConfirmations } from "./confirmation-requests";
import type { Ctx } from "./context";
import { insertActivities } from "./queries/activities";
import { type Inserted, insertAtOnce, insertFree, type NewSubscriberRow } from "./queries/new-subscribers";
import { findExternalIds, findTaken } from "./queries/subscribers";
import type { NewSubscriber, SkippedItem, SubscriberPatch, SubscriberRecord } from "./schema/subscriber";
import {
  alreadySubscribed,
  externalIdSentence,
  newRow,
  type Origin,
  presentSubscriber,
  suppressedError,
} from "./subscribers";
import { type NewItem, updateExisting } from "./update-existing";

/** Inserts rows with free addresses, and a confirmation email for each pending one, in the caller's transaction. */
export async function insertWithMails(ctx: Ctx, tx: Tx, rows: NewSubscriberRow[]): Promise<Inserted> {
  const inserted = await insertFree(tx, rows);
  const pending = rows.filter((row) => row.status === "pending" && inserted.has(row.id));
  if (pending.length > 0) await postConfirmations(ctx, tx, pending);
  return inserted;
}

/** `relatedOptOuts`: the number of added active subscribers whose mailbox opted out under another spelling. */
export type Created = { record: SubscriberRecord; isNew: boolean; relatedOptOuts: number };

const createdOf = (row: NewSubscriberRow, inserted: Inserted): Created => ({
  record: presentSubscriber(row, inserted.createdAt),
  isNew: true,
  relatedOptOuts: inserted.relatedOptOuts([row.id]),
});

type ToCreate = {
  origin: Origin;
  input: NewSubscriber;
  /** The change of an existing subscriber with this address. Absent or null: an existing one is an error. */
  patch?: SubscriberPatch | null;
};

/**
 * Adds one subscriber. An active subscriber needs no transaction: concurrent requests share one statement.
 * @throws AppError email_already_subscribed, email_suppressed, validation_error
 */
export async function createSubscriber(
  ctx: Ctx,
  { origin, input, patch = null }: ToCreate,
): Promise<Created> {
  const { newsletterId } = origin;
  const attributes = hasAttributes(input) ? await resolveOwnAttributes(ctx, newsletterId, input) : undefined;
  const row = newRow(origin, input, attributes);
  // The row stores the API key. For staff, the activity stores the staff member and their IP address.
  const byStaff = ctx.actor.kind === "staff";
  if (!ctx.tx && !byStaff && !patch && row.status === "active") {
    const inserted = await ctx.queue.insert(row);
    return inserted ? createdOf(row, inserted) : rejectObstacle(ctx, origin, input);
  }
  return withTransaction(ctx, async (tx) => {
    const inserted = await insertWithMails(ctx, tx, [row]);
    if (inserted.has(row.id)) {
      const activity = { newsletterId, ids: [row.id], kind: "created", actor: actorOf(ctx) };
      if (byStaff) await insertActivities(tx, activity);
      return createdOf(row, inserted);
    }
    if (patch) {
      // Not in bulk: a sync would email pending people every night.
      const item = { input, patch, attributes, isAlone: true } as const;
      const { updated, conflicts } = await updateExisting(ctx, tx, newsletterId, [item]);
      if (updated[0]) return { record: updated[0], isNew: false, relatedOptOuts: 0 };
      if (conflicts.length > 0) throw invalidField("email", otherSubscriberFault({ index: 0 }).message);
    }
    return rejectObstacle({ ...ctx, tx }, origin, input, patch ? erasedMeanwhile() : undefined);
  });
}

/** Finds taken addresses and external ids, and suppressed addresses among the others for their requested status. */
async function findObstacles({ db, tx }: Ctx, { newsletterId }: Origin, inputs: NewSubscriber[]) {
  const canonicals = inputs.map(({ email }) => email.canonical);
  const taken = await findTaken(tx ?? db, newsletterId, canonicals);
  const externalIds = inputs.flatMap((input) => input.external_id ?? []);
  const takenIds = await findExternalIds(tx ?? db, newsletterId, externalIds);
  const known = await findSuppressed(tx ?? db, newsletterId, canonicals);
  const suppressed = new Map<string, SuppressionRow>();
  for (const { email, status } of inputs) {
    const suppression = known.get(email.canonical);
    if (!suppression || taken.has(email.canonical)) continue;
    if (status === "active" || !mayReceiveResubscribeLink(suppression))
      suppressed.set(email.canonical, suppression);
  }
  return { taken, takenIds, suppressed };
}

/**
 * Runs a create in a transaction that is rolled back, so that nothing is written and no email is sent.
 * @returns the result of the create
 * @throws its errors
 */
export async function dryRun<Result>(ctx: Ctx, create: (ctx: Ctx) => Promise<Result>): Promise<Result> {
  let result: { of: Result } | undefined;
  const rollback = new Error("a dry run writes nothing");
  const attempt = withTransaction(ctx, async (tx) => {
    result = { of: await create({ ...ctx, tx }) };
    throw rollback;
  });
  await attempt.catch((error) => {
    if (error !== rollback) throw error;
  });
  return (result as { of: Result }).of;
}

/**
 * Stops staff from adding a person as active when the same mailbox opted out under another spelling, until they confirm it.
 * @throws AppError validation_error on `status`
 */
export async function warnOfOptOut(
  { db }: Ctx,
  { newsletterId, input }: { newsletterId: string; input: NewSubscriber },
): Promise<void> {
  if (input.status !== "active") return;
  if ((await countRelatedOptOuts(db, newsletterId, [input.email.canonical])) === 0) return;
  throw invalidField(
    "status",
    "Another spelling of this address has opted out. Add this person as pending, or submit again to add them anyway.",
  );
}

/** @param erased thrown by an update whose subscriber was deleted meanwhile */
async function rejectObstacle(
  ctx: Ctx,
  origin: Origin,
  input: NewSubscriber,
  erased?: AppError,
): Promise<never> {
  const { taken, takenIds, suppressed } = await findObstacles(ctx, origin, [input]);
  for (const suppression of suppressed.values()) throw suppressedError(suppression.reason);
  const holder = takenIds.get(input.external_id ?? "");
  if (holder && taken.size === 0) throw invalidField("external_id", externalIdSentence(holder));
  throw erased ?? alreadySubscribed(taken.get(input.email.canonical));
}

const erasedMeanwhile = () =>
  new AppError(
    "service_unavailable",
    "A subscriber of this request was erased at the same time. Nothing was changed. Try again.",
    { retryAfterSeconds: 1 },
  );

/** A bulk item and its position in the request, from 0. */
export type BulkItem = NewItem & { index: number };

/**
 * Up to 100 subscribers to add together. `faults` lists the errors of items that the schema rejected. Any fault rejects the
 * whole request, and the response lists all faults.
 */
export type Bulk = { items: BulkItem[]; faults: ItemFault[]; onDuplicate: "error" | "skip" | "update" };

/** The same with stored fields and tags. Items with invalid ones become faults. */
async function withAttributes(ctx: Ctx, { newsletterId }: Origin, bulk: Bulk): Promise<Bulk> {
  if (!bulk.items.some(({ input }) => hasAttributes(input))) return bulk;
  const inputs = bulk.items.map(({ input }) => input);
  const resolved = await resolveAttributes(ctx, newsletterId, {
    inputs,
    // A rejected request adds no tags.
    dryRun: bulk.faults.length > 0,
  });
  const faults = bulk.items.flatMap(({ index }, i) =>
    (resolved[i]?.faults ?? []).map((fault) => ({ index, ...fault })),
  );
  const items = bulk.items.flatMap((item, i) =>
    resolved[i]?.faults.length === 0 ? { ...item, attributes: resolved[i].change } : [],
  );
  return { ...bulk, items, faults: [...bulk.faults, ...faults] };
}

export type BulkResult = Pick<Created, "relatedOptOuts"> & {
  created: SubscriberRecord[];
  updated: SubscriberRecord[];
  skipped: SkippedItem[];
};

/** The items that can't be added and that fail the whole request: duplicates and suppressed addresses. */
async function obstacleFaults(ctx: Ctx, origin: Origin, items: BulkItem[]): Promise<ItemFault[]> {
  const { fresh, repeats } = separateRepeats(items);
  const inputs = fresh.map((item) => item.input);
  const { taken, takenIds, suppressed } = await findObstacles(ctx, origin, inputs);
  const obstacles = fresh.flatMap((item) => {
    const { canonical } = item.input.email;
    const suppression = suppressed.get(canonical);
    if (suppression) return suppressedFault(item, suppression);
    if (taken.has(canonical)) return takenFault(item, taken.get(canonical)?.status);
    const subscriber = takenIds.get(item.input.external_id ?? "");
    return subscriber ? externalIdFault(item, subscriber) : [];
  });
  return [...repeats.map(repeatFault), ...obstacles];
}

/** @throws AppError validation_error with every invalid item */
async function rejectInvalid(ctx: Ctx, origin: Origin, { items, faults, onDuplicate }: Bulk) {
  const isStrict = onDuplicate === "error";
  const obstacles = isStrict ? await obstacleFaults(ctx, origin, items) : [];
  const advice = obstacles.length > 0 ? skipAdvice : undefined;
  const outcome = onDuplicate === "update" ? `${noneCreated} or updated` : noneCreated;
  if (faults.length + obstacles.length > 0) throw bulkRejection([...faults, ...obstacles], outcome, advice);
}

const noneCreated = "no subscribers were created";
const skipAdvice =
  "With on_duplicate=skip, addresses that are on the list, suppressed or repeated are left out and reported in `skipped`.";

/**
 * Adds up to 100 subscribers, all or none. With `onDuplicate: "update"`, changes the existing ones. With "skip" and
 * "update", suppressed and repeated addresses are left out. Results have the request's order.
 * @throws AppError validation_error with every invalid item
 */
export async function createSubscribers(
  ctx: Ctx,
  { origin, ...given }: Bulk & { origin: Origin },
): Promise<BulkResult> {
  const bulk = await withAttributes(ctx, origin, given);
  const { onDuplicate } = bulk;
  const { fresh, repeats } = separateRepeats(bulk.items);
  const isStrict = onDuplicate === "error";
  // Already rejected. The list is only read to report every invalid item.
  if (bulk.faults.length > 0 || (isStrict && repeats.length > 0)) await rejectInvalid(ctx, origin, bulk);
  const rows = fresh.map((item) => newRow(origin, item.input, item.attributes));
  const missingOf = (inserted: Inserted) => fresh.filter((_, i) => !inserted.has(rows[i]?.id as string));
  const report = (inserted: Inserted, updated: SubscriberRecord[], left: Partial<LeftOut>): BulkResult => {
    const createdRows = rows.filter(({ id }) => inserted.has(id));
    const created = createdRows.map((row) => presentSubscriber(row, inserted.createdAt));
    const relatedOptOuts = inserted.relatedOptOuts(rows.map(({ id }) => id));
    return { created, updated, skipped: skippedItems({ repeats, ...left }), relatedOptOuts };
  };
  if (!ctx.tx && onDuplicate !== "update" && rows.every((row) => row.status === "active")) {
    const inserted = await insertAtOnce(ctx.db, rows, isStrict);
    if (inserted) return report(inserted, [], { taken: missingOf(inserted) });
    await rejectInvalid(ctx, origin, bulk);
    // An address is suppressed, or conflicting rows were deleted meanwhile. The transaction below decides.
  }
  return withTransaction(ctx, async (tx) => {
    const inserted = await insertWithMails(ctx, tx, rows);
    const missing = missingOf(inserted);
    const { updated, absent, suppressed, conflicts } =
      onDuplicate === "update"
        ? await updateExisting(ctx, tx, origin.newsletterId, missing)
        : { updated: [], absent: missing, suppressed: [], conflicts: [] };
    if (conflicts.length > 0)
      throw bulkRejection(conflicts.map(otherSubscriberFault), `${noneCreated} or updated`);
    if (absent.length === 0) return report(inserted, updated, { suppressed });
    // Throwing inside the transaction rolls back the inserted rows.
    const inside = { ...ctx, tx };
    if (isStrict) {
      await rejectInvalid(inside, origin, { ...bulk, items: absent });
      throw bulkRejection(
        absent.map((item) => takenFault(item, undefined)),
        noneCreated,
      );
    }
    const inputs = absent.map(({ input }) => input);
    const obstacles = await findObstacles(inside, origin, inputs);
    const isSuppressed = ({ input }: BulkItem) => obstacles.suppressed.has(input.email.canonical);
    const left = {
      suppressed: [...suppressed, ...absent.filter(isSuppressed)],
      taken: absent.filter((item) => !isSuppressed(item)),
    };
    if (onDuplicate === "update" && left.taken.length > 0) throw erasedMeanwhile();
    return report(inserted, updated, left);
  });
}

/** Items that were not added: repeats of the request, suppressed addresses, and addresses on the list. */
type LeftOut = Record<"repeats" | "suppressed" | "taken", BulkItem[]>;

function skippedItems({ repeats = [], suppressed = [], taken = [] }: Partial<LeftOut>): SkippedItem[] {
  const skip = (items: BulkItem[], reason: SkippedItem["reason"]) =>
    items.map(({ index, input }) => ({ index, email: input.email.email, reason }));
  return [
    ...skip(taken, "already_subscribed"),
    ...skip(repeats, "duplicate_in_request"),
    ...skip(suppressed, "suppressed"),
  ].sort((a, b) => a.index - b.index);
}
