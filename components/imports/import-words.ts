import type { ImportRecord, ImportState, OutcomeCounts, StatusRule } from "@/server/contract/imports";
import type { StatusLook } from "@/server/contract/mail-states";
import { count } from "../ui/numbers";

export const importLooks: Record<ImportState, StatusLook> = {
  uploading: { word: "Uploading", tone: "off" },
  planned: { word: "Checked", tone: "off" },
  running: { word: "Running", tone: "pending" },
  done: { word: "Done", tone: "active" },
  cancelled: { word: "Cancelled", tone: "off" },
  outdated: { word: "Out of date", tone: "failed" },
  failed: { word: "Failed", tone: "failed" },
  undoing: { word: "Being undone", tone: "pending" },
  undone: { word: "Undone", tone: "off" },
};

/** "Import #41", "readers.csv #41" */
export function importTitle({ fileName, number }: Pick<ImportRecord, "fileName" | "number">): string {
  const kind = fileName ?? "Import";
  return number > 0 ? `${kind} #${count(number)}` : kind;
}

/** How many people of the list an import leaves unchanged. */
export const unchangedBy = (counts: OutcomeCounts) =>
  counts.already_active + counts.already_pending + counts.unsubscribed + counts.suppressed;

/** The form's choices of a status for new people. */
export const ruleWords: Record<StatusRule, string> = {
  list: "As the list says",
  pending: "Pending",
  active: "Active",
};
