import { AppError } from "../kernel/errors";
import type { Db } from "../platform/db/client";
import { type ChangeOrder, findChanged } from "./queries/changes";
import { waitsPerKey } from "./schema/changes";

/**
 * How often the log is looked at while a request waits: a wait ends within twice this after a commit, in any process. A notice of each
 * commit would cost every create, and come before the change may be read: earlier transactions may be under way.
 */
const LOOK_MS = 250;

/** What a request of a key waits for, and for how long at most. */
export type ChangeWait = {
  newsletterId: string;
  keyId: string;
  after: ChangeOrder;
  seconds: number;
  /** Aborted when the client has gone. */
  signal: AbortSignal;
};

export type ChangeWaits = {
  /**
   * Waits until there may be a change after a place, or the time is over.
   * @throws AppError rate_limit_exceeded when too many requests of this key wait already
   */
  wait(wait: ChangeWait): Promise<void>;
  /** How many requests wait. */
  size(): number;
};

/**
 * The requests of this process that wait for changes. One statement looks for all of them, and none holds a connection.
 * @param closing ends every wait
 */
export function openChangeWaits(db: Db, closing: AbortSignal): ChangeWaits {
  const waiting = new Set<ChangeWait & { end(): void }>();
  let looking = false;

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    while (waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
      const asked = [...waiting];
      const places = asked.map(({ newsletterId, after }) => ({ newsletterId, ...after }));
      // While the database is away all waits end: the statement that follows says so.
      const changed = places.length > 0 ? await findChanged(db, places).catch(() => asked.keys()) : [];
      for (const index of changed) asked[index]?.end();
    }
    looking = false;
  }

  closing.addEventListener("abort", () => {
    for (const one of [...waiting]) one.end();
  });

  return {
    size: () => waiting.size,
    wait(asked) {
      if ([...waiting].filter(({ keyId }) => keyId === asked.keyId).length >= waitsPerKey) {
        const message = `${waitsPerKey} requests of this key are already waiting for changes. Wait until one ends, or send the request without \`wait\`.`;
        throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds: 1 });
      }
      if (closing.aborted || asked.signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        // No AbortSignal.any with a time limit: it may be collected as garbage, and never ends then (seen with Node 20.20).
        const timer = setTimeout(end, asked.seconds * 1000);
        const one = { ...asked, end };
        function end(): void {
          clearTimeout(timer);
          waiting.delete(one);
          asked.signal.removeEventListener("abort", end);
          resolve();
        }
        asked.signal.addEventListener("abort", end);
        waiting.add(one);
        void look();
      });
    },
  };
}
