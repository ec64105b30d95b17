import { newId } from "../../kernel/ids";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { type AuditAction, type AuditArea, auditAreas } from "../schema/audit-actions";

export type AuditRow = {
  id?: string;
  accountId: string | null;
  newsletterId?: string | null;
  actorKind: string;
  actorId?: string | null;
  action: AuditAction;
  subjectId?: string | null;
  detail?: Prisma.InputJsonObject;
  address?: string | null;
  requestId?: string | null;
};

/** Writes one audit entry, in the transaction of its change. */
export async function insertAudit(tx: Db | Tx, row: AuditRow): Promise<void> {
  const { id = newId(), newsletterId = null, actorId = null, subjectId = null, detail = Prisma.DbNull } = row;
  const { accountId, actorKind, action, address = null, requestId = null } = row;
  await tx.auditEntry.create({
    data: { id, accountId, newsletterId, actorKind, actorId, action, subjectId, detail, address, requestId },
  });
}

/** Like `insertAudit`, for a change in several transactions. Writes the entry once, then adds to its `people`. */
export async function countInAudit(tx: Tx, row: AuditRow & { id: string; people: number }): Promise<void> {
  const { people, ...entry } = row;
  // Adds inside the JSON, which Prisma's models can't do.
  const known = await tx.$executeRaw`
    UPDATE audit_entries SET detail = jsonb_set(detail, '{people}', to_jsonb((detail->>'people')::int + ${people}::int))
    WHERE id = ${row.id}::uuid`;
  if (known === 0) await insertAudit(tx, { ...entry, detail: { ...entry.detail, people } });
}

type UnderWay = { accountId: string; newsletterId: string; actorId: string | null; action: AuditAction };

/**
 * Returns an actor's entry of the same action from the last 10 minutes, such as an export. `actorId` null: the
 * operator.
 */
export async function findEntryUnderWay(
  tx: Tx,
  { accountId, newsletterId, actorId, action }: UnderWay,
): Promise<string | null> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM audit_entries
    WHERE account_id = ${accountId}::uuid AND id >= uuid_at(now() - interval '10 minutes')
      AND newsletter_id = ${newsletterId}::uuid AND actor_id IS NOT DISTINCT FROM ${actorId}::uuid
      AND action = ${action}
    ORDER BY id DESC LIMIT 1`;
  return rows[0]?.id ?? null;
}

export type AuditView = { accountId: string; newsletterId?: string | null; area?: AuditArea | null };

/**
 * Returns a page of an account's audit log, newest first. The view may filter by newsletter or area.
 * @param before the last id of the previous page
 */
export function listAudit(
  db: Db,
  { accountId, newsletterId, area }: AuditView,
  limit: number,
  before: string | null,
) {
  const OR = area && auditAreas[area].map((part) => ({ action: { startsWith: `${part}.` } }));
  return db.auditEntry.findMany({
    where: {
      accountId,
      ...(newsletterId && { newsletterId }),
      ...(OR && { OR }),
      ...(before && { id: { lt: before } }),
    },
    orderBy: { id: "desc" },
    take: limit,
  });
}

/** Lists staff's actions on one subject, oldest first. */
export function listAuditOf(db: Db, accountId: string, subjectId: string) {
  return db.auditEntry.findMany({
    where: { accountId, subjectId },
    orderBy: { id: "asc" },
    select: { at: true, action: true, actorKind: true, address: true, detail: true },
  });
}
