import type { Db, Tx } from "../../platform/db/client";

export type PersonNoteRow = {
  /** Empty after the note is removed. */
  text: string;
  /** Counts the changes, from 1. */
  version: number;
  changedAt: Date;
  /** The name of the staff member; null after they were removed. */
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
  /** The version that the writer read; 0: there was no note. */
  version: number;
  staffId: string | null;
};

/** Replaces a note of this version. @returns false when the note has another version; then it stays unchanged */
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
