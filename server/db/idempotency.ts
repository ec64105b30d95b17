import { idempotencyHours } from "../contract/spans";
import type { Db, Tx } from "./client";

export type IdempotentRequest = { apiKeyId: string; method: string; path: string; key: string; hash: Buffer };
export type SavedAnswer = { status: number; body: string; sameRequest: boolean };

/**
 * Takes the lock on this key until the transaction ends.
 * @returns false when another request with it is running
 */
export async function tryLock(tx: Tx, { apiKeyId, method, path, key }: IdempotentRequest): Promise<boolean> {
  const name = `${apiKeyId} ${method} ${path} ${key}`;
  // Prisma has no advisory locks.
  const rows = await tx.$queryRaw<{ locked: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS locked`;
  return rows[0]?.locked === true;
}

/** The answer that the first request with this key got, as long as it is repeated. */
export async function findAnswer(db: Db | Tx, request: IdempotentRequest): Promise<SavedAnswer | null> {
  const { apiKeyId, method, path, key, hash } = request;
  // The database's clock decides whether it is too old.
  const rows = await db.$queryRaw<SavedAnswer[]>`
    SELECT status, body, request_hash = ${hash} AS "sameRequest" FROM idempotent_answers
    WHERE api_key_id = ${apiKeyId}::uuid AND method = ${method} AND path = ${path} AND key = ${key}
      AND created_at > now() - make_interval(hours => ${idempotencyHours}::int)`;
  return rows[0] ?? null;
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
