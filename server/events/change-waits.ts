import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../kernel/errors";
import type { Db } from "../platform/db/client";
import { type ChangeOrder, findChanged } from "./queries/changes";
import { waitsPerKey } from "./schema/changes";

/**
 * How often the log is read while a request waits. A change ends a wait within twice this time, whichever process wrote
 * it, once no older transaction is open. A notification on each commit would cost every create, and would arrive while
 * older transactions still hide the change.
 */
const LOOK_MS = 250;

type ChangeWait = {
  newsletterId: string;
  keyId: string;
  after: ChangeOrder;
  seconds: number;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
};

/**
 * The requests of this process that wait for changes. One statement checks all of them, and no request holds a
 * connection.
 * @param closing ends every wait
 */
export function openChangeWaits(db: Db, closing: AbortSignal) {
  const waiting = new Set<ChangeWait & { end(): void }>();
  let looking = false;

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    while (waiting.size > 0) {
      await sleep(LOOK_MS, undefined, { ref: false });
      const asked = [...waiting];
      const places = asked.map(({ newsletterId, after }) => ({ newsletterId, ...after }));
      // While the database is unavailable all waits end. The statement that follows then reports the error.
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
    /**
     * Waits until `after` has a later change, at most `seconds`. May end early without one.
     * @throws AppError rate_limit_exceeded when too many requests of this key wait already
     */
    wait(asked: ChangeWait): Promise<void> {
      if ([...waiting].filter(({ keyId }) => keyId === asked.keyId).length >= waitsPerKey) {
        const message = `${waitsPerKey} requests of this key are already waiting for changes. Wait until one ends, or send the request without \`wait\`.`;
        throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds: 1 });
      }
      if (closing.aborted || asked.signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        // AbortSignal.any with a time limit may be garbage-collected and then never fires (seen with Node 20.20).
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
