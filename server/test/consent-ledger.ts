/** An address on a newsletter. */
export type Place = { newsletterId: string; email: string };

/**
 * An opt-out, by the person or by the newsletter for them. `start`: before the action, in ms. `by`: the action whose
 * undo withdraws it.
 */
export type No = {
  kind: "left" | "complained" | "denied" | "suppressed";
  start: number;
  by?: string | undefined;
};
/** A confirmation through the link of an email sent at `mailed`. */
export type Press = { mailed: number; end: number };

const keyOf = ({ newsletterId, email }: Place) => `${newsletterId} ${email}`;

/** Records the opt-outs and confirmations of the steps, as the steps report them. */
export class Ledger {
  readonly #noes = new Map<string, No[]>();
  readonly #presses = new Map<string, Press[]>();

  saidNo(place: Place, no: No): void {
    const key = keyOf(place);
    this.#noes.set(key, [...(this.#noes.get(key) ?? []), no]);
  }

  pressed(place: Place, press: Press): void {
    const key = keyOf(place);
    this.#presses.set(key, [...(this.#presses.get(key) ?? []), press]);
  }

  /** The number of opt-outs. */
  get size(): number {
    return [...this.#noes.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Removes the opt-outs of an undone bulk action or a removed suppression. */
  withdraw(by: string): void {
    for (const [key, noes] of this.#noes)
      this.#noes.set(
        key,
        noes.filter((no) => no.by !== by),
      );
  }

  /** Returns why this person must not be active; null when they may be. */
  objection(place: Place): (No & Place) | null {
    const presses = this.#presses.get(keyOf(place)) ?? [];
    const isAnswered = (no: No) =>
      no.kind !== "denied" &&
      presses.some(({ mailed, end }) => end >= no.start && (no.kind === "complained" || mailed >= no.start));
    const open = this.#noes.get(keyOf(place))?.find((no) => !isAnswered(no));
    return open ? { ...open, ...place } : null;
  }
}
