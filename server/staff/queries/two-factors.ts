import type { Db } from "../../platform/db/client";

type Ciphertexts = { secret: string; backupCodes: string };

/** Lists the encrypted authenticator app secrets and recovery codes. */
export function listTwoFactors(db: Db) {
  return db.staffTwoFactor.findMany({ select: { id: true, secret: true, backupCodes: true } });
}

/** Replaces ciphertexts, unless they changed meanwhile: a recovery code was used, or the app was set up again. */
export async function updateTwoFactor(
  db: Db,
  known: Ciphertexts & { id: string },
  fresh: Ciphertexts,
): Promise<void> {
  await db.staffTwoFactor.updateMany({ where: known, data: fresh });
}

/** Returns the encrypted secret of a staff member's authenticator app; null without an app. */
export async function findTwoFactorSecret(db: Db, staffId: string): Promise<string | null> {
  const found = await db.staffTwoFactor.findUnique({ where: { staffId }, select: { secret: true } });
  return found?.secret ?? null;
}

/** Accepts a time step once, and only if it is later than the last accepted step. @returns whether it was accepted */
export async function acceptStep(db: Db, staffId: string, step: number): Promise<boolean> {
  const { count } = await db.staffTwoFactor.updateMany({
    where: { staffId, lastStep: { lt: step } },
    data: { lastStep: step },
  });
  return count === 1;
}
