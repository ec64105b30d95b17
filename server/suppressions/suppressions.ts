import { record, recordChunk } from "../accounts/audit";
import { type OfNewsletter, withTransaction } from "../accounts/context";
import { pageOf } from "../kernel/cursor";
import { parseEmail } from "../kernel/email";
import { AppError, type ItemFault, invalidField } from "../kernel/errors";
import type { Db, Tx } from "../platform/db/client";
import { bulkRejection, repeatFault, separateRepeats } from "../subscribers/bulk-faults";
import type { Ctx } from "../subscribers/context";
import { setStatus } from "../subscribers/set-status";
import { findTaken, forgetUndo, lockAddresses } from "../subscribers/shared-queries";
import { formatTime } from "../subscribers/subscribers";
import {
  countSuppressions,
  deleteSuppression,
  findSuppressed,
  findSuppressionById,
  lockSuppressions,
  pageOfSuppressions,
  type SuppressionFilter,
  type SuppressionRow,
  suppress,
} from "./queries/suppressions";
import type { NewSuppression, SuppressionRecord, SuppressionSource } from "./schema/suppressions";
import { suppressionSource } from "./source";

type SuppressionCtx = Pick<Ctx, "db" | "tx" | "actor" | "requestId">;

function presentSuppression(row: SuppressionRow): SuppressionRecord {
  const { id, email, reason, source, createdAt } = row;
  return { id, email, reason, source, created_at: formatTime(createdAt) };
}

/** A page of suppressions, newest first. @param input limit: 1 to 100 */
export async function listSuppressions(
  { db }: { db: Db },
  { filter, limit, after }: { filter: SuppressionFilter; limit: number; after: string | null },
) {
  // One extra row shows whether there is a next page.
  const [rows, total] = await Promise.all([
    pageOfSuppressions(db, filter, limit + 1, after),
    countSuppressions(db, filter),
  ]);
  const { items, next } = pageOf(rows, limit, ({ id }) => id);
  return { items: items.map(presentSuppression), total, next };
}

const SUPPRESSED = { kind: "suppression", id: null } as const;

/** Addresses to suppress, each once. `continues`: they share the audit entry of an earlier chunk. */
type ToSuppress = OfNewsletter & {
  inputs: NewSuppression[];
  source: SuppressionSource;
  continues: boolean;
};

/**
 * Suppresses addresses and unsubscribes their people, so that no active person has a suppressed address.
 * @returns added: how many addresses are newly suppressed or have a stronger reason; unsubscribed: how many people
 */
function suppressWithPeople(ctx: SuppressionCtx, { inputs, source, continues, ...of }: ToSuppress) {
  const { newsletterId } = of;
  const byCanonical = new Map(inputs.map((input) => [input.email.canonical, input]));
  const canonicals = [...byCanonical.keys()];
  return withTransaction(ctx, async (tx) => {
    await lockSuppressions(tx, newsletterId);
    const people = await lockAddresses(tx, newsletterId, canonicals);
    const left = people.filter(({ status }) => status === "unsubscribed").map(({ id }) => id);
    const leaving = people.filter(({ status }) => status !== "unsubscribed");
    await setStatus(tx, {
      subscribers: leaving,
      to: "unsubscribed",
      actor: ctx.actor,
      cause: SUPPRESSED,
      leftAt: leaving.map(({ emailCanonical }) => byCanonical.get(emailCanonical)?.date ?? null),
    });
    await forgetUndo(tx, newsletterId, left);
    const sourceId = "id" in ctx.actor ? ctx.actor.id : null;
    const rows = inputs.map(({ email, reason, date }) => ({
      newsletterId,
      emailCanonical: email.canonical,
      email: email.email,
      reason,
      source,
      sourceId,
      at: date ?? null,
    }));
    const added = await suppress(tx, rows);
    const chunk = { people: inputs.length, continues };
    await recordChunk(ctx, tx, { ...of, action: "suppressions.added", ...chunk });
    const suppressed = await findSuppressed(tx, newsletterId, canonicals);
    return { suppressed, added, unsubscribed: leaving.length };
  });
}

