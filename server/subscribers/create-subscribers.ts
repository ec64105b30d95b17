import { actorOf, withTransaction } from "../accounts/context";
import { AppError, type ItemFault } from "../kernel/errors";
import type { Tx } from "../platform/db/client";
import { suppressedSentence } from "../suppressions/schema/suppression-messages";
import { mayReceiveResubscribeLink } from "../suppressions/schema/suppressions";
import { countRelatedOptOuts, findSuppressed, type SuppressionRow } from "../suppressions/shared-queries";
import { type AttributeChange, hasAttributes, resolveAttributes, resolveOwnAttributes } from "./attributes";
import { postConfirmations } from "./confirmation-requests";
import type { Ctx } from "./context";
import { insertActivities } from "./queries/activities";
import { type Inserted, insertAtOnce, insertFree, type NewSubscriberRow } from "./queries/new-subscribers";
import { findTaken } from "./queries/subscribers";
import type { Address, NewSubscriber, SkippedItem, SubscriberRecord } from "./schema/subscriber";
import type { Status } from "./status-moves";
import {
  alreadySubscribed,
  newRow,
  type Origin,
  presentSubscriber,
  suppressedError,
  takenSentence,
} from "./subscribers";

/** Inserts rows with free addresses, and a confirmation email for each pending one, in the caller's transaction. */
export async function insertWithMails(ctx: Ctx, tx: Tx, rows: NewSubscriberRow[]): Promise<Inserted> {
  const inserted = await insertFree(tx, rows);
  const pending = rows.filter((row) => row.status === "pending" && inserted.has(row.id));
  if (pending.length > 0) await postConfirmations(ctx, tx, pending);
  return inserted;
}

const created = ({ newsletterId, id }: NewSubscriberRow) => ({ newsletterId, ids: [id], kind: "created" });

/** `relatedOptOuts`: the number of added active subscribers whose mailbox opted out under another spelling. */
export type Created = { record: SubscriberRecord; relatedOptOuts: number };

/**
 * Adds one subscriber. An active subscriber needs no transaction: concurrent requests share one statement.
 * @throws AppError email_already_subscribed, email_suppressed, validation_error
 */
export async function createSubscriber(ctx: Ctx, origin: Origin, input: NewSubscriber): Promise<Created> {
  const attributes = hasAttributes(input)
    ? await resolveOwnAttributes(ctx, origin.newsletterId, input)
    : undefined;
  const row = newRow(origin, input, attributes);
  // The row stores the API key. For staff, the activity stores the staff member and their IP address.
  const byStaff = ctx.actor.kind === "staff";
  const inserted =
    ctx.tx || byStaff || row.status === "pending"
      ? await withTransaction(ctx, async (tx) => {
          const inserted = await insertWithMails(ctx, tx, [row]);
          if (!inserted.has(row.id)) return undefined;
          if (byStaff) await insertActivities(tx, { ...created(row), actor: actorOf(ctx) });
          return inserted;
        })
      : await ctx.queue.insert(row);
  if (!inserted) await rejectObstacle(ctx, origin, input);
  // The conflicting row was deleted between the insert and this check.
  if (!inserted) throw alreadySubscribed();
  return {
    record: presentSubscriber(row, inserted.createdAt),
    relatedOptOuts: inserted.relatedOptOuts([row.id]),
  };
}

