import type { Override } from "@/server/imports/list-parser/list-types";
import type { StatusRule } from "@/server/imports/schema/imports";
import type { Rejection } from "../ui/error-of";
import type { Chosen } from "./files/file-types";
import type { NamedFile } from "./files/read-file";
import type { Reading } from "./reading/list-reading";
import type { CheckedPlan } from "./reading/list-worker";

/** A rejection and the part of the page that shows it. */
export type Rejected = Rejection & { by: "editor" | "plan" };

/** The text's file and how it was read. */
type ListFile = Omit<NamedFile, "text"> & { file: File; chosen: Chosen };

export type ListState = {
  /** The editor is ready, including any draft. */
  opened: boolean;
  reading: Reading | null;
  override: Override;
  fileName: string | null;
  file: ListFile | null;
  /** The user's choice. Null follows the list's own statuses, if it has any. */
  chosenRule: StatusRule | null;
  plan: CheckedPlan | null;
  /** A file is being read. */
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
