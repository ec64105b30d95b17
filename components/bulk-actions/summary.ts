import type { SkippedCounts, SkipReason } from "@/server/bulk-actions/schema/bulk-actions";
import { fromServer } from "../texts/server-sentences";
import type { Texts } from "../texts/texts";
import type { Outputs } from "../trpc";

export type BulkAction = Outputs["bulkActions"]["current"][number];
type SummaryTexts = Texts<"bulkActions.summary">;
type SkippedTexts = Texts<"bulkActions.skipped">;

const largest = (skipped: SkippedCounts) =>
  (Object.entries(skipped) as [SkipReason, number][]).filter(([, n]) => n > 0).sort(([, a], [, b]) => b - a);

/** Lists skipped people by reason, largest first: "3 asked to confirm a minute ago" */
export const describeSkipped = (skipped: SkippedCounts, t: SkippedTexts) =>
  largest(skipped).map(([reason, n]) => t("counted", { n, reason: t(`reason.${reason}`, { n }) }));

/** Says "already active" for changes of status or tags, which is clearer than "no change needed". */
function reasonText(reason: SkipReason, n: number, kind: BulkAction["kind"], t: SkippedTexts): string {
  const changes = kind === "activate" || kind === "unsubscribe" || kind === "tag" || kind === "untag";
  return reason === "already" && changes ? t(`already.${kind}`, { n }) : t(`reason.${reason}`, { n });
}

/** "38 people made active, 4 skipped: 3 unsubscribed, 1 already active" */
function resultText({ kind, done, skipped }: BulkAction, t: SummaryTexts, tSkipped: SkippedTexts): string {
  const result = t(`result.${kind}`, { n: done });
  const parts = largest(skipped);
  if (parts.length === 0) return result;
  const reasons = parts.map(([name, n]) => {
    const reason = reasonText(name, n, kind, tSkipped);
    return parts.length > 1 ? tSkipped("counted", { n, reason }) : reason;
  });
  const n = parts.reduce((sum, [, one]) => sum + one, 0);
  return t("withSkipped", { result, n, reasons: reasons.join(", ") });
}

/** Describes an undo's result, and the people that it left unchanged. */
function undoneText({ kind, done, undone }: BulkAction, t: SummaryTexts): string {
  const numbers = { n: undone, rest: done - undone };
  return kind === "confirm" ? t("undone.confirm", numbers) : t("undone.people", numbers);
}

/** Describes a running action, or the result of a finished one. */
export function summaryOf(action: BulkAction, t: SummaryTexts, tSkipped: SkippedTexts): string {
  if (action.state === "running") return t(`running.${action.kind}`);
  if (action.state === "undoing") return t("undoing");
  if (action.state === "undone") return undoneText(action, t);
  const result = resultText(action, t, tSkipped);
  if (action.state === "cancelled")
    return t(action.kind === "retag" ? "ended.cancelledRetag" : "ended.cancelled", { result });
  if (action.state === "failed") return t("ended.failed", { result, error: fromServer(action.error ?? "") });
  return t("ended.done", { result });
}
