import type { ProviderReport } from "../../mail/schema/resend-report";
import { type Db, Prisma, type Tx } from "../../platform/db/client";

/** Notes a report. @returns whether it is still to be applied: a repeated one is, when the first was cut short */
export async function noteReport(db: Db, report: ProviderReport): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    INSERT INTO mail_reports AS known (id, provider_id, kind, at, detail)
    VALUES (${report.id}, ${report.providerId}, ${report.kind}, ${report.at}::timestamptz, ${report.detail})
    ON CONFLICT (id) DO UPDATE SET received_at = now() WHERE known.applied_at IS NULL
    RETURNING 1`;
  return rows.length > 0;
}

/** Forgets a report of a mail that is none of ours. */
export async function dropReport(db: Db, id: string): Promise<void> {
  await db.mailReport.deleteMany({ where: { id, appliedAt: null } });
}

/** Whether the provider may have mails whose ids we don't know yet. */
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
 * Reports that are still to be applied, with their mails, both locked until the transaction ends.
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

const columns = {
  delayed: Prisma.sql`delayed_at`,
  delivered: Prisma.sql`delivered_at`,
  complained: Prisma.sql`complained_at`,
} as const;

/** Notes the earliest time of something at the mail. What has arrived was sent, though the provider said that it could not. */
export async function noteTime(tx: Tx, mailId: string, kind: keyof typeof columns, at: Date): Promise<void> {
  const column = columns[kind];
  await tx.$executeRaw`
    UPDATE mails SET ${column} = least(${column}, ${at}::timestamptz) WHERE id = ${mailId}::uuid`;
  if (kind === "delivered")
    await tx.mail.updateMany({
      where: { id: mailId, state: "failed", errorCode: "provider_failed" },
      data: { state: "sent", errorCode: null, errorMessage: null },
    });
}

/** Notes the earliest bounce, and its reason; of two at one moment the first by letter, so that the order of reports changes nothing. */
export async function noteBounce(tx: Tx, mailId: string, at: Date, reason: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE mails SET bounced_at = ${at}::timestamptz, bounce_reason = ${reason}
    WHERE id = ${mailId}::uuid AND coalesce((${at}::timestamptz, ${reason}) < (bounced_at, bounce_reason), true)`;
}

/** A mail that the provider had taken and could not send; one that has arrived anyhow stays sent. */
export async function noteProviderFailure(tx: Tx, mailId: string, message: string): Promise<void> {
  await tx.mail.updateMany({
    where: { id: mailId, state: "sent", deliveredAt: null },
    data: { state: "failed", errorCode: "provider_failed", errorMessage: message },
  });
}

/** Marks reports as applied, and forgets what was said: it stands at the mail now. */
export async function markApplied(tx: Tx, ids: string[]): Promise<void> {
  await tx.mailReport.updateMany({
    where: { id: { in: ids } },
    data: { appliedAt: new Date(), detail: null },
  });
}
