import type { Db, Tx } from "../../platform/db/client";

/** What staff have written about a person. */
export type PersonNoteRow = {
  /** Empty once it is removed. */
  text: string;
  /** Counts the changes, from 1. */
  version: number;
  changedAt: Date;
  /** The name of the staff member; null when they are gone. */
  changedBy: string | null;
};

export async function findNote(
  db: Db,
  newsletterId: string,
  subscriberId: string,
): Promise<PersonNoteRow | null> {
  const rows = await db.$queryRaw<PersonNoteRow[]>`
    SELECT n.text, n.version, n.changed_at AS "changedAt", m.name AS "changedBy"
    FROM person_notes n LEFT JOIN staff_members m ON m.id = n.changed_by
    WHERE n.newsletter_id = ${newsletterId}::uuid AND n.subscriber_id = ${subscriberId}::uuid`;
  return rows[0] ?? null;
}

export type NewNote = {
  newsletterId: string;
  subscriberId: string;
  text: string;
  /** Of the note that the writer has read; 0: there was none. */
  version: number;
  staffId: string | null;
};

/** Writes a note over the one of that version. @returns false when it is another by now, which stays */
export async function writeNote(tx: Tx, note: NewNote): Promise<boolean> {
  const { newsletterId, subscriberId, text, version, staffId } = note;
  const written = await tx.$executeRaw`
    INSERT INTO person_notes AS n (newsletter_id, subscriber_id, text, changed_by)
    VALUES (${newsletterId}::uuid, ${subscriberId}::uuid, ${text}, ${staffId}::uuid)
    ON CONFLICT (newsletter_id, subscriber_id) DO UPDATE
      SET text = excluded.text, version = n.version + 1, changed_by = excluded.changed_by, changed_at = now()
      WHERE n.version = ${version}::int`;
  return written === 1;
}
