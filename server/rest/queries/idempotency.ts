import { idempotencyHours } from "../../kernel/spans";
import type { Tx } from "../../platform/db/client";

export type IdempotentRequest = { apiKeyId: string; method: string; path: string; key: string; hash: Buffer };
export type SavedAnswer = { status: number; body: string; sameRequest: boolean };

type ClaimRow = {
  status: number | null;
  body: string | null;
  sameRequest: boolean | null;
  isLocked: boolean;
};

/**
 * The answer that is saved under this key, as long as it is repeated. Only where there is none, takes the lock on the
 * key until the transaction ends: repeats of a finished request never meet each other.
 * The statement does not see what committed while it ran, so who got the lock looks again.
 * @returns `isLocked` false where another request with the key holds the lock
 */
export async function findOrLock(
  tx: Tx,
  { apiKeyId, method, path, key, hash }: IdempotentRequest,
): Promise<{ saved: SavedAnswer | null; isLocked: boolean }> {
  const name = `${apiKeyId} ${method} ${path} ${key}`;
  // Prisma has no advisory locks. One statement: each request with a key pays for its round trips.
  // The database's clock decides whether an answer is too old.
  const [row] = await tx.$queryRaw<ClaimRow[]>`
    SELECT a.status, a.body, a.request_hash = ${hash} AS "sameRequest",
      CASE WHEN a.status IS NULL THEN pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) ELSE false END AS "isLocked"
    FROM (VALUES (1)) one (n) LEFT JOIN idempotent_answers a
      ON a.api_key_id = ${apiKeyId}::uuid AND a.method = ${method} AND a.path = ${path} AND a.key = ${key}
      AND a.created_at > now() - make_interval(hours => ${idempotencyHours}::int)`;
  const { status, body, sameRequest, isLocked } = row as ClaimRow;
  if (status === null || body === null) return { saved: null, isLocked };
  return { saved: { status, body, sameRequest: sameRequest === true }, isLocked };
}

/** Saves an answer, in place of one that is too old under the same key. */
export async function saveAnswer(
  tx: Tx,
  request: IdempotentRequest,
  status: number,
  body: string,
): Promise<void> {
  const { apiKeyId, method, path, key, hash } = request;
  // Prisma's upsert takes five round trips, on the path of a request.
  await tx.$executeRaw`
    INSERT INTO idempotent_answers (api_key_id, method, path, key, request_hash, status, body)
    VALUES (${apiKeyId}::uuid, ${method}, ${path}, ${key}, ${hash}, ${status}, ${body})
    ON CONFLICT (api_key_id, method, path, key) DO UPDATE
    SET request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = now()`;
}
