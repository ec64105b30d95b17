import type { Db, Tx } from "./client";

/** An invitation is a verification whose identifier begins with this; the rest is the digest of its link's token. */
const PREFIX = "invitation:";

/** Whom an invitation invites to what; kept as JSON. `invitedBy` is null for those made before it was noted. */
export type Invited = {
  accountId: string;
  email: string;
  role: "owner" | "editor" | "viewer";
  invitedBy?: string | null;
};

export type InvitationRow = Invited & {
  id: string;
  digest: string;
  createdAt: Date;
  expiresAt: Date;
  /** By the database's clock. */
  expired: boolean;
};

type Raw = Omit<InvitationRow, keyof Invited> & { value: string };

const read = ({ value, ...row }: Raw): InvitationRow => ({ ...row, ...(JSON.parse(value) as Invited) });

/** An invitation for 7 days from now. @returns when it ends */
export async function insertInvitation(tx: Tx, id: string, digest: string, invited: Invited): Promise<Date> {
  const rows = await tx.$queryRaw<{ expiresAt: Date }[]>`
    INSERT INTO staff_verifications (id, identifier, value, expires_at)
    VALUES (${id}::uuid, ${PREFIX + digest}, ${JSON.stringify(invited)},
      date_trunc('milliseconds', now() + interval '7 days'))
    RETURNING expires_at AS "expiresAt"`;
  return rows[0]?.expiresAt as Date;
}

/** Lets an invitation end 7 days from now. @returns when that is */
export async function prolongInvitation(tx: Tx, id: string): Promise<Date> {
  const rows = await tx.$queryRaw<{ expiresAt: Date }[]>`
    UPDATE staff_verifications SET expires_at = date_trunc('milliseconds', now() + interval '7 days'), updated_at = now()
    WHERE id = ${id}::uuid RETURNING expires_at AS "expiresAt"`;
  return rows[0]?.expiresAt as Date;
}

/** An account's invitations that nobody has used or withdrawn, also those that ended in the last 30 days. */
export async function listInvitations(db: Db | Tx, accountId: string): Promise<InvitationRow[]> {
  const rows = await db.$queryRaw<Raw[]>`
    SELECT id, substr(identifier, ${PREFIX.length + 1}::int) AS digest, value, created_at AS "createdAt",
      expires_at AS "expiresAt", expires_at <= now() AS expired
    FROM staff_verifications
    WHERE identifier LIKE ${`${PREFIX}%`} AND expires_at > now() - interval '30 days'
    ORDER BY id`;
  return rows.map(read).filter((row) => row.accountId === accountId);
}

/** One invitation, held until the transaction ends; null for another account's. */
export async function lockInvitation(tx: Tx, accountId: string, id: string): Promise<InvitationRow | null> {
  const rows = await tx.$queryRaw<Raw[]>`
    SELECT id, substr(identifier, ${PREFIX.length + 1}::int) AS digest, value, created_at AS "createdAt",
      expires_at AS "expiresAt", expires_at <= now() AS expired
    FROM staff_verifications WHERE id = ${id}::uuid AND identifier LIKE ${`${PREFIX}%`} FOR UPDATE`;
  const row = rows.map(read)[0];
  return row?.accountId === accountId ? row : null;
}

/** The invitation that a link's token opens, unless it has ended. */
export async function findByDigest(db: Db | Tx, digest: string): Promise<InvitationRow | null> {
  const rows = await db.$queryRaw<Raw[]>`
    SELECT id, ${digest} AS digest, value, created_at AS "createdAt", expires_at AS "expiresAt", false AS expired
    FROM staff_verifications WHERE identifier = ${PREFIX + digest} AND expires_at > now() LIMIT 1`;
  return rows.map(read)[0] ?? null;
}

/** Ends an invitation, and with it its mails. @returns false when somebody was quicker */
export async function deleteInvitation(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.$executeRaw`DELETE FROM staff_verifications WHERE id = ${id}::uuid`;
  return rows > 0;
}

/** Whether a mail with this invitation is still to leave, or was asked for less than a minute ago. */
export async function isBeingMailed(tx: Tx, invitationId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM mails WHERE invitation_id = ${invitationId}::uuid
      AND (state IN ('waiting', 'deferred', 'sending') OR created_at > now() - interval '1 minute') LIMIT 1`;
  return rows.length > 0;
}
