import type { BulkActionKind, BulkActionState, LeftReasons } from "../contract/bulk-actions";
import type { Status } from "../domain/status-moves";
import { type Db, Prisma, type Tx } from "./client";
import { conditionOf, type PeopleFilter } from "./people-filter";

export type BulkActionRow = {
  id: string;
  newsletterId: string;
  accountId: string;
  staffId: string | null;
  by: string | null;
  address: string | null;
  act: BulkActionKind;
  /** As it was saved: times are text. Null: those chosen by hand. */
  filter: Record<string, string> | null;
  state: BulkActionState;
  total: number;
  done: number;
  reasons: LeftReasons;
  after: string | null;
  undone: number;
  undoId: string | null;
  tries: number;
  error: string | null;
  undoUntil: Date | null;
};

/** How long a run can be taken back, and what that needs is kept. */
const UNDO = Prisma.sql`interval '24 hours'`;

const undoable = Prisma.sql`
  r.act <> 'erase' AND r.done > 0 AND r.state IN ('done', 'cancelled', 'failed') AND r.ended_at > now() - ${UNDO}`;

const selected = Prisma.sql`
  SELECT r.id, r.newsletter_id AS "newsletterId", n.account_id AS "accountId", r.staff_id AS "staffId", m.name AS by,
    r.address, r.act, r.filter, r.state, r.total, r.done, r.reasons, r.after, r.undone, r.undo_id AS "undoId", r.tries, r.error,
    CASE WHEN ${undoable} THEN r.ended_at + ${UNDO} END AS "undoUntil"
  FROM bulk_actions r JOIN newsletters n ON n.id = r.newsletter_id LEFT JOIN staff_members m ON m.id = r.staff_id`;

export type NewRun = {
  id: string;
  newsletterId: string;
  staffId: string | null;
  address: string | null;
  act: BulkActionKind;
  filter: object | null;
  ids: string[] | null;
  total: number;
  /** People with this id and higher ones are not meant; null: everybody is. */
  below: string | null;
};

export async function insertRun(tx: Db | Tx, run: NewRun): Promise<void> {
  const filter = run.filter && JSON.stringify(run.filter);
  await tx.$executeRaw`
    INSERT INTO bulk_actions (id, newsletter_id, staff_id, address, act, filter, ids, state, total, after)
    VALUES (${run.id}::uuid, ${run.newsletterId}::uuid, ${run.staffId}::uuid, ${run.address}, ${run.act},
      ${filter}::jsonb, ${run.ids}::uuid[], 'running', ${run.total}::int, ${run.below}::uuid)`;
}

export async function findRun(db: Db | Tx, newsletterId: string, id: string): Promise<BulkActionRow | null> {
  const rows = await db.$queryRaw<BulkActionRow[]>`
    ${selected} WHERE r.newsletter_id = ${newsletterId}::uuid AND r.id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** Runs under way, anybody's; and those of this staff member that ended in the last day and were not put away. */
export async function listRuns(db: Db, newsletterId: string, staffId: string): Promise<BulkActionRow[]> {
  return db.$queryRaw<BulkActionRow[]>`
    ${selected} WHERE r.newsletter_id = ${newsletterId}::uuid AND r.created_at > now() - interval '30 days'
      AND (r.state IN ('running', 'undoing')
        OR (r.staff_id = ${staffId}::uuid AND r.seen_at IS NULL AND r.ended_at > now() - ${UNDO}))
    ORDER BY r.id DESC LIMIT 5`;
}

/** Which of these are runs that can be taken back now. */
export async function listUndoable(db: Db, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT r.id FROM bulk_actions r WHERE r.id = ANY (${ids}::uuid[]) AND ${undoable}`;
  return rows.map((row) => row.id);
}

/** Runs whose next chunk is due, the longest waiting first. */
export async function listDue(db: Db, limit: number): Promise<BulkActionRow[]> {
  return db.$queryRaw<BulkActionRow[]>`
    ${selected} WHERE r.state IN ('running', 'undoing') AND r.due_at <= now() ORDER BY r.due_at LIMIT ${limit}`;
}

/**
 * Makes this transaction the one that goes on with the run from where it was read: nobody else can until it ends, however
 * it ends. @returns false when somebody is at it, or has been since
 */
