import type { Db, Prisma, Tx } from "../../platform/db/client";

export type SignUpPageRow = Prisma.SignUpPageGetPayload<{ include: { wording: true } }>;

/** Returns a newsletter's sign-up page with its current wording; null when staff haven't set up a page. */
export function findSignUpPage(db: Db | Tx, newsletterId: string): Promise<SignUpPageRow | null> {
  return db.signUpPage.findUnique({ where: { newsletterId }, include: { wording: true } });
}

/** Returns one version of the page's wording. */
export function findWording(db: Db | Tx, newsletterId: string, version: number) {
  return db.signUpWording.findUnique({ where: { newsletterId_version: { newsletterId, version } } });
}

export async function insertWording(
  tx: Tx,
  wording: { newsletterId: string; version: number; text: string },
): Promise<void> {
  await tx.signUpWording.create({ data: wording });
}

/** Writes the page. The caller has compared the version of the existing page. */
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
