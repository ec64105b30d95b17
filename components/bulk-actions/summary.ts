import type { BulkAction, BulkActionKind, SkippedCounts, SkipReason } from "@/server/contract/bulk-actions";
import { count, counted, people } from "../ui/numbers";

type Words = { running: string; done(n: number): string; already?: string };

const kinds: Record<BulkActionKind, Words> = {
  confirm: { running: "Sending confirmations", done: (n) => `${counted(n, "confirmation")} queued` },
  activate: {
    running: "Making people active",
    done: (n) => `${people(n)} made active`,
    already: "already active",
  },
  unsubscribe: {
    running: "Unsubscribing people",
    done: (n) => `${people(n)} unsubscribed`,
    already: "already unsubscribed",
  },
  erase: { running: "Erasing people", done: (n) => `${people(n)} erased` },
  forget: { running: "Erasing people", done: (n) => `${people(n)} erased` },
  tag: { running: "Adding tags", done: (n) => `${people(n)} tagged`, already: "already tagged" },
  untag: {
    running: "Removing tags",
    done: (n) => `Tags removed from ${people(n)}`,
    already: "already without these tags",
  },
  set_field: { running: "Setting a field", done: (n) => `A field of ${people(n)} set` },
  merge: { running: "Merging people", done: (n) => `${people(n)} merged` },
  copy: { running: "Copying people", done: (n) => `${people(n)} copied` },
  move: { running: "Moving people", done: (n) => `${people(n)} moved` },
};

const skippedReasons: Record<SkipReason, string> = {
  already: "no change needed",
  unsubscribed: "unsubscribed",
  not_pending: "not pending",
  not_to_be_mailed: "suppressed",
  on_its_way: "with a confirmation already queued",
  asked_lately: "asked to confirm a minute ago",
  asked_often: "asked to confirm three times today",
  asked_since: "asked to confirm again since",
  changed_meanwhile: "changed in the meantime",
  too_many_tags: "would have more than 100 tags",
};

/** What is going on, for a progress bar. */
export const progressOf = ({ kind, state }: BulkAction) =>
  state === "undoing" ? "Undoing" : kinds[kind].running;

/** Who is skipped, by reason, most first: "3 asked to confirm a minute ago" */
export const skippedReasonsOf = (skipped: SkippedCounts) =>
  largest(skipped).map(([reason, n]) => `${count(n)} ${skippedReasons[reason]}`);

const largest = (skipped: SkippedCounts) =>
  (Object.entries(skipped) as [SkipReason, number][]).filter(([, n]) => n > 0).sort(([, a], [, b]) => b - a);

/** ", 4 skipped: 3 asked to confirm a minute ago, 1 not pending" */
function skippedText({ kind, skipped }: BulkAction): string {
  const parts = largest(skipped);
  if (parts.length === 0) return "";
  const word = (reason: SkipReason) =>
    (reason === "already" && kinds[kind].already) || skippedReasons[reason];
  const why = parts.map(([reason, n]) => (parts.length > 1 ? `${count(n)} ${word(reason)}` : word(reason)));
  const all = parts.reduce((sum, [, n]) => sum + n, 0);
  return `, ${count(all)} skipped: ${why.join(", ")}`;
}

/** What an undo came to, and who stays as they are. */
function undoneText({ kind, done, undone }: BulkAction): string {
  const rest = done - undone;
  if (kind === "confirm") {
    return `${counted(undone, "confirmation")} cancelled${rest > 0 ? `; ${count(rest)} already being sent` : ""}.`;
  }
  const stay =
    rest === 1
      ? "1 was changed since then and was not restored"
      : `${count(rest)} were changed since then and were not restored`;
  return `${people(undone)} restored${rest > 0 ? `; ${stay}` : ""}.`;
}

/** How a bulk action ended. */
export function summaryOf(action: BulkAction): string {
  if (action.state === "undone") return undoneText(action);
  const done = kinds[action.kind].done(action.done) + skippedText(action);
  if (action.state === "cancelled") return `Stopped: ${done}. The others were not changed.`;
  if (action.state === "failed") return `${done}. ${action.error}`;
  return `${done}.`;
}
