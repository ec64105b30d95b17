import { AppError, type ItemFault } from "../kernel/errors";
import { suppressedSentence } from "../suppressions/schema/suppression-messages";
import type { SuppressionRow } from "../suppressions/shared-queries";
import type { Address } from "./schema/subscriber";
import type { Status } from "./status-moves";
import { takenSentence } from "./subscribers";

/** An item's position in the request, from 0. */
type Positioned = { index: number };

/** Separates items that repeat an earlier address of the same request. */
export function separateRepeats<Item extends Positioned & { input: { email: Address } }>(items: Item[]) {
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

const emailFault = ({ index }: Positioned, code: string, message: string): ItemFault => ({
  index,
  field: "email",
  code,
  message,
});

export const takenFault = (item: Positioned, status: Status | undefined) =>
  emailFault(item, "already_subscribed", takenSentence(status));

export const suppressedFault = (item: Positioned, { reason }: SuppressionRow) =>
  emailFault(item, "suppressed", suppressedSentence(reason));

export const repeatFault = ({ index, firstIndex }: Positioned & { firstIndex: number }) => {
  const message = `This address is in the request twice. It is also item ${firstIndex + 1}.`;
  return emailFault({ index }, "duplicate_in_request", message);
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
