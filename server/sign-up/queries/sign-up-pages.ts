import type { Db, Prisma, Tx } from "../../platform/db/client";

export type SignUpPageRow = Prisma.SignUpPageGetPayload<{ include: { wording: true } }>;

/** A newsletter's sign-up page and its present wording; null where staff have set up none. */
export function findSignUpPage(db: Db | Tx, newsletterId: string): Promise<SignUpPageRow | null> {
  return db.signUpPage.findUnique({ where: { newsletterId }, include: { wording: true } });
}

/** A wording that the page has or had. */
export function findWording(db: Db | Tx, newsletterId: string, version: number) {
  return db.signUpWording.findUnique({ where: { newsletterId_version: { newsletterId, version } } });
}

export async function insertWording(
  tx: Tx,
  wording: { newsletterId: string; version: number; text: string },
): Promise<void> {
  await tx.signUpWording.create({ data: wording });
}

/** Writes the page over the one before, whose version the caller has compared. */
export async function writeSignUpPage(
  tx: Tx,
  { newsletterId, ...page }: Omit<SignUpPageRow, "wording">,
): Promise<void> {
  await tx.signUpPage.upsert({
    where: { newsletterId },
    create: { newsletterId, ...page },
    update: page,
  });
}
