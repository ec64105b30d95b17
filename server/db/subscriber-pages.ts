import type { Status } from "../domain/status-moves";
import { type Db, Prisma, type Tx } from "./client";

export type SubscriberRow = {
  id: string;
  newsletterId: string;
  email: string;
  emailCanonical: string;
  firstName: string;
  lastName: string;
  status: Status;
  version: number;
  createdAt: Date;
};

const columns = Prisma.sql`id, newsletter_id AS "newsletterId", email, email_canonical AS "emailCanonical",
  first_name AS "firstName", last_name AS "lastName", status, version, created_at AS "createdAt"`;

/** Which people a list is about; an absent filter does not narrow it. */
export type SubscriberFilter = { newsletterId: string; status?: Status; emailCanonical?: string };

function where({ newsletterId, status, emailCanonical }: SubscriberFilter): Prisma.Sql {
  const parts = [Prisma.sql`newsletter_id = ${newsletterId}::uuid`];
  if (status) parts.push(Prisma.sql`status = ${status}`);
  if (emailCanonical !== undefined) parts.push(Prisma.sql`email_canonical = ${emailCanonical}`);
  return Prisma.join(parts, " AND ");
}

/** One person, or null. @param lock holds the row until the transaction ends */
export async function findSubscriber(
  db: Db | Tx,
  newsletterId: string,
  id: string,
  lock = false,
): Promise<SubscriberRow | null> {
  const rows = await db.$queryRaw<SubscriberRow[]>`
    SELECT ${columns} FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid AND id = ${id}::uuid
    ${lock ? Prisma.sql`FOR UPDATE` : Prisma.empty}`;
  return rows[0] ?? null;
}

/** No person's id: none is as low or as high. */
const LOWEST = "00000000-0000-0000-0000-000000000000";
const HIGHEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * A page of people, newest first: ids are UUID v7, so their order is that of creation.
 * @param from the id that the page begins after, or how many people to pass over (whose cost grows with it)
 */
export async function pageOfSubscribers(
  db: Db,
  filter: SubscriberFilter,
  limit: number,
  from: { after: string } | { offset: number } | null,
): Promise<SubscriberRow[]> {
  const after = from && "after" in from ? from.after : null;
  const offset = from && "offset" in from ? Prisma.sql`OFFSET ${from.offset}` : Prisma.empty;
  const { newsletterId, status, emailCanonical } = filter;
  if (status && emailCanonical === undefined) {
    // As bounds of a row instead of equations: the planner would otherwise read the newsletter newest first and leave
    // out who has another status, trusting in there being one soon; of a list whose newer half left that is all of it.
    const place = (id: string) => Prisma.sql`(${status}, ${newsletterId}::uuid, ${id}::uuid)`;
    return db.$queryRaw<SubscriberRow[]>`
      SELECT ${columns} FROM subscribers
      WHERE (status, newsletter_id, id) > ${place(LOWEST)} AND (status, newsletter_id, id) < ${place(after ?? HIGHEST)}
      ORDER BY status DESC, newsletter_id DESC, id DESC LIMIT ${limit} ${offset}`;
  }
  const behind = after === null ? Prisma.empty : Prisma.sql`AND id < ${after}::uuid`;
  return db.$queryRaw<SubscriberRow[]>`
    SELECT ${columns} FROM subscribers WHERE ${where(filter)} ${behind} ORDER BY id DESC LIMIT ${limit} ${offset}`;
}

/** How many people there are, exactly, at the same cost for any number of them. */
export async function countSubscribers(db: Db, filter: SubscriberFilter): Promise<number> {
  const { newsletterId, status, emailCanonical } = filter;
  const rows =
    emailCanonical === undefined
      ? await db.$queryRaw<{ total: number }[]>`
          SELECT coalesce(sum(people), 0)::int AS total FROM subscriber_counts
          WHERE newsletter_id = ${newsletterId}::uuid ${status ? Prisma.sql`AND status = ${status}` : Prisma.empty}`
      : await db.$queryRaw<
          { total: number }[]
        >`SELECT count(*)::int AS total FROM subscribers WHERE ${where(filter)}`;
  return rows[0]?.total ?? 0;
}

export type SubscriberChange = {
  email?: string;
  emailCanonical?: string;
  firstName?: string;
  lastName?: string;
  status?: Status;
};

/**
 * Writes a change and counts the version up. Moving to unsubscribed notes when; moving away from it forgets that.
 * @throws what `isUniqueViolation` recognises, when the new address belongs to someone else: the index is the validate
 */
export async function updateSubscriber(tx: Tx, row: SubscriberRow, change: SubscriberChange): Promise<void> {
  const next = { ...row, ...change };
  await tx.$executeRaw`
    UPDATE subscribers SET email = ${next.email}, email_canonical = ${next.emailCanonical},
      first_name = ${next.firstName}, last_name = ${next.lastName}, status = ${next.status}, version = version + 1,
      unsubscribed_at = CASE WHEN ${next.status} <> 'unsubscribed' THEN NULL ELSE coalesce(unsubscribed_at, now()) END
    WHERE newsletter_id = ${row.newsletterId}::uuid AND id = ${row.id}::uuid`;
}
