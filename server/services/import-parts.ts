import { setImmediate as yieldToOthers } from "node:timers/promises";
import { type ListHead, type ListPart, readPlan } from "./import-list";

/** The parts of a list while they come. They stay, so that a transaction that begins again finds them from the first on. */
export class ListParts {
  readonly #parts: ListPart[] = [];
  #ended: { error?: Error } | null = null;
  #wake: (() => void)[] = [];

  /** Reads a list in this thread. */
  static of(plan: unknown): ListParts {
    const list = new ListParts();
    void list.#fill(readPlan(plan));
    return list;
  }

  async #fill(parts: Iterable<ListPart>): Promise<void> {
    try {
      for (const part of parts) {
        this.add(part);
        await yieldToOthers();
      }
      this.end();
    } catch (error) {
      this.end(error as Error);
    }
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  add(part: ListPart): void {
    this.#parts.push(part);
    this.#changed();
  }

  /** @param error why no more parts come, where that is not because it was read to its end */
  end(error?: Error): void {
    this.#ended ??= { error };
    this.#changed();
  }

  /** @throws what the list was ended with, as soon as that is known */
  async *parts(): AsyncGenerator<ListPart, void> {
    for (let next = 0; ; next++) {
      while (next >= this.#parts.length && !this.#ended)
        await new Promise<void>((wake) => this.#wake.push(wake));
      if (this.#ended?.error) throw this.#ended.error;
      const part = this.#parts[next];
      if (!part) return;
      yield part;
    }
  }

  /** @throws what the list was ended with */
  async head(): Promise<ListHead> {
    for await (const part of this.parts()) if (part.kind === "head") return part.head;
    throw new Error("a list was ended before its head");
  }
}
