import { insertEvent } from "../events/shared-queries";
import { parseEmail } from "../kernel/email";
import { notSent } from "../mail/delivery/reasons";
import { personMailKinds } from "../mail/schema/mail-states";
import type { ProviderReport } from "../mail/schema/resend-report";
import { type Db, type Tx, withRetry } from "../platform/db/client";
import type { Ctx } from "../subscribers/context";
import { setStatus } from "../subscribers/set-status";
import { lockAddresses } from "../subscribers/shared-queries";
import { lockSuppressions, suppress } from "../suppressions/shared-queries";
import {
  awaitsIds,
  dropReport,
  lockReported,
  markApplied,
  noteBounce,
  noteProviderFailure,
  noteReport,
  noteTime,
  type ReportedMail,
} from "./queries/reports";

/**
 * Applies a provider's report on a mail once, even if it is repeated. A report may arrive before the answer with the
 * mail's id, or that answer may be lost. The report then waits until the id is known.
 * @returns applied: the mail was updated. waiting: its mail may still become known. ignored: repeated, or not our mail
 */
export async function receiveReport(
  { db }: Pick<Ctx, "db">,
  report: ProviderReport,
): Promise<"applied" | "waiting" | "ignored"> {
  if (!(await noteReport(db, report))) return "ignored";
  // Checked before the lookup of the mail. If no batch is open at this point, all ids are already recorded.
  const open = await awaitsIds(db);
  const applied = await applyReports(db, [report.providerId]);
  if (applied.includes(report.id)) return "applied";
  if (open) return "waiting";
  await dropReport(db, report.id);
  return "ignored";
}

/**
 * Applies reports to their mails, each once, in any order.
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
      return suppressReported(tx, report, "bounced");
    case "complained":
      await noteTime(tx, mailId, "complained", at);
      return suppressReported(tx, report, "complained");
  }
}

const toPeople = new Set<string>(personMailKinds);
const NO_REASON = "No reason was given.";

/**
 * Suppresses the mail's address, which may no longer be its person's; mails to the person's new address continue. A
 * confirmation at the address since then proves that mail arrives, so a late bounce is ignored. A complaint
 * unsubscribes the person.
 */
async function suppressReported(
  tx: Tx,
  { mailId, newsletterId, mailKind, toEmail, detail }: ReportedMail,
  reason: "bounced" | "complained",
): Promise<void> {
  const validation = parseEmail(toEmail);
  if (newsletterId === null || !toPeople.has(mailKind) || !validation.ok) return;
  const emailCanonical = validation.canonical;
  // Locks the address's current owner, perhaps another person than the mail's, and blocks new owners meanwhile.
  await lockSuppressions(tx, newsletterId);
  const subscribers = await lockAddresses(tx, newsletterId, [emailCanonical]);
  const isActive = subscribers.some(({ status }) => status === "active");
  if (isActive && reason === "bounced") return;
  const cause = { kind: "complaint", id: mailId } as const;
  if (isActive) await setStatus(tx, { subscribers, to: "unsubscribed", actor: COMPLAINT, cause });
  const source = reason === "bounced" ? "mail" : "person";
  for (const { id } of subscribers)
    await insertEvent(tx, {
      ...{ newsletterId, kind: reason, subscriberId: id },
      detail: reason === "bounced" ? { reason: detail ?? NO_REASON } : {},
    });
  await suppress(tx, [{ newsletterId, emailCanonical, email: toEmail, reason, source }]);
}

/** A provider's complaint report counts as the person's own act. */
const COMPLAINT = { kind: "link", address: null } as const;
