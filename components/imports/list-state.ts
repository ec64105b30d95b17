import type { Override } from "@/server/imports/list-parser/list-types";
import type { StatusRule } from "@/server/imports/schema/imports";
import type { Rejection } from "../ui/error-of";
import type { Chosen, FilesRead } from "./files/file-types";
import type { CheckedPlan, Reading } from "./reading/messages";

/** A rejection and the part of the page that shows it. */
export type Rejected = Rejection & { by: "editor" | "plan" };

/** The files of the text and how they were read. `name` is their name in the editor at that time. */
export type ListFiles = Pick<FilesRead, "choices" | "remarks"> & {
  files: readonly File[];
  chosen: Chosen;
  name: string | null;
};

export type ListState = {
  /** The editor is ready, including any draft. */
  opened: boolean;
  reading: Reading | null;
  override: Override;
  fileName: string | null;
  files: ListFiles | null;
  /** The user's choice. Null follows the list's own statuses, if it has any. */
  chosenRule: StatusRule | null;
  plan: CheckedPlan | null;
  /** Files are being read. */
  isTaking: boolean;
  /** A reading is under way. The page still shows the previous text's reading. */
  isReading: boolean;
  /** Uploaded share of the list during a check, from 0 to 1; otherwise null. */
  uploaded: number | null;
  rejection: Rejected | null;
};

/** The effective status rule. "list" applies only to a list that states statuses. */
export function statusRuleOf({ chosenRule, reading }: ListState): StatusRule {
  if (reading?.saysStatus) return chosenRule ?? "list";
  return chosenRule === "active" ? "active" : "pending";
}
