import type { Override } from "@/server/imports/list-parser/list-types";
import type { StatusRule } from "@/server/imports/schema/imports";
import { fromServer } from "../texts/server-sentences";
import { type Rejection, rejectionOf } from "../ui/error-of";
import type { Chosen } from "./files/file-types";
import type { NamedFile } from "./files/read-file";
import type { Reading } from "./reading/list-reading";
import type { CheckedPlan } from "./reading/list-worker";

/** A rejection and the part of the page that shows it. */
export type Rejected = Rejection & { by: "editor" | "plan" };

export const editorRejection = (message: string): Rejected => ({
  message,
  errors: {},
  code: null,
  by: "editor",
});

/**
 * The worker sends a plain rejection, because an Error loses its extra properties. The worker has no language and sends
 * the server's sentences in English.
 */
export function workerRejection(thrown: unknown): Rejection {
  if (thrown instanceof Error) return rejectionOf(thrown);
  const rejection = thrown as Rejection;
  return { ...rejection, message: fromServer(rejection.message) };
}

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

/** The list's state, as a store that React reads. */
export class ListStore {
  #state: ListState = {
    opened: false,
    reading: null,
    override: {},
    fileName: null,
    file: null,
    chosenRule: null,
    plan: null,
    isTaking: false,
    isReading: false,
    uploaded: null,
    rejection: null,
  };
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly state = () => this.#state;

  protected set(change: Partial<ListState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** The effective status rule. "list" applies only to a list that states statuses. */
export function statusRuleOf({ chosenRule, reading }: ListState): StatusRule {
  if (reading?.saysStatus) return chosenRule ?? "list";
  return chosenRule === "active" ? "active" : "pending";
}
