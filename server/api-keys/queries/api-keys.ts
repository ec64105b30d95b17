import type { Db, Prisma, Tx } from "../../platform/db/client";
import { databaseNow } from "../../platform/db/clock";

/** The notification channel for changes to a key or to an account's API access. */
export const KEY_CHANNEL = "rollcall_keys";

export type LiveKeyRow = {
  id: string;
  accountId: string;
  /** Null for a key for all newsletters, if the request names no newsletter of its account. */
  newsletterId: string | null;
  newsletterName: string | null;
  name: string;
  permissions: string[];
  /** The addresses and networks that may use the key; empty: any. */
  networks: string[];
  apiAccess: boolean;
  /** The newsletter is read-only. */
  isArchived: boolean;
  expiresAt: Date | null;
  /** Milliseconds until the key expires, by the database's clock; null: never. */
  livesForMs: number | null;
};

/**
 * Returns the key with this digest, unless the key is unknown, revoked or expired.
 * @param named the newsletter that the request names, for a key for all newsletters
 */
export async function findLiveKey(
  db: Db,
  secretSha256: Buffer,
  named: string | null,
): Promise<LiveKeyRow | null> {
  // One statement in one round trip, because every API request runs it. The database's clock decides whether the key
  // has expired.
  const rows = await db.$queryRaw<LiveKeyRow[]>`
    SELECT k.id, a.id AS "accountId", n.id AS "newsletterId", n.name AS "newsletterName", k.name,
      k.permissions, k.networks, a.api_access AS "apiAccess", n.archived_at IS NOT NULL AS "isArchived", k.expires_at AS "expiresAt",
      (extract(epoch FROM k.expires_at - now()) * 1000)::float8 AS "livesForMs"
    FROM api_keys k
    LEFT JOIN newsletters n ON n.id = k.newsletter_id OR (n.id = ${named}::uuid AND n.account_id = k.account_id)
    JOIN accounts a ON a.id = coalesce(k.account_id, n.account_id)
    WHERE k.secret_sha256 = ${secretSha256} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`;
  return rows[0] ?? null;
}

/** Makes every process clear its cached keys when the surrounding transaction commits. */
export async function announceKeyChange(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${KEY_CHANNEL}, '')`;
}

/** Records when (to the minute) and from which address keys were last used. */
export async function noteKeyUses(db: Db, uses: { id: string; address: string | null }[]): Promise<void> {
  await db.$executeRaw`
    UPDATE api_keys SET last_used_at = date_trunc('minute', now()), last_used_from = used.address
    FROM unnest(${uses.map((use) => use.id)}::uuid[], ${uses.map((use) => use.address)}::text[]) AS used (id, address)
    WHERE api_keys.id = used.id`;
}

export async function insertApiKey(tx: Tx, key: Prisma.ApiKeyUncheckedCreateInput): Promise<void> {
  await tx.apiKey.create({ data: key });
}

/** @param of newsletterId: only a key that this newsletter can be used with */
export async function findApiKey(tx: Tx, { id, newsletterId }: { id: string; newsletterId?: string }) {
  const row = await tx.apiKey.findUnique({
    where: { id, ...(newsletterId && usableIn(newsletterId)) },
    include: { newsletter: { select: { accountId: true } } },
  });
  return row && { ...row, accountId: (row.accountId ?? row.newsletter?.accountId) as string };
}

export async function setRevoked(tx: Tx, id: string): Promise<void> {
  await tx.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
}

/** Makes a replaced key expire this many hours from now, unless it expires earlier. Uses the database's clock. */
export async function setReplaced(tx: Tx, id: string, replacedBy: string, hours: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE api_keys SET replaced_by = ${replacedBy}::uuid,
      expires_at = least(expires_at, now() + make_interval(hours => ${hours}::int))
    WHERE id = ${id}::uuid`;
}

/** The most keys that are listed for one newsletter. */
const MOST_KEYS = 200;

/** The keys that a newsletter can be used with. */
const usableIn = (newsletterId: string) => ({
  OR: [{ newsletterId }, { account: { newsletters: { some: { id: newsletterId } } } }],
});

/** Lists the keys that a newsletter can be used with, newest first, without secrets. */
export async function listApiKeys(db: Db, newsletterId: string) {
  const rows = await db.apiKey.findMany({
    where: usableIn(newsletterId),
    orderBy: { id: "desc" },
    take: MOST_KEYS,
    omit: { secretSha256: true, newsletterId: true },
  });
  return rows.map(({ accountId, ...key }) => ({ ...key, forAllNewsletters: accountId !== null }));
}

/** Lists the live keys that a staff member made in an account, newest first. */
export async function listLiveKeysBy(db: Db, accountId: string, staffId: string) {
  const now = await databaseNow(db);
  return db.apiKey.findMany({
    where: {
      createdBy: staffId,
      revokedAt: null,
      AND: [
        { OR: [{ accountId }, { newsletter: { accountId } }] },
        { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
      ],
    },
    orderBy: { id: "desc" },
    select: { id: true, name: true, prefix: true, newsletter: { select: { id: true, name: true } } },
  });
}

/** Lists all keys of the installation, newest first, without secrets. */
export function listAllApiKeys(db: Db) {
  return db.apiKey.findMany({
    orderBy: { id: "desc" },
    omit: { secretSha256: true },
    include: { newsletter: { select: { name: true } }, account: { select: { name: true } } },
  });
}
