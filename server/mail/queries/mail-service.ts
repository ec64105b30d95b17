import type { Db, Tx } from "../../platform/db/client";

/** @property apiKey encrypted, as is webhookSecret */
export type StoredMailService = { apiKey: string; sender: string; webhookSecret: string | null };

export function findMailService(db: Db | Tx): Promise<StoredMailService | null> {
  return db.mailService.findFirst({ select: { apiKey: true, sender: true, webhookSecret: true } });
}

/** Without a webhookSecret the stored one stays. */
export async function saveMailService(
  tx: Tx,
  service: Omit<StoredMailService, "webhookSecret"> & { webhookSecret?: string },
): Promise<void> {
  await tx.mailService.upsert({ where: { one: true }, create: service, update: service });
}

/** Replaces the encrypted values, unless they were replaced meanwhile. */
export async function renewMailSecrets(
  db: Db,
  { apiKey, webhookSecret }: StoredMailService,
  renewed: Pick<StoredMailService, "apiKey" | "webhookSecret">,
): Promise<void> {
  await db.mailService.updateMany({ where: { apiKey, webhookSecret }, data: renewed });
}

/** @returns whether a mail service was stored */
export async function deleteMailService(tx: Tx): Promise<boolean> {
  return (await tx.mailService.deleteMany()).count > 0;
}
