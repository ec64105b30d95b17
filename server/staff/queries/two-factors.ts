import type { Db } from "../../platform/db/client";

type Ciphertexts = { secret: string; backupCodes: string };

/** What authenticator apps and recovery codes are verified by, encrypted. */
export function listTwoFactors(db: Db) {
  return db.staffTwoFactor.findMany({ select: { id: true, secret: true, backupCodes: true } });
}

/** Replaces ciphertexts, unless they have changed meanwhile: then a code was used, or the app set up anew. */
export async function updateTwoFactor(
  db: Db,
  known: Ciphertexts & { id: string },
  fresh: Ciphertexts,
): Promise<void> {
  await db.staffTwoFactor.updateMany({ where: known, data: fresh });
}

/** The secret of a staff member's authenticator app, encrypted; null without one. */
export async function findTwoFactorSecret(db: Db, staffId: string): Promise<string | null> {
  const found = await db.staffTwoFactor.findUnique({ where: { staffId }, select: { secret: true } });
  return found?.secret ?? null;
}

/** Accepts a time step once: only steps later than the last accepted one. @returns whether it was accepted */
export async function acceptStep(db: Db, staffId: string, step: number): Promise<boolean> {
  const { count } = await db.staffTwoFactor.updateMany({
    where: { staffId, lastStep: { lt: step } },
    data: { lastStep: step },
  });
  return count === 1;
}
