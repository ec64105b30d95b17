import { waitsPerKey } from "../contract/changes";
import { type ChangeOrder, findChanged } from "../db/changes";
import type { Db } from "../db/client";
import { AppError } from "../errors";

/** How often the database is asked while somebody waits: a wait ends within twice this after a commit, in any process. */
const LOOK_MS = 250;

type Waiting = ChangeOrder & { newsletterId: string; keyId: string; end(): void };

/** Who waits, for what, and at most how long. */
export type ChangeWait = {
  newsletterId: string;
  keyId: string;
  after: ChangeOrder;
  seconds: number;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
};

export type ChangeWaits = {
  /**
   * Waits until there may be a change after a place, or the time is over.
   * @throws AppError rate_limit_exceeded when too many of this key wait already
   */
  wait(wait: ChangeWait): Promise<void>;
  /** How many wait. */
  size(): number;
};

/**
 * The requests of this process that wait for changes. One statement asks for all of them, and none holds a connection.
 * @param closing ends every wait
 */
export function openChangeWaits(db: Db, closing: AbortSignal): ChangeWaits {
  const waiting = new Set<Waiting>();
  let looking = false;

  async function look(): Promise<void> {
    const asked = [...waiting];
    // Who waits while the database is away hears of it at once: from the statement that follows.
    const changed = await findChanged(db, asked).catch(() => asked.keys());
    for (const index of changed) asked[index]?.end();
  }

  async function lookOften(): Promise<void> {
    if (looking) return;
    looking = true;
    while (waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
      if (waiting.size > 0) await look();
    }
    looking = false;
  }

  closing.addEventListener("abort", () => {
    for (const one of [...waiting]) one.end();
  });

  return {
    size: () => waiting.size,
    wait({ newsletterId, keyId, after, seconds, signal }) {
      if (closing.aborted || signal.aborted) return Promise.resolve();
      if ([...waiting].filter((one) => one.keyId === keyId).length >= waitsPerKey) {
        const message = `${waitsPerKey} requests of this key are already waiting for changes. Wait until one ends, or send the request without \`wait\`.`;
        throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds: 1 });
      }
      return new Promise((resolve) => {
        const timer = setTimeout(end, seconds * 1000);
        const one = { ...after, newsletterId, keyId, end };
        function end(): void {
          clearTimeout(timer);
          waiting.delete(one);
          signal.removeEventListener("abort", end);
          resolve();
        }
        signal.addEventListener("abort", end);
        waiting.add(one);
        void lookOften();
      });
    },
  };
}
