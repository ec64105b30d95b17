import type { Db, Prisma, Tx } from "../../platform/db/client";

export type NewsletterRow = Prisma.NewsletterGetPayload<object>;

export function findNewsletter(db: Db | Tx, id: string): Promise<NewsletterRow | null> {
  return db.newsletter.findUnique({ where: { id } });
}

/** Returns a newsletter with the name of its account. */
export const findNamedNewsletter = (db: Db | Tx, id: string) =>
  db.newsletter.findUnique({ where: { id }, include: { account: { select: { name: true } } } });

/** Stops other transactions from changing the newsletter's definitions (fields and segments) until this one ends. */
export async function lockNewsletter(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw<unknown[]>`SELECT 1 FROM newsletters WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
}

export function insertNewsletter(tx: Tx, newsletter: { id: string; accountId: string; name: string }) {
  return tx.newsletter.create({ data: newsletter });
}

export async function updateNewsletter(tx: Tx, id: string, changes: Partial<NewsletterRow>): Promise<void> {
  await tx.newsletter.update({ where: { id }, data: changes });
}

/** Lists an account's newsletters, oldest first. */
export function listNewsletters(db: Db | Tx, accountId: string) {
  return db.newsletter.findMany({
    where: { accountId },
    orderBy: { id: "asc" },
    select: { id: true, name: true, timeZone: true, archivedAt: true, removeAt: true },
  });
}
