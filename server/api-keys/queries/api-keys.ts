import type { Db, Prisma, Tx } from "../../platform/db/client";
import { databaseNow } from "../../platform/db/clock";

/** The channel that tells every process that a key or an account's API access has changed. */
export const KEY_CHANNEL = "rollcall_keys";

export type LiveKeyRow = {
  id: string;
  newsletterId: string;
  accountId: string;
  name: string;
  newsletterName: string;
  permissions: string[];
  apiAccess: boolean;
  /** The newsletter is only read. */
  isArchived: boolean;
  expiresAt: Date | null;
  /** Milliseconds until the key expires, by the database's clock; null when it does not. */
  livesForMs: number | null;
};

/** The key with this digest, unless it is unknown, revoked or expired. */
export async function findLiveKey(db: Db, secretSha256: Buffer): Promise<LiveKeyRow | null> {
  // One round trip of one statement: this is on the path of every request, and the database's clock decides the expiry.
  const rows = await db.$queryRaw<LiveKeyRow[]>`
    SELECT k.id, k.newsletter_id AS "newsletterId", n.account_id AS "accountId", k.name, n.name AS "newsletterName",
      k.permissions, a.api_access AS "apiAccess", n.archived_at IS NOT NULL AS "isArchived", k.expires_at AS "expiresAt",
      (extract(epoch FROM k.expires_at - now()) * 1000)::float8 AS "livesForMs"
    FROM api_keys k
    JOIN newsletters n ON n.id = k.newsletter_id
    JOIN accounts a ON a.id = n.account_id
    WHERE k.secret_sha256 = ${secretSha256} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`;
  return rows[0] ?? null;
}

/** Tells every process to forget the keys it remembers; takes effect with the surrounding transaction. */
export async function announceKeyChange(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${KEY_CHANNEL}, '')`;
}

/** Notes when, to the minute, and from where keys were last used. */
export async function noteKeyUses(db: Db, uses: { id: string; address: string | null }[]): Promise<void> {
  // One statement for all keys of the last seconds.
  await db.$executeRaw`
    UPDATE api_keys SET last_used_at = date_trunc('minute', now()), last_used_from = used.address
    FROM unnest(${uses.map((use) => use.id)}::uuid[], ${uses.map((use) => use.address)}::text[]) AS used (id, address)
    WHERE api_keys.id = used.id`;
}

export async function insertApiKey(tx: Tx, key: Prisma.ApiKeyUncheckedCreateInput): Promise<void> {
  await tx.apiKey.create({ data: key });
}

export function findApiKey(db: Db | Tx, where: { id: string; newsletterId?: string }) {
  return db.apiKey.findUnique({ where, include: { newsletter: { select: { accountId: true } } } });
}

export async function setRevoked(tx: Tx, id: string): Promise<void> {
  await tx.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
}

/** Lets a key expire this many hours from now, unless it does earlier; by the database's clock. */
export async function limitKeyLife(tx: Tx, id: string, hours: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE api_keys SET expires_at = least(expires_at, now() + make_interval(hours => ${hours}::int))
    WHERE id = ${id}::uuid`;
}

/** How many keys of one newsletter are read at once. */
const MOST_KEYS = 200;

/** The keys of one newsletter, newest first, without secrets. */
export function listApiKeys(db: Db, newsletterId: string) {
  return db.apiKey.findMany({
    where: { newsletterId },
    orderBy: { id: "desc" },
    take: MOST_KEYS,
    omit: { secretSha256: true, newsletterId: true },
  });
}

/** The keys that a staff member made for newsletters of an account and that still work, newest first. */
export async function listLiveKeysBy(db: Db, accountId: string, staffId: string) {
  const now = await databaseNow(db);
  return db.apiKey.findMany({
    where: {
      createdBy: staffId,
      newsletter: { accountId },
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
    },
    orderBy: { id: "desc" },
    select: { id: true, name: true, prefix: true, newsletter: { select: { id: true, name: true } } },
  });
}

/** Every key of the installation, newest first, without secrets. */
export function listAllApiKeys(db: Db) {
  return db.apiKey.findMany({
    orderBy: { id: "desc" },
    omit: { secretSha256: true },
    include: { newsletter: { select: { name: true } } },
  });
}
