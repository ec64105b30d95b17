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
export async function insertAudit(tx: Db | Tx, row: AuditRow): Promise<void> {
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
      id: newId(),
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
