import type { NewSubscriber, SkippedItem, SubscriberRecord } from "../contract/subscriber";
import type { Tx } from "../db/client";
import { findTaken, type Inserted, insertAtOnce, insertFree, type NewSubscriberRow } from "../db/subscribers";
import { AppError, type ItemFault } from "../errors";
import { postConfirmations } from "./confirmation-requests";
import { type Ctx, withTransaction } from "./context";
import { alreadySubscribed, newRow, type Origin, presentSubscriber, TAKEN } from "./subscribers";

/** Inserts the rows whose address is free, and a confirmation for each that is pending, in the caller's transaction. */
async function insertWithMails(ctx: Ctx, tx: Tx, rows: NewSubscriberRow[]): Promise<Inserted> {
  const inserted = await insertFree(tx, rows);
  const pending = rows.filter((row) => row.status === "pending" && inserted.has(row.id));
  if (pending.length > 0) await postConfirmations(ctx, tx, pending);
  return inserted;
}

/**
 * Adds one subscriber. An active one needs no transaction, being a single statement that others share.
 * @throws AppError email_already_subscribed
 */
export async function createSubscriber(
  ctx: Ctx,
  origin: Origin,
  input: NewSubscriber,
): Promise<SubscriberRecord> {
  const row = newRow(origin, input);
  const createdAt =
    ctx.tx || row.status === "pending"
      ? await withTransaction(ctx, async (tx) => {
          const inserted = await insertWithMails(ctx, tx, [row]);
          return inserted.has(row.id) ? inserted.createdAt : undefined;
        })
      : await ctx.queue.insert(row);
  if (!createdAt) throw alreadySubscribed();
  return presentSubscriber(row, createdAt);
}

/** The result of a create without writing anything. @throws AppError email_already_subscribed */
export async function checkSubscriber(ctx: Ctx, origin: Origin, input: NewSubscriber): Promise<void> {
  const taken = await findTaken(ctx.db, origin.newsletterId, [input.email.canonical]);
  if (taken.size > 0) throw alreadySubscribed();
}

/** One item of a bulk: its position in the request (from 0), and what the schema made of it. */
export type BulkItem = { index: number; input: NewSubscriber };

/**
 * Up to 100 subscribers to be added together.
 * `faults` are what the schema found wrong in items that are not in `items`; any rejects the whole request, together
 * with everything else that is wrong with it.
 */
export type Bulk = { items: BulkItem[]; faults: ItemFault[]; onDuplicate: "error" | "skip" };
export type BulkResult = { created: SubscriberRecord[]; skipped: SkippedItem[] };

/** Separates the items whose address came earlier in the same request. */
function separateRepeats(items: BulkItem[]) {
  const first = new Map<string, number>();
  const fresh: BulkItem[] = [];
  const repeats: (BulkItem & { firstIndex: number })[] = [];
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

const takenFault = ({ index }: BulkItem): ItemFault => ({
  index,
  field: "email",
  code: "already_subscribed",
  message: TAKEN,
});

const repeatFault = ({ index, firstIndex }: BulkItem & { firstIndex: number }): ItemFault => ({
  index,
  field: "email",
  code: "duplicate_in_request",
  message: `This address is in the request twice; it is item ${firstIndex + 1} already.`,
});

/**
 * The rejection of a whole bulk: every bad item, by position, both for people (`errors`, "Item 3: …" counted from 1) and
 * for programs (`items`, counted from 0).
 */
export function bulkRejection(faults: ItemFault[]): AppError {
  const sorted = [...faults].sort((a, b) => a.index - b.index);
  const errors: Record<string, string[]> = Object.create(null);
  for (const fault of sorted) {
    errors[fault.field] ??= [];
    errors[fault.field]?.push(`Item ${fault.index + 1}: ${fault.message}`);
  }
  const bad = new Set(sorted.map((fault) => fault.index)).size;
  return new AppError(
    "validation_error",
    `${bad === 1 ? "1 item is" : `${bad} items are`} not valid, so nobody was added. Fix or leave out what is listed and send the request again.`,
    { errors, items: sorted },
  );
}

/**
 * The result of a bulk without writing anything.
 * @throws AppError validation_error with every bad item, if there is one
 */
export async function checkSubscribers(
  ctx: Ctx,
  origin: Origin,
  { items, faults, onDuplicate }: Bulk,
): Promise<{ skipped: SkippedItem[] }> {
  const { fresh, repeats } = separateRepeats(items);
  const canonicals = fresh.map((item) => item.input.email.canonical);
  const known = await findTaken(ctx.db, origin.newsletterId, canonicals);
  const taken = fresh.filter((item) => known.has(item.input.email.canonical));
  const duplicates = onDuplicate === "error" ? [...repeats.map(repeatFault), ...taken.map(takenFault)] : [];
  if (faults.length + duplicates.length > 0) throw bulkRejection([...faults, ...duplicates]);
  return { skipped: skippedItems(taken, repeats) };
}

/** Adds up to 100 subscribers, all or nothing. @throws AppError validation_error with every bad item */
export async function createSubscribers(ctx: Ctx, origin: Origin, bulk: Bulk): Promise<BulkResult> {
  const { fresh, repeats } = separateRepeats(bulk.items);
  const allOrNone = bulk.onDuplicate === "error";
  // Rejected already: nothing is written, and the list is only read so that every bad item is named.
  if (bulk.faults.length > 0 || (repeats.length > 0 && allOrNone)) await checkSubscribers(ctx, origin, bulk);
  const rows = fresh.map((item) => newRow(origin, item.input));
  const report = (inserted: Inserted): BulkResult => {
    const isCreated = (_: unknown, i: number) => inserted.has(rows[i]?.id as string);
    const created = rows.filter(isCreated).map((row) => presentSubscriber(row, inserted.createdAt));
    const taken = fresh.filter((item, i) => !isCreated(item, i));
    return { created, skipped: skippedItems(taken, repeats) };
  };
  if (!ctx.tx && rows.every((row) => row.status === "active")) {
    const inserted = await insertAtOnce(ctx.db, rows, allOrNone);
    if (inserted) return report(inserted);
    await checkSubscribers(ctx, origin, bulk);
    // The addresses that were taken are free again by now: the transaction below decides.
  }
  return withTransaction(ctx, async (tx) => {
    const inserted = await insertWithMails(ctx, tx, rows);
    const taken = allOrNone ? fresh.filter((_, i) => !inserted.has(rows[i]?.id as string)) : [];
    // Thrown inside the transaction, so that it rolls back what was inserted.
    if (taken.length > 0) throw bulkRejection(taken.map(takenFault));
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
