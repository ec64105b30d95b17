import type { Db } from "./client";

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