export async function claimRun(tx: Tx, { id, state, after }: BulkActionRow): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM bulk_actions WHERE id = ${id}::uuid AND state = ${state} AND after IS NOT DISTINCT FROM ${after}::uuid
    FOR UPDATE SKIP LOCKED`;
  return rows.length > 0;
}

/** The next of those chosen by hand, highest ids first. */
export async function nextChosen(db: Db, id: string, after: string | null, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT chosen.id FROM bulk_actions r, unnest(r.ids) AS chosen (id)
    WHERE r.id = ${id}::uuid AND (${after}::uuid IS NULL OR chosen.id < ${after}::uuid) ORDER BY chosen.id DESC LIMIT ${limit}`;
  return rows.map((row) => row.id);
}

/** Who of people that `lockPeople` holds still matches: somebody may have confirmed since the page was read. */
export async function stillMatching(tx: Tx, filter: PeopleFilter, ids: string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT s.id FROM subscribers s WHERE ${conditionOf(filter, "raw")} AND s.id = ANY (${ids}::uuid[])`;
  return new Set(rows.map((row) => row.id));
}

/** Notes a chunk's progress, in its own transaction. @param after null: it was the last */
export async function noteProgress(
  tx: Tx,
  id: string,
  { done, left, after }: { done: number; left: LeftReasons; after: string | null },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE bulk_actions SET done = done + ${done}::int, tries = 0, due_at = now(), after = coalesce(${after}::uuid, after),
      reasons = (
        SELECT coalesce(jsonb_object_agg(why, people), '{}') FROM (
          SELECT key AS why, sum(value::int) AS people
          FROM (SELECT * FROM jsonb_each_text(reasons) UNION ALL SELECT * FROM jsonb_each_text(${JSON.stringify(left)}::jsonb)) AS parts
          GROUP BY key
        ) AS sums
      ),
      state = CASE WHEN ${after}::uuid IS NULL THEN 'done' ELSE state END,
      ended_at = CASE WHEN ${after}::uuid IS NULL THEN now() END
    WHERE id = ${id}::uuid`;
}

/** Postpones a run whose chunk failed; after so many failures in a row it ends with `error`. */
export async function noteFailure(db: Db, id: string, error: string, maxTries: number): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_actions SET tries = tries + 1, due_at = now() + make_interval(secs => least(power(2, tries), 30)),
      state = CASE WHEN tries + 1 >= ${maxTries}::int THEN 'failed' ELSE state END,
      error = CASE WHEN tries + 1 >= ${maxTries}::int THEN ${error} END,
      ended_at = CASE WHEN tries + 1 >= ${maxTries}::int THEN coalesce(ended_at, now()) ELSE ended_at END
    WHERE id = ${id}::uuid AND state IN ('running', 'undoing')`;
}

/** Stops a run between two chunks. @returns whether it was running */
export async function cancelRun(tx: Tx, newsletterId: string, id: string): Promise<boolean> {
  const stopped = await tx.$executeRaw`
    UPDATE bulk_actions SET state = 'cancelled', ended_at = now()
    WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND state = 'running'`;
  return stopped === 1;
}

/** Begins to take a run back, once; from then on it is the run of who takes it back. @returns whether this transaction is the one */
export async function beginUndo(
  tx: Tx,
  newsletterId: string,
  id: string,
  { staffId, address, undoId }: { staffId: string | null; address: string | null; undoId: string },
): Promise<boolean> {
  const begun = await tx.$executeRaw`
    UPDATE bulk_actions r SET state = 'undoing', undo_id = ${undoId}::uuid, after = NULL, tries = 0, due_at = now(), error = NULL,
      staff_id = ${staffId}::uuid, address = ${address}, seen_at = NULL
    WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND ${undoable}`;
  return begun === 1;
}

/** Notes a chunk of an undo. @param after null: it was the last */
export async function noteUndone(
  tx: Tx,
  id: string,
  { undone, after }: { undone: number; after: string | null },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE bulk_actions SET undone = undone + ${undone}::int, tries = 0, due_at = now(), after = coalesce(${after}::uuid, after),
      state = CASE WHEN ${after}::uuid IS NULL THEN 'undone' ELSE state END
    WHERE id = ${id}::uuid`;
}

