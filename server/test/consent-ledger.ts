/** An address on a newsletter. */
export type Place = { newsletterId: string; email: string };

/** Somebody said no, or the newsletter did for them. `start`: before it did, in ms. `by`: what takes it back. */
export type No = {
  kind: "left" | "complained" | "denied" | "suppressed";
  start: number;
  by?: string | undefined;
};
/** Somebody pressed the link of an email that was sent at `mailed`. */
export type Press = { mailed: number; end: number };

const keyOf = ({ newsletterId, email }: Place) => `${newsletterId} ${email}`;

/** What the steps did that counts, as the steps themselves noted it. */
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

  /** How often somebody said no. */
  get size(): number {
    return [...this.#noes.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Forgets what a bulk action said that is undone, or a suppression that is removed. */
  withdraw(by: string): void {
    for (const [key, noes] of this.#noes)
      this.#noes.set(
        key,
        noes.filter((no) => no.by !== by),
      );
  }

  /** Why this person must not be active; null when they may be. */
  objection(place: Place): (No & Place) | null {
    const presses = this.#presses.get(keyOf(place)) ?? [];
    const isAnswered = (no: No) =>
      no.kind !== "denied" &&
      presses.some(({ mailed, end }) => end >= no.start && (no.kind === "complained" || mailed >= no.start));
    const open = this.#noes.get(keyOf(place))?.find((no) => !isAnswered(no));
    return open ? { ...open, ...place } : null;
  }
}
