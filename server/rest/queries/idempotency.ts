import { idempotencyHours } from "../../kernel/durations";
import type { Tx } from "../../platform/db/client";

export type IdempotentRequest = { apiKeyId: string; method: string; path: string; key: string; hash: Buffer };
export type SavedAnswer = { status: number; body: string; sameRequest: boolean };

/** The columns of the answer are null together, when none is saved. */
type ClaimRow = (SavedAnswer | { status: null; body: null; sameRequest: null }) & { isLocked: boolean };

/**
 * Returns the saved answer of an idempotency key, unless the answer is too old. Without one, takes the key's lock until
 * the transaction ends. So retries of a finished request never wait for each other.
 * The statement doesn't see rows that commit while it runs. After getting the lock, the caller therefore looks again.
 * @returns `isLocked` false when another request holds the lock
 */
export async function findOrLock(
  tx: Tx,
  { apiKeyId, method, path, key, hash }: IdempotentRequest,
): Promise<{ saved: SavedAnswer | null; isLocked: boolean }> {
  const name = `${apiKeyId} ${method} ${path} ${key}`;
  // Prisma has no advisory locks. One statement, because each request with a key pays for the round trips. The
  // database's clock decides whether an answer is too old.
  const [row] = await tx.$queryRaw<ClaimRow[]>`
    SELECT a.status, a.body, a.request_hash = ${hash} AS "sameRequest",
      CASE WHEN a.status IS NULL THEN pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) ELSE false END AS "isLocked"
    FROM (VALUES (1)) one (n) LEFT JOIN idempotent_answers a
      ON a.api_key_id = ${apiKeyId}::uuid AND a.method = ${method} AND a.path = ${path} AND a.key = ${key}
      AND a.created_at > now() - make_interval(hours => ${idempotencyHours}::int)`;
  const { isLocked, ...saved } = row as ClaimRow;
  return { saved: saved.status === null ? null : saved, isLocked };
}

/** Saves an answer. Replaces an answer under the same key that is too old. */
export async function saveAnswer(
  tx: Tx,
  request: IdempotentRequest,
  status: number,
  body: string,
): Promise<void> {
  const { apiKeyId, method, path, key, hash } = request;
  // Prisma's upsert takes five round trips, which every request with a key would pay for.
  await tx.$executeRaw`
    INSERT INTO idempotent_answers (api_key_id, method, path, key, request_hash, status, body)
    VALUES (${apiKeyId}::uuid, ${method}, ${path}, ${key}, ${hash}, ${status}, ${body})
    ON CONFLICT (api_key_id, method, path, key) DO UPDATE
    SET request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = now()`;
}
