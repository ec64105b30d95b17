/** An address on a newsletter. */
export type Place = { newsletterId: string; email: string };

/**
 * An opt-out, by the person or by the newsletter for them. `start`: before the action, in ms. `by`: the action whose
 * undo withdraws it.
 */
export type OptOut = {
  kind: "left" | "complained" | "denied" | "suppressed";
  start: number;
  by?: string | undefined;
};
/** A confirmation through the link of an email sent at `mailed`. */
export type Confirmation = { mailed: number; end: number };

const keyOf = ({ newsletterId, email }: Place) => `${newsletterId} ${email}`;

/** Records the opt-outs and confirmations of the steps, as the steps report them. */
export class Ledger {
  readonly #optOuts = new Map<string, OptOut[]>();
  readonly #confirmations = new Map<string, Confirmation[]>();

  recordOptOut(place: Place, optOut: OptOut): void {
    const key = keyOf(place);
    this.#optOuts.set(key, [...(this.#optOuts.get(key) ?? []), optOut]);
  }

  recordConfirmation(place: Place, confirmation: Confirmation): void {
    const key = keyOf(place);
    this.#confirmations.set(key, [...(this.#confirmations.get(key) ?? []), confirmation]);
  }

  /** The number of opt-outs. */
  get size(): number {
    return [...this.#optOuts.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Removes the opt-outs of an undone bulk action or a removed suppression. */
  withdraw(by: string): void {
    for (const [key, optOuts] of this.#optOuts)
      this.#optOuts.set(
        key,
        optOuts.filter((optOut) => optOut.by !== by),
      );
  }

  /** Returns why this person must not be active; null when they may be. */
  objection(place: Place): (OptOut & Place) | null {
    const confirmations = this.#confirmations.get(keyOf(place)) ?? [];
    const isAnswered = (optOut: OptOut) =>
      optOut.kind !== "denied" &&
      confirmations.some(
        ({ mailed, end }) => end >= optOut.start && (optOut.kind === "complained" || mailed >= optOut.start),
      );
    const open = this.#optOuts.get(keyOf(place))?.find((optOut) => !isAnswered(optOut));
    return open ? { ...open, ...place } : null;
  }
}
