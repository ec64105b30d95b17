import type { Tx } from "../db/client";
import { type Db, withRetry } from "../db/client";
import {
  lockReported,
  markApplied,
  noteBounce,
  noteProviderFailure,
  noteTime,
  type ReportedMail,
} from "../db/mail-reports";
import { suppress } from "../db/suppressions";
import { parseEmail } from "../domain/email";
import { notSent } from "./reasons";

/**
 * Writes what the provider has reported to the mails that it is about, each report once, in whatever order they come.
 * @param providerIds of these mails; null: of all that are known by now
 * @returns ids of the reports that were applied
 */
export async function applyReports(db: Db, providerIds: string[] | null): Promise<string[]> {
  return withRetry(() =>
    db.$transaction(async (tx) => {
      const reports = await lockReported(tx, providerIds);
      if (reports.length === 0) return [];
      for (const report of reports) await apply(tx, report);
      const ids = reports.map((report) => report.id);
      await markApplied(tx, ids);
      return ids;
    }),
  );
}

async function apply(tx: Tx, report: ReportedMail): Promise<void> {
  const { mailId, at, detail } = report;
  switch (report.kind) {
    case "delayed":
    case "delivered":
      return noteTime(tx, mailId, report.kind, at);
    case "failed":
      return noteProviderFailure(tx, mailId, notSent(detail));
    case "rejected":
      return noteBounce(tx, mailId, at, detail ?? NO_REASON);
    case "bounced":
      await noteBounce(tx, mailId, at, detail ?? NO_REASON);
      return stopWriting(tx, report, "bounced");
    case "complained":
      await noteTime(tx, mailId, "complained", at);
      return stopWriting(tx, report, "complained");
  }
}

const NO_REASON = "No reason was given.";

/** The address of the mail, which may not be its person's any more: that one is written to on. */
async function stopWriting(
  tx: Tx,
  { newsletterId, mailKind, toEmail }: ReportedMail,
  reason: "bounced" | "complained",
): Promise<void> {
  const validation = parseEmail(toEmail);
  if (newsletterId === null || mailKind !== "confirmation" || !validation.ok) return;
  await suppress(tx, newsletterId, validation.canonical, reason);
}
