import { type AuditRow, countInAudit, insertAudit } from "../db/audit";
import type { Tx } from "../db/client";
import type { Ctx } from "./context";

type Entry = Pick<AuditRow, "accountId" | "newsletterId" | "action" | "subjectId" | "detail">;
type Author = Pick<Ctx, "actor" | "requestId">;

const authorOf = ({ actor, requestId }: Author) => ({
  actorKind: actor.kind,
  actorId: "id" in actor ? actor.id : null,
  address: "address" in actor ? (actor.address ?? null) : null,
  requestId,
});

/** Writes who did what, in the transaction of the change: neither is there without the other. */
export function record(ctx: Author, tx: Tx, entry: Entry): Promise<void> {
  return insertAudit(tx, { ...entry, ...authorOf(ctx) });
}

/** The same for a change that takes several transactions: one entry, whose number of people grows with each. */
export function recordPeople(
  ctx: Author,
  tx: Tx,
  { id, people, ...entry }: Entry & { id: string; people: number },
): Promise<void> {
  return countInAudit(tx, { id, people, ...entry, ...authorOf(ctx) });
}
