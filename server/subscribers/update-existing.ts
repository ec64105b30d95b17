import { AppError } from "../kernel/errors";
import { isUniqueViolation, type Tx } from "../platform/db/client";
import type { AttributeChange } from "./attributes";
import { askPending, isMailable } from "./confirmation-requests";
import type { Ctx } from "./context";
import {
  type LockedSubscriber,
  lockAddresses,
  lockSubscribers,
  type SubscriberRow,
} from "./queries/subscribers";
import type { NewSubscriber, SubscriberPatch, SubscriberRecord } from "./schema/subscriber";
import { mayMove, moveFrom, type Status } from "./status-moves";
import { changeSubscriber, presentSubscriber } from "./subscribers";

/** Parsed input, and the change of an existing subscriber with its address. */
export type NewItem = {
  input: NewSubscriber;
  patch?: SubscriberPatch;
  attributes?: AttributeChange | undefined;
  /**
   * The only item of its request: `status: "pending"` sends a pending person the confirmation again, and a suppressed
   * address is an error.
   */
  isAlone?: true;
};

/**
 * The status that an item moves a subscriber to; undefined when it stays. Active subscribers stay active: signing up twice must
 * not end a subscription. Unsubscribed people may become pending and receive an email, but never active.
 */
function statusFor(ctx: Ctx, row: LockedSubscriber, wanted: Status | undefined) {
  if (wanted === undefined || wanted === "unsubscribed" || row.status === "active" || row.status === wanted)
    return undefined;
  if (!mayMove(moveFrom(row), wanted, ctx.actor.kind)) return undefined;
  const isRefused = row.suppression !== null && (wanted === "active" || !isMailable(row));
  return isRefused ? undefined : wanted;
}

/**
 * `absent`: items that no subscriber has the address or external id of. `suppressed`: their subscriber would get a
 * suppressed address. `conflicts`: items whose address another subscriber has than their external id.
 */
type Outcome<Item> = {
  updated: SubscriberRecord[];
  absent: Item[];
  suppressed: Item[];
  conflicts: Item[];
};

/** Changes the subscriber that an item finds. Only an external id that finds them changes their address. */
async function updateOne(ctx: Ctx, tx: Tx, row: LockedSubscriber, item: NewItem): Promise<SubscriberRow> {
  const { email, status: wanted, ...rest } = item.patch ?? {};
  // The stored spelling of an equal address stays.
  const isReaddressed = email !== undefined && email.canonical !== row.emailCanonical;
  const status = statusFor(ctx, row, wanted);
  const patch = { ...rest, ...(status && { status }), ...(isReaddressed && { email }) };
  const next = await changeSubscriber(ctx, tx, row, { patch, attributes: item.attributes ?? {} });
  if (item.isAlone && wanted === "pending" && row.status === "pending" && !isReaddressed)
    await askPending(ctx, tx, row);
  return next;
}

/**
 * Changes the people who have the external ids of these items, or else their addresses.
 * @throws AppError service_unavailable if another request takes an address or external id at the same time;
 * email_suppressed for an item that is alone
 */
export async function updateExisting<Item extends NewItem>(
  ctx: Ctx,
  tx: Tx,
  newsletterId: string,
  items: Item[],
): Promise<Outcome<Item>> {
  const canonicals = items.map(({ input }) => input.email.canonical);
  const externalIds = items.flatMap(({ input }) => input.external_id ?? []);
  const ids = (await lockAddresses(tx, newsletterId, canonicals, externalIds)).map(({ id }) => id);
  const rows = await lockSubscribers(tx, newsletterId, ids);
  const byAddress = new Map(rows.map((row) => [row.emailCanonical, row]));
  const byExternalId = new Map(rows.map((row) => [row.externalId, row]));
  const outcome: Outcome<Item> = { updated: [], absent: [], suppressed: [], conflicts: [] };
  const changed = new Set<LockedSubscriber>();
  for (const item of items) {
    const { email, external_id: externalId } = item.input;
    const found = externalId ? byExternalId.get(externalId) : undefined;
    const holder = byAddress.get(email.canonical);
    const row = found ?? holder;
    if (!row) outcome.absent.push(item);
    else if (changed.has(row) || (found && holder && found !== holder)) outcome.conflicts.push(item);
    else {
      try {
        outcome.updated.push(presentSubscriber(await updateOne(ctx, tx, row, item), row.createdAt));
        changed.add(row);
      } catch (error) {
        if (isUniqueViolation(error)) throw takenMeanwhile();
        // The suppression is found before anything is written.
        if (item.isAlone || !(error instanceof AppError) || error.code !== "email_suppressed") throw error;
        outcome.suppressed.push(item);
      }
    }
  }
  return outcome;
}

const takenMeanwhile = () =>
  new AppError(
    "service_unavailable",
    "Another request used an address or external_id of this request at the same time. Nothing was changed. Try again.",
    { retryAfterSeconds: 1 },
  );
