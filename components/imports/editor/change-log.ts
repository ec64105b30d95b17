import type { ChangeDesc } from "@codemirror/state";

/** Counts the versions of a text and stores the changes since each version that is still in use. */
export class ChangeLog {
  version = 0;
  /** The oldest version that `since` can still answer for. */
  #oldest = 0;
  readonly #steps: { to: number; change: ChangeDesc }[] = [];

  add(change: ChangeDesc): void {
    this.version++;
    this.#steps.push({ to: this.version, change });
  }

  /** Whether the log still has the changes since this version. */
  knows(version: number): boolean {
    return version >= this.#oldest;
  }

  /** Returns the changes since a version; null when the text is unchanged. */
  since(version: number): ChangeDesc | null {
    let all: ChangeDesc | null = null;
    for (const { to, change } of this.#steps) {
      if (to > version) all = all ? all.composeDesc(change) : change;
    }
    return all;
  }

  /** Drops the changes before this version. */
  forgetBefore(version: number): void {
    this.#oldest = Math.max(this.#oldest, version);
    const kept = this.#steps.findIndex(({ to }) => to > version);
    this.#steps.splice(0, kept === -1 ? this.#steps.length : kept);
  }
}
