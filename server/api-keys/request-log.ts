import type pino from "pino";
import type { AppError } from "../kernel/errors";
import type { Db } from "../platform/db/client";
import { type ApiRequestRow, insertApiRequests } from "./queries/api-requests";

const EVERY_MS = 1_000;
/**
 * The most entries between two writes; more are dropped. A key without rate limits must not fill the disk with its log.
 */
const MAX_WAITING = 500;
const MAX_REJECTED_LENGTH = 300;

/** Writes the request log in batches, in the background. A batch that can't be written is dropped, with a log line. */
export function openRequestLog(db: Db, log: pino.Logger) {
  let waiting: ApiRequestRow[] = [];
  let dropped = 0;
  let writing: Promise<void> = Promise.resolve();

  async function write() {
    if (waiting.length === 0) return;
    const batch = waiting;
    const lost = dropped;
    waiting = [];
    dropped = 0;
    if (lost > 0) log.info({ lost }, "too many API requests a second for the request log");
    await insertApiRequests(db, batch).catch((err: unknown) => {
      log.warn({ err, lost: batch.length }, "API requests missing from the request log");
    });
  }
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, EVERY_MS);
  timer.unref();

  return {
    /** Queues a log entry for one answered request. Never delays the request. */
    note(entry: ApiRequestRow): void {
      if (waiting.length < MAX_WAITING) waiting.push(entry);
      else dropped++;
    },
    async close() {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}

/** Returns the rejected fields and rules, without their values: "email: tld ×2, name: too_long". */
export function summarise(error: AppError): string | null {
  if (error.items) {
    const times = new Map<string, number>();
    for (const { field, code } of error.items) {
      const rule = `${field}: ${code}`;
      times.set(rule, (times.get(rule) ?? 0) + 1);
    }
    return [...times]
      .map(([rule, n]) => (n > 1 ? `${rule} ×${n}` : rule))
      .join(", ")
      .slice(0, MAX_REJECTED_LENGTH);
  }
  return error.errors ? Object.keys(error.errors).join(", ").slice(0, MAX_REJECTED_LENGTH) : null;
}
