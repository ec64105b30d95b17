import type { Ctx } from "../context";
import { type AuditRow, insertAudit } from "../db/audit";
import type { Tx } from "../db/client";

type Entry = Pick<AuditRow, "accountId" | "newsletterId" | "action" | "subjectId" | "detail">;

/** Notes who did what, in the transaction of the doing: an act without its entry does not happen. */
export function record(ctx: Pick<Ctx, "actor" | "requestId">, tx: Tx, entry: Entry): Promise<void> {
  const { actor, requestId } = ctx;
  return insertAudit(tx, {
    ...entry,
    actorKind: actor.kind,
    actorId: "id" in actor ? actor.id : null,
    address: "address" in actor ? (actor.address ?? null) : null,
    requestId,
  });
}