type SuppressionItem = { index: number; input: NewSuppression };

/**
 * Suppresses up to 100 addresses, all or none. An address that is already suppressed is no error.
 * @returns a record for each address, in the order of the input
 * @throws AppError validation_error with every invalid item and every repeated address
 */
export async function createSuppressions(
  ctx: SuppressionCtx,
  { items, faults, ...of }: OfNewsletter & { items: SuppressionItem[]; faults: ItemFault[] },
): Promise<SuppressionRecord[]> {
  const all = [...faults, ...separateRepeats(items).repeats.map(repeatFault)];
  if (all.length > 0) throw bulkRejection(all, "no addresses were suppressed");
  const inputs = items.map(({ input }) => input);
  const { suppressed } = await suppressWithPeople(ctx, {
    ...of,
    inputs,
    source: suppressionSource(ctx),
    continues: false,
  });
  return inputs.flatMap(({ email }) => {
    const row = suppressed.get(email.canonical);
    return row ? presentSuppression(row) : [];
  });
}

/** Suppresses a chunk of a list from staff. A repeated address counts once, with its first reason. */
export async function addSuppressions(
  ctx: SuppressionCtx,
  chunk: ToSuppress,
): Promise<{ added: number; unsubscribed: number }> {
  const { fresh } = separateRepeats(chunk.inputs.map((input, index) => ({ index, input })));
  const inputs = fresh.map(({ input }) => input);
  const { added, unsubscribed } = await suppressWithPeople(ctx, { ...chunk, inputs });
  return { added, unsubscribed };
}

/** Counts what suppressing these addresses would do. */
export async function checkSuppressions(
  { db }: { db: Db },
  { newsletterId, canonicals }: { newsletterId: string; canonicals: string[] },
): Promise<{ known: number; people: number }> {
  const [known, listed] = await Promise.all([
    findSuppressed(db, newsletterId, canonicals),
    findTaken(db, newsletterId, canonicals),
  ]);
  const people = [...listed.values()].filter(({ status }) => status !== "unsubscribed");
  return { known: known.size, people: people.length };
}

const OWN_OPT_OUT =
  "The person at this address unsubscribed, complained or denied signing up. Only they can lift this suppression, by confirming from their own inbox.";
const UNSUBSCRIBED_PERSON =
  "The person at this address unsubscribed. Only they can lift this suppression, by confirming from their own inbox.";

const stays = (message: string) => invalidField("id", message);

/** Explains why staff and integrations may not lift a suppression; null: they may. */
async function reasonToKeep(tx: Tx, newsletterId: string, row: SuppressionRow): Promise<string | null> {
  if (row.source === "person") return OWN_OPT_OUT;
  const address = row.email === null ? null : parseEmail(row.email);
  if (!address?.ok) return null;
  const [person] = await lockAddresses(tx, newsletterId, [address.canonical]);
  return person?.unsubscribedAt ? UNSUBSCRIBED_PERSON : null;
}

/**
 * Lifts a suppression, so that the address can be added again.
 * @param input why: the staff member's explanation, for the audit log
 * @throws AppError not_found; validation_error on `id` when only the person can lift it
 */
export async function removeSuppression(
  ctx: SuppressionCtx,
  { newsletterId, accountId, id, why = null }: OfNewsletter & { id: string; why?: string | null },
): Promise<SuppressionRecord> {
  return withTransaction(ctx, async (tx) => {
    const row = await findSuppressionById(tx, newsletterId, id);
    if (!row) throw new AppError("not_found", `This newsletter has no suppression with the id ${id}.`);
    const message = await reasonToKeep(tx, newsletterId, row);
    if (message) throw stays(message);
    // The person opted out themselves since the read, or the row was deleted.
    if (!(await deleteSuppression(tx, newsletterId, id))) throw stays(OWN_OPT_OUT);
    const detail = { reason: row.reason, source: row.source, ...(why !== null && { why }) };
    await record(ctx, tx, { accountId, newsletterId, action: "suppression.removed", subjectId: id, detail });
    return presentSuppression(row);
  });
}
