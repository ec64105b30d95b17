import type { ProviderReport } from "../../mail/schema/resend-report";
import { type Db, Prisma, type Tx } from "../../platform/db/client";

/**
 * Records a report.
 * @returns whether it is still to be applied; true also for a repeated report that was not applied the first time
 */
export async function noteReport(db: Db, report: ProviderReport): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    INSERT INTO mail_reports AS known (id, provider_id, kind, at, detail)
    VALUES (${report.id}, ${report.providerId}, ${report.kind}, ${report.at}::timestamptz, ${report.detail})
    ON CONFLICT (id) DO UPDATE SET received_at = now() WHERE known.applied_at IS NULL
    RETURNING 1`;
  return rows.length > 0;
}

/** Deletes a report about a mail that is not ours. */
export async function dropReport(db: Db, id: string): Promise<void> {
  await db.mailReport.deleteMany({ where: { id, appliedAt: null } });
}

/** Whether the provider may have mails with ids that are not recorded yet. */
export async function awaitsIds(db: Db): Promise<boolean> {
  return (await db.mailBatch.findFirst({ where: { finishedAt: null }, select: { id: true } })) !== null;
}

export type ReportedMail = ProviderReport & {
  mailId: string;
  newsletterId: string | null;
  subscriberId: string | null;
  mailKind: string;
  toEmail: string;
};

/**
 * Reports that are still to be applied, with their mails. Both are locked until the transaction ends.
 * @param providerIds of these mails; null: of all
 */
export async function lockReported(tx: Tx, providerIds: string[] | null): Promise<ReportedMail[]> {
  const which =
    providerIds === null ? Prisma.empty : Prisma.sql`AND r.provider_id = ANY (${providerIds}::text[])`;
  return tx.$queryRaw<ReportedMail[]>`
    SELECT r.id, r.provider_id AS "providerId", r.kind, r.at, r.detail, m.id AS "mailId", m.kind AS "mailKind",
      m.newsletter_id AS "newsletterId", m.subscriber_id AS "subscriberId", m.to_email AS "toEmail"
    FROM mail_reports r JOIN mails m ON m.provider_id = r.provider_id
    WHERE r.applied_at IS NULL ${which} ORDER BY m.id, r.id LIMIT 1000 FOR UPDATE OF m, r`;
}

/**
 * Records the earliest time of an event on the mail. A mail that arrived was sent, even if the provider reported a
 * failure.
 */
export async function noteTime(
  tx: Tx,
  mailId: string,
  kind: "delayed" | "delivered" | "complained",
  at: Date,
): Promise<void> {
  const column = Prisma.raw(`${kind}_at`);
  await tx.$executeRaw`
    UPDATE mails SET ${column} = least(${column}, ${at}::timestamptz) WHERE id = ${mailId}::uuid`;
  if (kind === "delivered")
    await tx.mail.updateMany({
      where: { id: mailId, state: "failed", errorCode: "provider_failed" },
      data: { state: "sent", errorCode: null, errorMessage: null },
    });
}

/**
 * Records the earliest bounce and its reason. For two at the same time, the alphabetically first reason counts, so that
 * the order of reports does not matter.
 */
export async function noteBounce(tx: Tx, mailId: string, at: Date, reason: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE mails SET bounced_at = ${at}::timestamptz, bounce_reason = ${reason}
    WHERE id = ${mailId}::uuid AND coalesce((${at}::timestamptz, ${reason}) < (bounced_at, bounce_reason), true)`;
}

/** Records that the provider could not send a mail that it had accepted. A mail that arrived stays sent. */
export async function noteProviderFailure(tx: Tx, mailId: string, message: string): Promise<void> {
  await tx.mail.updateMany({
    where: { id: mailId, state: "sent", deliveredAt: null },
    data: { state: "failed", errorCode: "provider_failed", errorMessage: message },
  });
}

/** Marks reports as applied and deletes their text, which the mail now holds. */
export async function markApplied(tx: Tx, ids: string[]): Promise<void> {
  await tx.mailReport.updateMany({
    where: { id: { in: ids } },
    data: { appliedAt: new Date(), detail: null },
  });
}
