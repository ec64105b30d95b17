import type { ChangeDesc } from "@codemirror/state";

/** Counts the versions of a text and remembers what changed since those that somebody may still ask about. */
export class ChangeLog {
  version = 0;
  /** The oldest that can still be asked about. */
  #oldest = 0;
  readonly #steps: { to: number; change: ChangeDesc }[] = [];

  add(change: ChangeDesc): void {
    this.version++;
    this.#steps.push({ to: this.version, change });
  }

  /** Whether it is still known what changed since. */
  knows(version: number): boolean {
    return version >= this.#oldest;
  }

  /** What changed since a version; null when nothing has. */
  since(version: number): ChangeDesc | null {
    let all: ChangeDesc | null = null;
    for (const { to, change } of this.#steps) {
      if (to > version) all = all ? all.composeDesc(change) : change;
    }
    return all;
  }

  /** Nobody will ask about anything before this version any more. */
  forgetBefore(version: number): void {
    this.#oldest = Math.max(this.#oldest, version);
    const kept = this.#steps.findIndex(({ to }) => to > version);
    this.#steps.splice(0, kept === -1 ? this.#steps.length : kept);
  }
}
