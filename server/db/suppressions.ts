import type { SuppressionReason } from "../contract/suppressions";
import type { Db, Tx } from "./client";

/** Stops confirmations from this newsletter to an address. A stronger reason replaces a weaker one. */
export async function suppress(
  tx: Tx,
  newsletterId: string,
  emailCanonical: string,
  reason: SuppressionReason,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO suppressions AS known (newsletter_id, email_canonical, reason)
    VALUES (${newsletterId}::uuid, ${emailCanonical}, ${reason})
    ON CONFLICT (newsletter_id, email_canonical) DO UPDATE SET reason = EXCLUDED.reason, created_at = now()
      WHERE EXCLUDED.reason = 'denied' AND known.reason <> 'denied'
        OR EXCLUDED.reason = 'complained' AND known.reason = 'bounced'`;
}

/** Why an address is suppressed, and since when; null when it is not. */
export async function findSuppression(
  db: Db | Tx,
  newsletterId: string,
  emailCanonical: string,
): Promise<{ reason: SuppressionReason; createdAt: Date } | null> {
  const row = await db.suppression.findUnique({
    where: { newsletterId_emailCanonical: { newsletterId, emailCanonical } },
    select: { reason: true, createdAt: true },
  });
  return row && { ...row, reason: row.reason as SuppressionReason };
}

/** Ends a suppression for one of these reasons. @returns whether there was one */
export async function liftSuppression(
  tx: Tx,
  newsletterId: string,
  emailCanonical: string,
  reasons: SuppressionReason[],
): Promise<boolean> {
  const { count } = await tx.suppression.deleteMany({
    where: { newsletterId, emailCanonical, reason: { in: reasons } },
  });
  return count > 0;
}
