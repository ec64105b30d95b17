// server/services: the verbs, each told once for every adapter. Imports db, domain, contract, errors; no adapter, no Next.

import type { NewSubscriber, SkippedItem, SubscriberRecord } from "../contract/subscriber";
import type { Tx } from "../db/client";
import { findTaken, type Inserted, insertAtOnce, insertMissing, type NewRow } from "../db/subscribers";
import { newId } from "../domain/ids";
import { joinName } from "../domain/name";
import { AppError, type ItemFault } from "../errors";
import { type Ctx, withTransaction } from "./context";

/** Where new people come from: the newsletter they join and the adapter they came through. */
export type Origin = {
  newsletterId: string;
  source: "api" | "dashboard" | "import";
  sourceId: string | null;
};

const TAKEN = "This address is already on the newsletter's list; a person who unsubscribed stays on it.";

let lastTime: Date | undefined;
let lastText = "";

/** A time as the contract writes it: whole seconds, numeric offset. */
export function formatTime(time: Date): string {
  // The people of a bulk share one moment, and writing it a hundred times is a tenth of presenting them.
  if (time !== lastTime) {
    lastTime = time;
    lastText = `${time.toISOString().slice(0, 19)}+00:00`;
  }
  return lastText;
}

type Presentable = Pick<NewRow, "id" | "email" | "firstName" | "lastName"> & { status: string };

/** Row in, record out. */
export function present(row: Presentable, createdAt: Date): SubscriberRecord {
  return {
    id: row.id,
    email: row.email,
    name: joinName(row.firstName, row.lastName),
    status: row.status as SubscriberRecord["status"],
    created_at: formatTime(createdAt),
  };
}

function toRow(origin: Origin, input: NewSubscriber): NewRow {
  return {
    id: newId(),
    newsletterId: origin.newsletterId,
    email: input.email.email,
    emailCanonical: input.email.canonical,
    firstName: input.name.firstName,
    lastName: input.name.lastName,
    status: input.status,
    source: origin.source,
    sourceId: origin.sourceId,
  };
}

/** Writes what can be written: missing people, and a confirmation for each that is pending, in the caller's transaction. */
async function insertWithMails(ctx: Ctx, tx: Tx, rows: NewRow[]): Promise<Inserted> {
  const inserted = await insertMissing(tx, rows);
  const pending = rows.filter((row) => row.status === "pending" && inserted.has(row.id));
  if (pending.length > 0) {
    await ctx.outbox.post(
      tx,
      pending.map((row) => ({
        newsletterId: row.newsletterId,
        subscriberId: row.id,
        toEmail: row.email,
        canonical: row.emailCanonical,
      })),
    );
  }
  return inserted;
}

/** The rejection of a single address that is on the list already. */
export function alreadySubscribed(): AppError {
  return new AppError(
    "email_already_subscribed",
    "This email address is already subscribed to the newsletter.",
    {
      errors: { email: [TAKEN] },
    },
  );
}

/**
 * Adds one person.
 * @param tx the transaction to join; without one a pending person gets a transaction of their own, and an active one
 *   needs none, being a single statement
 * @throws AppError email_already_subscribed
 */
export async function create(
  ctx: Ctx,
  origin: Origin,
  input: NewSubscriber,
  tx?: Tx,
): Promise<SubscriberRecord> {
  const row = toRow(origin, input);
  const alone = (own: Tx) =>
    insertWithMails(ctx, own, [row]).then((inserted) =>
      inserted.has(row.id) ? inserted.createdAt : undefined,
    );
  const createdAt = tx
    ? await alone(tx)
    : row.status === "pending"
      ? await withTransaction(ctx, alone)
      : await ctx.queue.insert(row);
  if (!createdAt) throw alreadySubscribed();
  return present(row, createdAt);
}

/** The result of one person without writing anything. @throws AppError email_already_subscribed */
export async function checkCreate(ctx: Ctx, origin: Origin, input: NewSubscriber): Promise<void> {
  const taken = await findTaken(ctx.db, origin.newsletterId, [input.email.canonical]);
  if (taken.size > 0) throw alreadySubscribed();
}

/** One item of a bulk: its position in the request (from 0), and what the schema made of it. */
export type BulkItem = { index: number; input: NewSubscriber };
export type BulkOptions = { onDuplicate: "error" | "skip" };
export type BulkResult = { created: SubscriberRecord[]; skipped: SkippedItem[] };

