import type { Override } from "@/server/imports/list-parser/list-types";
import type { StatusRule } from "@/server/imports/schema/imports";
import type { Rejection } from "../ui/error-of";
import type { Chosen, FilesRead } from "./files/file-types";
import type { CheckedPlan, Reading } from "./reading/messages";

/** What was rejected, and where on the page it is shown. */
export type Rejected = Rejection & { by: "editor" | "plan" };

/** The files that the text was read from, and how; `name` is what the editor called them then. */
export type ListFiles = Pick<FilesRead, "choices" | "remarks"> & {
  files: readonly File[];
  chosen: Chosen;
  name: string | null;
};

export type ListState = {
  /** The draft, if there was one, is in the editor. */
  opened: boolean;
  reading: Reading | null;
  override: Override;
  fileName: string | null;
  files: ListFiles | null;
  /** What the person chose; null: as the list says, where it says something. */
  chosenRule: StatusRule | null;
  plan: CheckedPlan | null;
  /** Files are being read. */
  isTaking: boolean;
  /** The text is being read; what is shown is of the one before. */
  isReading: boolean;
  /** While the list is checked: how much of it is uploaded, from 0 to 1. */
  uploaded: number | null;
  rejection: Rejected | null;
};

/** The rule for status that holds: what the list says is no choice where it says nothing. */
export function statusRuleOf({ chosenRule, reading }: ListState): StatusRule {
  if (reading?.saysStatus) return chosenRule ?? "list";
  return chosenRule === "active" ? "active" : "pending";
}
