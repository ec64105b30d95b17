import { type AuditRow, countInAudit, insertAudit } from "../db/audit";
import type { Tx } from "../db/client";
import type { Ctx } from "./context";

type Entry = Pick<AuditRow, "accountId" | "newsletterId" | "action" | "subjectId" | "detail">;

type Acting = Pick<Ctx, "actor" | "requestId">;

const byWhom = ({ actor, requestId }: Acting) => ({
  actorKind: actor.kind,
  actorId: "id" in actor ? actor.id : null,
  address: "address" in actor ? (actor.address ?? null) : null,
  requestId,
});

/** Notes who did what, in the transaction of the doing: an act without its entry does not happen. */
export function record(ctx: Acting, tx: Tx, entry: Entry): Promise<void> {
  return insertAudit(tx, { ...entry, ...byWhom(ctx) });
}

/** The same for what is done to people bit by bit: one entry, whose number grows with each transaction. */
export function recordPeople(ctx: Acting, tx: Tx, id: string, entry: Entry, people: number): Promise<void> {
  return countInAudit(tx, id, { ...entry, ...byWhom(ctx) }, people);
}
