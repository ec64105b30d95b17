import type { ProviderReport } from "../contract/resend-report";
import { awaitsIds, dropReport, noteReport } from "../db/mail-reports";
import { applyReports } from "../mail/reports";
import type { Ctx } from "./context";

/**
 * Takes what the provider says of a mail: once, however often it is said. A report may be quicker than the answer that
 * tells us the mail's id, or that answer may be lost; then it waits until the id is known.
 * @returns applied: the mail says so now. waiting: its mail may still become known. ignored: said before, or no mail of ours
 */
export async function takeReport(
  { db }: Pick<Ctx, "db">,
  report: ProviderReport,
): Promise<"applied" | "waiting" | "ignored"> {
  if (!(await noteReport(db, report))) return "ignored";
  // Asked before the mail is looked for: when nothing is open by then, every id there will be can be found.
  const open = await awaitsIds(db);
  const applied = await applyReports(db, [report.providerId]);
  if (applied.includes(report.id)) return "applied";
  if (open) return "waiting";
  await dropReport(db, report.id);
  return "ignored";
}