/** Sets apart the items whose address came earlier in the same request. */
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

const takenFault = (index: number): ItemFault => ({
  index,
  field: "email",
  code: "already_subscribed",
  message: TAKEN,
});

const repeatFault = (index: number, firstIndex: number): ItemFault => ({
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
 * What the list and the request itself say of a bulk's items, without writing anything.
 * @param faults what the schema found wrong in items that are not in `items`
 * @throws AppError validation_error with every bad item, if there is one
 */
async function validate(
  ctx: Ctx,
  origin: Origin,
  items: BulkItem[],
  faults: ItemFault[],
  { onDuplicate }: BulkOptions,
) {
  const { fresh, repeats } = separateRepeats(items);
  const known = await findTaken(
    ctx.db,
    origin.newsletterId,
    fresh.map((item) => item.input.email.canonical),
  );
  const taken = fresh.filter((item) => known.has(item.input.email.canonical));
  const found = [...faults];
  if (onDuplicate === "error") {
    found.push(...repeats.map((item) => repeatFault(item.index, item.firstIndex)));
    found.push(...taken.map((item) => takenFault(item.index)));
  }
  if (found.length > 0) throw bulkRejection(found);
  return { taken, repeats };
}

/** The result of a bulk without writing anything. @throws AppError validation_error with every bad item */
export async function checkBulk(
  ctx: Ctx,
  origin: Origin,
  items: BulkItem[],
  faults: ItemFault[],
  options: BulkOptions,
) {
  const { taken, repeats } = await validate(ctx, origin, items, faults, options);
  return { skipped: skips(taken, repeats) };
}

/**
 * Adds up to 100 people, all or nothing.
 * @param faults what the schema found wrong in items that are not in `items`; any rejects the whole request, together
 *   with everything else that is wrong with it
 * @throws AppError validation_error with every bad item
 */
export async function createBulk(
  ctx: Ctx,
  origin: Origin,
  items: BulkItem[],
  faults: ItemFault[],
  options: BulkOptions,
  tx?: Tx,
): Promise<BulkResult> {
  const { fresh, repeats } = separateRepeats(items);
  // Lost already: nothing is written, and the list is only asked so that every bad item is named.
  if (faults.length > 0 || (repeats.length > 0 && options.onDuplicate === "error")) {
    await validate(ctx, origin, items, faults, options);
  }
  const rows = fresh.map((item) => toRow(origin, item.input));
  const allOrNone = options.onDuplicate === "error";
  if (!tx && rows.every((row) => row.status === "active")) {
    const atOnce = await insertAtOnce(ctx.db, rows, allOrNone);
    if (atOnce) return report(fresh, repeats, rows, atOnce);
    await validate(ctx, origin, items, faults, options);
    // Whoever was in the way is gone again by now: the transaction below decides.
  }
  const work = async (own: Tx) => {
    const inserted = await insertWithMails(ctx, own, rows);
    const taken = allOrNone ? fresh.filter((_, i) => !inserted.has(rows[i]?.id as string)) : [];
    // Thrown inside the transaction, so that what did go in is taken back.
    if (taken.length > 0) throw bulkRejection(taken.map((item) => takenFault(item.index)));
    return inserted;
  };
  return report(fresh, repeats, rows, tx ? await work(tx) : await withTransaction(ctx, work));
}

function skips(taken: BulkItem[], repeats: BulkItem[]): SkippedItem[] {
  return [
    ...taken.map((item) => ({
      index: item.index,
      email: item.input.email.email,
      reason: "already_subscribed" as const,
    })),
    ...repeats.map((item) => ({
      index: item.index,
      email: item.input.email.email,
      reason: "duplicate_in_request" as const,
    })),
  ].sort((a, b) => a.index - b.index);
}

function report(fresh: BulkItem[], repeats: BulkItem[], rows: NewRow[], inserted: Inserted): BulkResult {
  const created: SubscriberRecord[] = [];
  const taken: BulkItem[] = [];
  for (const [i, row] of rows.entries()) {
    if (inserted.has(row.id)) created.push(present(row, inserted.createdAt));
    else taken.push(fresh[i] as BulkItem);
  }
  return { created, skipped: skips(taken, repeats) };
}
