import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../kernel/errors";
import { waitsPerKey } from "./schema/changes";

/**
 * How often a waiting request reads the log. A notification on each commit would cost every create. It would also arrive
 * before the change is readable, while earlier transactions are still open.
 */
const LOOK_MS = 500;

/** signal: aborted when the client disconnects */
export type ChangeWait = { keyId: string; seconds: number; signal: AbortSignal };

/** The requests of this process that wait for changes. Between two reads they hold no connection. @param closing ends them */
export function openChangeWaits(closing: AbortSignal) {
  /** The key of each waiting request. */
  const waiting: string[] = [];
  return {
    size: () => waiting.length,
    /**
     * Reads until a page has changes, or until the time limit.
     * @throws AppError rate_limit_exceeded when too many requests of this key wait already
     */
    async wait<Page extends { records: unknown[] }>(
      { keyId, seconds, signal }: ChangeWait,
      read: () => Promise<Page>,
    ): Promise<Page> {
      if (waiting.filter((key) => key === keyId).length >= waitsPerKey) {
        const message = `${waitsPerKey} requests of this key are already waiting for changes. Wait until one ends, or send the request without \`wait\`.`;
        throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds: 1 });
      }
      waiting.push(keyId);
      const until = performance.now() + seconds * 1000;
      const isOver = () => closing.aborted || signal.aborted || performance.now() >= until;
      try {
        for (;;) {
          await sleep(Math.max(0, Math.min(LOOK_MS, until - performance.now())), undefined, { ref: false });
          const page = await read();
          if (page.records.length > 0 || isOver()) return page;
        }
      } finally {
        waiting.splice(waiting.indexOf(keyId), 1);
      }
    },
  };
}
