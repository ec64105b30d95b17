import { newId } from "../kernel/ids";
import type { Tx } from "../platform/db/client";
import { type ActorContext, actorOf, type OfNewsletter } from "./context";
import { type AuditRow, countInAudit, findEntryUnderWay, insertAudit } from "./queries/audit";
import { findNewsletter } from "./queries/newsletters";

type Entry = Pick<AuditRow, "accountId" | "newsletterId" | "action" | "subjectId" | "detail">;

type AuditCtx = Pick<ActorContext, "actor" | "requestId">;

function rowOf(ctx: AuditCtx, entry: Entry): AuditRow {
  const { kind: actorKind, id: actorId, address } = actorOf(ctx);
  return { ...entry, actorKind, actorId, address, requestId: ctx.requestId };
}

/** Writes an audit entry in the transaction of its change, so that no change is without an entry. */
export function record(ctx: AuditCtx, tx: Tx, entry: Entry): Promise<void> {
  return insertAudit(tx, rowOf(ctx, entry));
}

/**
 * Records that staff or an API key changed a person's address. The entry outlives the person, so it holds no address.
 */
export async function recordAddressChange(
  ctx: AuditCtx,
  tx: Tx,
  { newsletterId, id }: { newsletterId: string; id: string },
): Promise<void> {
  const accountId = (await findNewsletter(tx, newsletterId))?.accountId ?? null;
  await record(ctx, tx, { accountId, newsletterId, action: "subscriber.address_changed", subjectId: id });
}

/** Records a change in several transactions: one entry, whose number of people grows with each transaction. */
export function recordPeople(
  ctx: AuditCtx,
  tx: Tx,
  { id, people, ...entry }: Entry & { id: string; people: number },
): Promise<void> {
  return countInAudit(tx, { id, people, ...rowOf(ctx, entry) });
}

type Growing = OfNewsletter & {
  action: AuditRow["action"];
  people: number;
  /** Whether an earlier chunk came before this one. */
  continues: boolean;
};

/** Records a change that a page sends or reads in chunks. Adds to the same actor's recent entry. */
export async function recordChunk(ctx: AuditCtx, tx: Tx, { continues, ...entry }: Growing): Promise<void> {
  const { id: actorId } = actorOf(ctx);
  const begun = continues ? await findEntryUnderWay(tx, { ...entry, actorId }) : null;
  await recordPeople(ctx, tx, { ...entry, id: begun ?? newId() });
}