/** Finds taken addresses, and suppressed ones among the others for their requested status. */
export async function findObstacles({ db, tx }: Ctx, { newsletterId }: Origin, inputs: NewSubscriber[]) {
  const canonicals = inputs.map(({ email }) => email.canonical);
  const taken = await findTaken(tx ?? db, newsletterId, canonicals);
  const known = await findSuppressed(tx ?? db, newsletterId, canonicals);
  const suppressed = new Map<string, SuppressionRow>();
  for (const { email, status } of inputs) {
    const suppression = known.get(email.canonical);
    if (!suppression || taken.has(email.canonical)) continue;
    if (status === "active" || !mayReceiveResubscribeLink(suppression))
      suppressed.set(email.canonical, suppression);
  }
  return { taken, suppressed };
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
export async function warnOfOptOut({ db }: Ctx, newsletterId: string, input: NewSubscriber): Promise<void> {
  if (input.status !== "active") return;
  if ((await countRelatedOptOuts(db, newsletterId, [input.email.canonical])) === 0) return;
  const message =
    "Another spelling of this address has opted out. Add this person as pending, or submit again to add them anyway.";
  throw new AppError("validation_error", message, { errors: { status: [message] } });
}

async function rejectObstacle(ctx: Ctx, origin: Origin, input: NewSubscriber): Promise<void> {
  const { taken, suppressed } = await findObstacles(ctx, origin, [input]);
  for (const status of taken.values()) throw alreadySubscribed(status);
  for (const suppression of suppressed.values()) throw suppressedError(suppression.reason);
}

/** A bulk item: its position in the request (from 0) and its parsed input. */
export type BulkItem = { index: number; input: NewSubscriber; attributes?: AttributeChange };

/**
 * Up to 100 subscribers to add together. `faults` lists the errors of items that the schema rejected. Any fault rejects the
 * whole request, and the response lists all faults.
 */
export type Bulk = { items: BulkItem[]; faults: ItemFault[]; onDuplicate: "error" | "skip" };

/** The same with stored fields and tags. Items with invalid ones become faults. */
export async function withAttributes<
  Item extends BulkItem,
  Given extends { items: Item[]; faults: ItemFault[] },
>(ctx: Ctx, { newsletterId }: Origin, bulk: Given): Promise<Given> {
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
  skipped: SkippedItem[];
};

/** Separates items that repeat an earlier address of the same request. */
export function separateRepeats<Item extends { index: number; input: { email: Address } }>(items: Item[]) {
  const first = new Map<string, number>();
  const fresh: Item[] = [];
  const repeats: (Item & { firstIndex: number })[] = [];
  for (const item of items) {
    const earlier = first.get(item.input.email.canonical);
    if (earlier === undefined) {
      first.set(item.input.email.canonical, item.index);
      fresh.push(item);
    } else {
      repeats.push({ ...item, firstIndex: earlier });
    }
  }
  return { fresh, repeats };
}

const takenFault = ({ index }: BulkItem, status: Status | undefined): ItemFault => ({
  index,
  field: "email",
  code: "already_subscribed",
  message: takenSentence(status),
});

export const suppressedFault = ({ index }: BulkItem, suppression: SuppressionRow): ItemFault => ({
  index,
  field: "email",
  code: "suppressed",
  message: suppressedSentence(suppression.reason),
});

export const repeatFault = ({ index, firstIndex }: { index: number; firstIndex: number }): ItemFault => ({
  index,
  field: "email",
  code: "duplicate_in_request",
  message: `This address is in the request twice. It is also item ${firstIndex + 1}.`,
});

/**
 * The error for a rejected bulk request. It lists every invalid item by position: in `errors` for people ("Item 3: …",
 * counted from 1) and in `items` for programs (counted from 0).
 */
export function bulkRejection(faults: ItemFault[], outcome = "no subscribers were created"): AppError {
  const sorted = [...faults].sort((a, b) => a.index - b.index);
  const errors: Record<string, string[]> = Object.create(null);
  for (const fault of sorted) {
    errors[fault.field] ??= [];
    errors[fault.field]?.push(`Item ${fault.index + 1}: ${fault.message}`);
  }
  const bad = new Set(sorted.map((fault) => fault.index)).size;
  return new AppError(
    "validation_error",
    `${bad === 1 ? "1 item is" : `${bad} items are`} not valid, so ${outcome}. Fix or leave out the listed items and send the request again.`,
    { errors, items: sorted },
  );
}

/** @throws AppError validation_error with every invalid item */
async function rejectObstacles(ctx: Ctx, origin: Origin, { items, faults, onDuplicate }: Bulk) {
  const { fresh, repeats } = separateRepeats(items);
  const known = await findObstacles(
    ctx,
    origin,
    fresh.map((item) => item.input),
  );
  const statusOf = ({ input }: BulkItem) => known.taken.get(input.email.canonical);
  const taken = fresh.filter(statusOf);
  const suppressed = fresh.flatMap((item) => {
    const suppression = known.suppressed.get(item.input.email.canonical);
    return suppression ? suppressedFault(item, suppression) : [];
  });
  const takenFaults = taken.map((item) => takenFault(item, statusOf(item)));
  const duplicates = onDuplicate === "error" ? [...repeats.map(repeatFault), ...takenFaults] : [];
  const all = [...faults, ...duplicates, ...suppressed];
  if (all.length > 0) throw bulkRejection(all);
}

/** Adds up to 100 subscribers, all or none. @throws AppError validation_error with every invalid item */
export async function createSubscribers(ctx: Ctx, origin: Origin, given: Bulk): Promise<BulkResult> {
  const bulk = await withAttributes(ctx, origin, given);
  const { fresh, repeats } = separateRepeats(bulk.items);
  const allOrNone = bulk.onDuplicate === "error";
  // Already rejected. The list is only read to report every invalid item.
  if (bulk.faults.length > 0 || (repeats.length > 0 && allOrNone)) await rejectObstacles(ctx, origin, bulk);
  const rows = fresh.map((item) => newRow(origin, item.input, item.attributes));
  const report = (inserted: Inserted): BulkResult => {
    const isCreated = (_: unknown, i: number) => inserted.has(rows[i]?.id as string);
    const created = rows.filter(isCreated).map((row) => presentSubscriber(row, inserted.createdAt));
    const taken = fresh.filter((item, i) => !isCreated(item, i));
    const relatedOptOuts = inserted.relatedOptOuts(rows.map(({ id }) => id));
    return { created, skipped: skippedItems(taken, repeats), relatedOptOuts };
  };
  if (!ctx.tx && rows.every((row) => row.status === "active")) {
    const inserted = await insertAtOnce(ctx.db, rows, allOrNone);
    if (inserted) return report(inserted);
    await rejectObstacles(ctx, origin, bulk);
    // The conflicting rows were deleted meanwhile, so the transaction below decides.
  }
  return withTransaction(ctx, async (tx) => {
    const inserted = await insertWithMails(ctx, tx, rows);
    const missing = fresh.filter((_, i) => !inserted.has(rows[i]?.id as string));
    if (missing.length === 0) return report(inserted);
    // Throwing inside the transaction rolls back the inserted rows.
    await rejectObstacles({ ...ctx, tx }, origin, { ...bulk, items: missing });
    if (allOrNone) throw bulkRejection(missing.map((item) => takenFault(item, undefined)));
    return report(inserted);
  });
}

function skippedItems(taken: BulkItem[], repeats: BulkItem[]): SkippedItem[] {
  const skip = (items: BulkItem[], reason: SkippedItem["reason"]) =>
    items.map(({ index, input }) => ({ index, email: input.email.email, reason }));
  return [...skip(taken, "already_subscribed"), ...skip(repeats, "duplicate_in_request")].sort(
    (a, b) => a.index - b.index,
  );
}
