import { newId } from "../domain/ids";
import { type Db, Prisma, type Tx } from "./client";

export type AuditRow = {
  accountId: string | null;
  newsletterId?: string | null;
  actorKind: string;
  actorId?: string | null;
  action: string;
  subjectId?: string | null;
  detail?: Prisma.InputJsonObject;
  address?: string | null;
  requestId?: string | null;
};

/** Writes one line of the audit log, in the transaction of what it tells of. */
export async function insertAudit(tx: Db | Tx, row: AuditRow, id = newId()): Promise<void> {
  const {
    newsletterId = null,
    actorId = null,
    subjectId = null,
    address = null,
    requestId = null,
    detail,
    ...rest
  } = row;
  await tx.auditEntry.create({
    data: {
      id,
      ...rest,
      newsletterId,
      actorId,
      subjectId,
      address,
      requestId,
      detail: detail ?? Prisma.DbNull,
    },
  });
}

/**
 * As `insertAudit`, for what is done bit by bit: the entry is there from the first, and its `people` count up.
 * @param id the entry's own, the same each time
 */
export async function countInAudit(tx: Tx, id: string, row: AuditRow, people: number): Promise<void> {
  const known = await tx.$executeRaw`
    UPDATE audit_entries SET detail = jsonb_set(detail, '{people}', to_jsonb((detail->>'people')::int + ${people}::int))
    WHERE id = ${id}::uuid`;
  if (known === 0) await insertAudit(tx, { ...row, detail: { ...row.detail, people } }, id);
}
