/**
 * What Rollcall does for a create beside the insert, by hand on `pg`. The triggers of Rollcall's tables keep the counts,
 * write the change feed and refuse suppressed addresses, whoever inserts.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import pg from "pg";
import { v7 as uuidv7 } from "uuid";

export type Key = { id: string; newsletter_id: string };

const rememberMs = 10_000;
const windowsMs = [60_000, 3_600_000, 86_400_000];
const writeLogMs = 1_000;
/** Rollcall drops further entries, too: a key without rate limits must not fill the disk. */
const entriesAtMost = 500;

/** Remembers keys for ten seconds, or until any key changes. */
export async function rememberKeys(url: string, find: (secret: string) => Promise<Key | undefined>) {
  const known = new Map<string, { key: Key; until: number }>();
  const listener = new pg.Client({ connectionString: url });
  await listener.connect();
  listener.on("notification", () => known.clear());
  await listener.query("LISTEN rollcall_keys");
  return async (secret: string): Promise<Key | undefined> => {
    const found = known.get(secret);
    if (found && found.until > Date.now()) return found.key;
    const key = await find(secret);
    if (key) known.set(secret, { key, until: Date.now() + rememberMs });
    return key;
  };
}

const counts = new Map<string, { used: number; until: number }[]>();

/** Counts a request of a key by minute, hour and day. The bench has no limits, so none is rejected. */
export function countRequest(keyId: string): void {
  const now = Date.now();
  const windows = counts.get(keyId) ?? windowsMs.map(() => ({ used: 0, until: 0 }));
  for (const [i, ms] of windowsMs.entries()) {
    const window = windows[i];
    windows[i] =
      window && now < window.until
        ? { used: window.used + 1, until: window.until }
        : { used: 1, until: now - (now % ms) + ms };
  }
  counts.set(keyId, windows);
}

/** Writes the request log once a second. @returns notes an answered request */
export function openRequestLog(pool: pg.Pool) {
  let entries: object[] = [];
  const text = "INSERT INTO api_requests SELECT * FROM jsonb_populate_recordset(NULL::api_requests, $1)";
  setInterval(() => {
    if (entries.length === 0) return;
    const values = [JSON.stringify(entries)];
    entries = [];
    pool
      .query({ name: "log", text, values })
      .catch((error) => process.stderr.write(`floor: log: ${String(error)}\n`));
  }, writeLogMs).unref();
  return (request: FastifyRequest, reply: FastifyReply): void => {
    if (!request.key || entries.length >= entriesAtMost) return;
    entries.push({
      id: uuidv7(),
      newsletter_id: request.key.newsletter_id,
      api_key_id: request.key.id,
      operation: request.url.endsWith("/bulk") ? "createSubscribers" : "createSubscriber",
      status: reply.statusCode,
      request_id: request.id,
      duration_ms: Math.round(reply.elapsedTime),
      at: new Date(),
    });
  };
}

/** Puts a confirmation email for each pending person into the outbox. */
export const insertMails = (newsletterId: string, ids: string[]) => ({
  name: "insert-mails",
  text: `INSERT INTO mails (id, newsletter_id, subscriber_id, kind, to_email, recipient_hash, link_expires_at, urgent)
         SELECT uuidv7(), newsletter_id, id, 'confirmation', email, encode(sha256(email_canonical::bytea), 'hex'),
                now() + interval '30 days', $3
           FROM subscribers WHERE newsletter_id = $1 AND id = ANY ($2::uuid[]) AND status = 'pending'`,
  values: [newsletterId, ids, ids.length === 1],
});
