import type { Db } from "./client";

/** The channel on which every process hears that a key or an account's access has changed. */
export const KEY_CHANNEL = "rollcall_keys";

export type KeyRow = {
  id: string;
  newsletterId: string;
  accountId: string;
  name: string;
  newsletterName: string;
  permissions: string[];
  apiAccess: boolean;
  expiresAt: Date | null;
  /** Milliseconds until the key expires, by the database's clock; null when it does not. */
  livesForMs: number | null;
};

/** The key with this digest, unless it is unknown, revoked or expired. */
export async function findLiveKey(db: Db, secretSha256: Buffer): Promise<KeyRow | null> {
  const rows = await db.$queryRaw<KeyRow[]>`
    SELECT k.id, k.newsletter_id AS "newsletterId", n.account_id AS "accountId", k.name, n.name AS "newsletterName",
      k.permissions, a.api_access AS "apiAccess", k.expires_at AS "expiresAt",
      (extract(epoch FROM k.expires_at - now()) * 1000)::float8 AS "livesForMs"
    FROM api_keys k
    JOIN newsletters n ON n.id = k.newsletter_id
    JOIN accounts a ON a.id = n.account_id
    WHERE k.secret_sha256 = ${secretSha256} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`;
  return rows[0] ?? null;
}

/** Tells every process to forget what it remembers of keys; takes effect with the surrounding transaction. */
export async function announceKeyChange(db: Pick<Db, "$executeRaw">): Promise<void> {
  await db.$executeRaw`SELECT pg_notify(${KEY_CHANNEL}, '')`;
}

/** Notes when and from where keys were last used; to the minute, so once a minute for a key at most. */
export async function noteUse(db: Db, uses: { id: string; address: string | null }[]): Promise<void> {
  await db.$executeRaw`
    UPDATE api_keys SET last_used_at = date_trunc('minute', now()), last_used_from = used.address
    FROM unnest(${uses.map((use) => use.id)}::uuid[], ${uses.map((use) => use.address)}::text[]) AS used (id, address)
    WHERE api_keys.id = used.id`;
}
