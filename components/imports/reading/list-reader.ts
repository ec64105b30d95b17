import { RejectedError } from "../../ui/error-of";
import type { Answered, CallName, Calls } from "./messages";

/** The page's end of the worker. */
export class ListReader {
  readonly #worker = new Worker(new URL("./list-worker.ts", import.meta.url), { type: "module" });
  readonly #waiting = new Map<
    number,
    { resolve(answer: Calls[CallName]["answer"]): void; reject(error: Error): void }
  >();
  #number = 0;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<Answered>) => {
      const waiting = this.#waiting.get(data.number);
      this.#waiting.delete(data.number);
      if (data.ok) waiting?.resolve(data.answer);
      else waiting?.reject(new RejectedError(data.rejection));
    };
    this.#worker.onerror = (event) => {
      const message = `This browser can't read lists (${event.message || "its worker did not start"}). Nothing was changed; reload the page, or use a newer browser.`;
      for (const { reject } of this.#waiting.values())
        reject(new RejectedError({ message, errors: {}, code: null }));
      this.#waiting.clear();
    };
  }

  ask<Name extends CallName>(name: Name, gives: Calls[Name]["gives"]): Promise<Calls[Name]["answer"]> {
    const number = ++this.#number;
    return new Promise<Calls[CallName]["answer"]>((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage({ number, name, gives });
    }) as Promise<Calls[Name]["answer"]>;
  }

  close(): void {
    this.#worker.terminate();
  }
}
