import { AppError, type ItemFault } from "../kernel/errors";
import { suppressedSentence } from "../suppressions/schema/suppression-messages";
import type { SuppressionRow } from "../suppressions/shared-queries";
import type { TakenBy } from "./queries/subscribers";
import type { Address } from "./schema/subscriber";
import type { Status } from "./status-moves";
import { externalIdSentence, takenSentence } from "./subscribers";

/** An item's position in the request, from 0. */
type Positioned = { index: number };

type Identified = { input: { email: Address; external_id?: string | null | undefined } };
type Repeat = { repeated: "email" | "external_id"; firstIndex: number };

/** Separates items that repeat an earlier address or external id of the same request. */
export function separateRepeats<Item extends Positioned & Identified>(items: Item[]) {
  const addresses = new Map<string, number>();
  const externalIds = new Map<string, number>();
  const fresh: Item[] = [];
  const repeats: (Item & Repeat)[] = [];
  for (const item of items) {
    const { email, external_id: externalId } = item.input;
    const sameAddress = addresses.get(email.canonical);
    const sameId = externalId ? externalIds.get(externalId) : undefined;
    if (sameAddress !== undefined) repeats.push({ ...item, repeated: "email", firstIndex: sameAddress });
    else if (sameId !== undefined) repeats.push({ ...item, repeated: "external_id", firstIndex: sameId });
    else {
      addresses.set(email.canonical, item.index);
      if (externalId) externalIds.set(externalId, item.index);
      fresh.push(item);
    }
  }
  return { fresh, repeats };
}

const emailFault = ({ index }: Positioned, code: string, message: string): ItemFault => ({
  index,
  field: "email",
  code,
  message,
});

export const externalIdFault = ({ index }: Positioned, subscriber: TakenBy): ItemFault => ({
  index,
  field: "external_id",
  code: "already_subscribed",
  message: externalIdSentence(subscriber),
});

/** An address of a subscriber who is not the one with the item's external id. */
export const otherSubscriberFault = (item: Positioned) =>
  emailFault(
    item,
    "already_subscribed",
    "This address belongs to another subscriber than this external_id. Leave out this item, or send another address or external_id.",
  );

export const takenFault = (item: Positioned, status: Status | undefined) =>
  emailFault(item, "already_subscribed", takenSentence(status));

export const suppressedFault = (item: Positioned, { reason }: SuppressionRow) =>
  emailFault(item, "suppressed", suppressedSentence(reason));

export const repeatFault = ({ index, firstIndex, repeated }: Positioned & Repeat): ItemFault => {
  const what =
    repeated === "email"
      ? "This address is in the request twice."
      : "This external_id is in the request twice.";
  const message = `${what} It is also item ${firstIndex + 1}.`;
  return { index, field: repeated, code: "duplicate_in_request", message };
};

/**
 * The error for a rejected bulk request. It lists every invalid item by position: in `errors` for people ("Item 3: …",
 * counted from 1) and in `items` for programs (counted from 0).
 * @param advice a further sentence
 */
export function bulkRejection(faults: ItemFault[], outcome: string, advice?: string): AppError {
  const sorted = [...faults].sort((a, b) => a.index - b.index);
  const errors: Record<string, string[]> = Object.create(null);
  for (const fault of sorted) {
    errors[fault.field] ??= [];
    errors[fault.field]?.push(`Item ${fault.index + 1}: ${fault.message}`);
  }
  const bad = new Set(sorted.map((fault) => fault.index)).size;
  const what = `${bad === 1 ? "1 item is" : `${bad} items are`} not valid, so ${outcome}. Fix or leave out the listed items and send the request again.`;
  const message = advice === undefined ? what : `${what} ${advice}`;
  return new AppError("validation_error", message, { errors, items: sorted });
}
