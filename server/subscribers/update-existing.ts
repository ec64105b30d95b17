import type { Tx } from "../platform/db/client";
import { mayReceiveResubscribeLink } from "../suppressions/schema/suppressions";
import type { AttributeChange } from "./attributes";
import { askPending } from "./confirmation-requests";
import type { Ctx } from "./context";
import { type LockedSubscriber, lockAddresses, lockSubscribers } from "./queries/subscribers";
import type { NewSubscriber, SubscriberPatch, SubscriberRecord } from "./schema/subscriber";
import { mayMove, moveFrom, type Status } from "./status-moves";
import { changeSubscriber, presentSubscriber } from "./subscribers";

/** Parsed input, and the change of an existing subscriber with its address. */
export type NewItem = {
  input: NewSubscriber;
  patch?: SubscriberPatch;
  attributes?: AttributeChange | undefined;
  /** `status: "pending"` sends a pending person the confirmation again. */
  mayAskAgain?: true;
};

/**
 * The status that an item moves a subscriber to; undefined when it stays. Active subscribers stay active: signing up twice must
 * not end a subscription. Unsubscribed people may become pending and receive an email, but never active.
 */
function statusFor(ctx: Ctx, row: LockedSubscriber, wanted: Status | undefined) {
  if (wanted === undefined || wanted === "unsubscribed" || row.status === "active" || row.status === wanted)
    return undefined;
  if (!mayMove(moveFrom(row), wanted, ctx.actor.kind)) return undefined;
  const { suppression: reason, askedLately } = row;
  const isRefused =
    reason !== null && (wanted === "active" || !mayReceiveResubscribeLink({ reason, askedLately }));
  return isRefused ? undefined : wanted;
}

/** Changes the people who have these addresses. `absent`: items whose address is not on the list. */
export async function updateExisting<Item extends NewItem>(
  ctx: Ctx,
  tx: Tx,
  newsletterId: string,
  items: Item[],
): Promise<{ updated: SubscriberRecord[]; absent: Item[] }> {
  const canonicals = items.map(({ input }) => input.email.canonical);
  const ids = (await lockAddresses(tx, newsletterId, canonicals)).map(({ id }) => id);
  const rows = await lockSubscribers(tx, newsletterId, ids);
  const byAddress = new Map(rows.map((row) => [row.emailCanonical, row]));
  const updated: SubscriberRecord[] = [];
  const absent: Item[] = [];
  for (const item of items) {
    const row = byAddress.get(item.input.email.canonical);
    if (!row) {
      absent.push(item);
      continue;
    }
    // The stored spelling of the address stays.
    const { email: _, status: wanted, ...rest } = item.patch ?? {};
    const status = statusFor(ctx, row, wanted);
    const patch = { ...rest, ...(status && { status }) };
    const next = await changeSubscriber(ctx, tx, row, { patch, attributes: item.attributes ?? {} });
    if (item.mayAskAgain && wanted === "pending" && row.status === "pending") await askPending(ctx, tx, row);
    updated.push(presentSubscriber(next, row.createdAt));
  }
  return { updated, absent };
}
