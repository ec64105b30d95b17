import type { Db, Tx } from "./client";

export type IdempotentRequest = { apiKeyId: string; method: string; path: string; key: string; hash: Buffer };
export type SavedAnswer = { status: number; body: string; sameRequest: boolean };

/**
 * Takes the right to be the only request with this key until the transaction ends.
 * @returns false when another one is still running
 */
export async function tryLock(tx: Tx, { apiKeyId, method, path, key }: IdempotentRequest): Promise<boolean> {
  const name = `${apiKeyId} ${method} ${path} ${key}`;
  const rows = await tx.$queryRaw<{ locked: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS locked`;
  return rows[0]?.locked === true;
}

/** The answer that the first request with this key got in the last 24 hours. */
export async function findAnswer(db: Db | Tx, { apiKeyId, method, path, key, hash }: IdempotentRequest) {
  const rows = await db.$queryRaw<SavedAnswer[]>`
    SELECT status, body, request_hash = ${hash} AS "sameRequest" FROM idempotent_answers
    WHERE api_key_id = ${apiKeyId}::uuid AND method = ${method} AND path = ${path} AND key = ${key}
      AND created_at > now() - interval '24 hours'`;
  return rows[0] ?? null;
}

/** Keeps an answer; one older than 24 hours under the same key makes room. */
export async function saveAnswer(
  tx: Tx,
  request: IdempotentRequest,
  status: number,
  body: string,
): Promise<void> {
  const { apiKeyId, method, path, key, hash } = request;
  await tx.$executeRaw`
    INSERT INTO idempotent_answers (api_key_id, method, path, key, request_hash, status, body)
    VALUES (${apiKeyId}::uuid, ${method}, ${path}, ${key}, ${hash}, ${status}, ${body})
    ON CONFLICT (api_key_id, method, path, key) DO UPDATE
    SET request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = now()`;
}

/** Removes answers older than 24 hours. @returns how many */
export function deleteOldAnswers(db: Db): Promise<number> {
  return db.$executeRaw`DELETE FROM idempotent_answers WHERE created_at < now() - interval '24 hours'`;
}