/** Puts a summary away, for who asked for the run. */
export async function putAway(db: Db | Tx, newsletterId: string, id: string, staffId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_actions SET seen_at = now()
    WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND staff_id = ${staffId}::uuid`;
}

/** Remembers how people are whom `moveMany` is about to move, and which confirmation that takes back. */
export async function rememberMoved(
  tx: Tx,
  runId: string,
  newsletterId: string,
  ids: string[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO bulk_action_changes (run_id, subscriber_id, was, unsubscribed_at, version, mail_id, mail_deferred_until)
    SELECT ${runId}::uuid, s.id, s.status, s.unsubscribed_at, s.version + 1, mail.id, mail.deferred_until
    FROM subscribers s LEFT JOIN LATERAL (
      SELECT m.id, m.deferred_until FROM mails m
      WHERE m.newsletter_id = s.newsletter_id AND m.subscriber_id = s.id AND m.kind = 'confirmation' AND m.state IN ('waiting', 'deferred')
      ORDER BY m.id DESC LIMIT 1
    ) AS mail ON true
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ANY (${ids}::uuid[])`;
}

/** Forgets how people were who are asked once more to be what they are by now: then no undo changes them back. */
export async function forgetBefore(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.$executeRaw`DELETE FROM bulk_action_changes WHERE subscriber_id = ANY (${ids}::uuid[])`;
}

/** Remembers which confirmation was posted to target. */
export async function rememberAsked(tx: Tx, runId: string, ids: string[], mailIds: string[]): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO bulk_action_changes (run_id, subscriber_id, was, version, mail_id)
    SELECT ${runId}::uuid, subscriber_id, 'pending', 0, mail_id
    FROM unnest(${ids}::uuid[], ${mailIds}::uuid[]) AS asked (subscriber_id, mail_id)`;
}

/** Whom the run did something to, from where the undo stands; in the order of ids. */
export async function nextChanged(
  tx: Tx,
  runId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT subscriber_id AS id FROM bulk_action_changes
    WHERE run_id = ${runId}::uuid AND (${after}::uuid IS NULL OR subscriber_id > ${after}::uuid)
    ORDER BY subscriber_id LIMIT ${limit}`;
  return rows.map((row) => row.id);
}

/**
 * Puts people whom `lockPeople` holds back as they were, but for who has changed or complained since, and lets the confirmations that the
 * act took back leave after all. @returns who is as before, by the status they have again
 */
export async function putBack(
  tx: Tx,
  runId: string,
  newsletterId: string,
  ids: string[],
): Promise<{ id: string; status: Status }[]> {
  const back = await tx.$queryRaw<{ id: string; status: Status }[]>`
    UPDATE subscribers s SET status = c.was, unsubscribed_at = c.unsubscribed_at, version = s.version + 1
    FROM bulk_action_changes c JOIN bulk_actions r ON r.id = c.run_id
    WHERE c.run_id = ${runId}::uuid AND c.subscriber_id = ANY (${ids}::uuid[])
      AND s.newsletter_id = ${newsletterId}::uuid AND s.id = c.subscriber_id AND s.version = c.version
      AND NOT EXISTS (SELECT 1 FROM suppressions x WHERE x.newsletter_id = s.newsletter_id
        AND x.email_canonical = s.email_canonical AND x.created_at > r.created_at)
    RETURNING s.id, s.status`;
  const pending = back.filter((person) => person.status === "pending").map((person) => person.id);
  await tx.$executeRaw`
    UPDATE mails m SET state = CASE WHEN c.mail_deferred_until > now() THEN 'deferred' ELSE 'waiting' END,
      deferred_until = CASE WHEN c.mail_deferred_until > now() THEN c.mail_deferred_until END, finished_at = NULL
    FROM bulk_action_changes c
    WHERE c.run_id = ${runId}::uuid AND c.subscriber_id = ANY (${pending}::uuid[])
      AND m.newsletter_id = ${newsletterId}::uuid AND m.id = c.mail_id AND m.state = 'cancelled' AND m.link_expires_at > now()`;
  return back;
}

/** Takes back the confirmations of these people that the run posted and that have not left. @returns whose */
export async function takeMailsBack(
  tx: Tx,
  runId: string,
  newsletterId: string,
  ids: string[],
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE mails m SET state = 'cancelled', deferred_until = NULL, finished_at = now()
    FROM bulk_action_changes c
    WHERE c.run_id = ${runId}::uuid AND c.subscriber_id = ANY (${ids}::uuid[])
      AND m.newsletter_id = ${newsletterId}::uuid AND m.id = c.mail_id AND m.state IN ('waiting', 'deferred', 'logged')
    RETURNING m.subscriber_id AS id`;
  return rows.map((row) => row.id);
}
