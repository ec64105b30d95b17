import { withTransaction } from "../accounts/context";
import { AppError, type ItemFault } from "../kernel/errors";
import type { Tx } from "../platform/db/client";
import { mayReceiveResubscribeLink } from "../suppressions/schema/suppressions";
import type { Ctx } from "./context";
import {
  type BulkItem,
  bulkRejection,
  type Created,
  findObstacles,
  insertWithMails,
  repeatFault,
  separateRepeats,
  suppressedFault,
  withAttributes,
} from "./create-subscribers";
import { type LockedSubscriber, lockAddresses, lockSubscribers } from "./queries/subscribers";
import type { NewSubscriber, SubscriberPatch, SubscriberRecord } from "./schema/subscriber";
import { mayMove, moveFrom } from "./status-moves";
import { changeSubscriber, newRow, type Origin, presentSubscriber, suppressedError } from "./subscribers";

/** An item: the input for a new subscriber, and the patch for an existing one. */
export type UpsertItem = BulkItem & { patch: SubscriberPatch };
export type Upsert = { items: UpsertItem[]; faults: ItemFault[] };
export type UpsertResult = Pick<Created, "relatedOptOuts"> & {
  created: SubscriberRecord[];
  updated: SubscriberRecord[];
};

/**
 * The status that an item moves a subscriber to; undefined when it stays. Active subscribers stay active: signing up twice must
 * not end a subscription. Unsubscribed people may become pending and receive an email, but never active.
 */
function statusFor(ctx: Ctx, row: LockedSubscriber, wanted: NewSubscriber["status"] | undefined) {
  if (wanted === undefined || row.status === "active" || row.status === wanted) return undefined;
  if (!mayMove(moveFrom(row), wanted, ctx.actor.kind)) return undefined;
  const { suppression: reason, askedAt } = row;
  const isRefused =
    reason !== null && (wanted === "active" || !mayReceiveResubscribeLink({ reason, askedAt }));
  return isRefused ? undefined : wanted;
}

/** The request's faults: invalid items, repeated addresses and suppressed ones. */
async function findFaults(ctx: Ctx, origin: Origin, { items, faults }: Upsert) {
  const { fresh, repeats } = separateRepeats(items);
  const inputs = fresh.map(({ input }) => input);
  const { suppressed } = await findObstacles(ctx, origin, inputs);
  const refused = fresh.flatMap((item) => {
    const suppression = suppressed.get(item.input.email.canonical);
    return suppression ? suppressedFault(item, suppression) : [];
  });
  return [...faults, ...repeats.map(repeatFault), ...refused];
}

async function updateExisting(ctx: Ctx, tx: Tx, origin: Origin, items: UpsertItem[]) {
  const canonicals = items.map(({ input }) => input.email.canonical);
  const there = await lockAddresses(tx, origin.newsletterId, canonicals);
  const rows = await lockSubscribers(
    tx,
    origin.newsletterId,
    there.map(({ id }) => id),
  );
  const byAddress = new Map(rows.map((row) => [row.emailCanonical, row]));
  const updated: SubscriberRecord[] = [];
  const absent: UpsertItem[] = [];
  for (const item of items) {
    const row = byAddress.get(item.input.email.canonical);
    if (!row) {
      absent.push(item);
      continue;
    }
    // The stored spelling of the address stays.
    const { email: _, status: wanted, ...rest } = item.patch;
    const status = statusFor(ctx, row, wanted);
    const patch = { ...rest, ...(status && { status }) };
    const next = await changeSubscriber(ctx, tx, row, { patch, attributes: item.attributes ?? {} });
    updated.push(presentSubscriber(next, row.createdAt));
  }
  return { updated, absent };
}

/**
 * Adds subscribers with free addresses and changes the others, up to 100, all or none. Both results have the request's order.
 * @throws AppError validation_error with every invalid item
 */
export async function upsertSubscribers(ctx: Ctx, origin: Origin, given: Upsert): Promise<UpsertResult> {
  const upsert = await withAttributes<UpsertItem, Upsert>(ctx, origin, given);
  const { fresh, repeats } = separateRepeats(upsert.items);
  const reject = async (why: Ctx) => {
    const faults = await findFaults(why, origin, upsert);
    if (faults.length > 0) return bulkRejection(faults, "no subscribers were created or updated");
    const message =
      "A subscriber of this request was erased at the same time. Nothing was changed. Try again.";
    return new AppError("service_unavailable", message, { retryAfterSeconds: 1 });
  };
  if (upsert.faults.length > 0 || repeats.length > 0) throw await reject(ctx);
  return withTransaction(ctx, async (tx) => {
    const rows = fresh.map((item) => newRow(origin, item.input, item.attributes));
    const inserted = await insertWithMails(ctx, tx, rows);
    const isNew = (_: unknown, i: number) => inserted.has(rows[i]?.id as string);
    const others = fresh.filter((item, i) => !isNew(item, i));
    const { updated, absent } = await updateExisting(ctx, tx, origin, others);
    // Neither free nor on the list means suppressed. Throwing inside the transaction rolls it back.
    if (absent.length > 0) throw await reject({ ...ctx, tx });
    const created = rows.filter(isNew).map((row) => presentSubscriber(row, inserted.createdAt));
    return { created, updated, relatedOptOuts: inserted.relatedOptOuts(rows.map(({ id }) => id)) };
  });
}

/**
 * Adds one subscriber, or changes the existing one.
 * @throws AppError email_suppressed, validation_error
 */
export async function upsertSubscriber(
  ctx: Ctx,
  origin: Origin,
  item: Omit<UpsertItem, "index">,
): Promise<Created & { isNew: boolean }> {
  const upsert = { items: [{ ...item, index: 0 }], faults: [] };
  const { created, updated, relatedOptOuts } = await upsertSubscribers(ctx, origin, upsert).catch(
    async (error: AppError) => {
      throw await asSingle(ctx, origin, { item, error });
    },
  );
  const [record] = [...created, ...updated];
  if (!record) throw new Error("an upsert returned nobody");
  return { record, isNew: created.length > 0, relatedOptOuts };
}

/** The error of a bulk with one item, in the form of a single request. */
async function asSingle(
  ctx: Ctx,
  origin: Origin,
  { item, error }: { item: Omit<UpsertItem, "index">; error: AppError },
) {
  if (!error.items) return error;
  // As in a create, invalid input is reported before a conflict.
  const faults = error.items.filter(({ code }) => code !== "suppressed");
  const { suppressed } =
    faults.length === 0 ? await findObstacles(ctx, origin, [item.input]) : { suppressed: new Map() };
  for (const suppression of suppressed.values()) return suppressedError(suppression.reason);
  const errors: Record<string, string[]> = {};
  for (const { field, message } of faults) errors[field] = [...(errors[field] ?? []), message];
  return new AppError("validation_error", faults.map(({ message }) => message).join(" "), { errors });
}
