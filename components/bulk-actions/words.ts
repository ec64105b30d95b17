import type { BulkAction, BulkActionKind, LeftReason } from "@/server/contract/bulk-actions";
import { count, counted, people } from "../ui/numbers";

const doings: Record<BulkActionKind, string> = {
  confirm: "Sending confirmations",
  activate: "Making people active",
  unsubscribe: "Unsubscribing people",
  erase: "Erasing people",
};

/** What is going on, for a progress bar. */
export const doing = ({ act, state }: BulkAction) => (state === "undoing" ? "Taking it back" : doings[act]);

const results: Record<BulkActionKind, (n: number) => string> = {
  confirm: (n) => `${counted(n, "confirmation")} queued`,
  activate: (n) => `${people(n)} made active`,
  unsubscribe: (n) => `${people(n)} unsubscribed`,
  erase: (n) => `${people(n)} erased`,
};

const reasons: Record<LeftReason, string> = {
  already: "so already",
  unsubscribed: "unsubscribed",
  not_pending: "not pending",
  not_to_be_mailed: "not to be written to",
  on_its_way: "a confirmation is on its way",
  asked_lately: "asked a minute ago",
  asked_often: "asked three times today",
  changed_meanwhile: "changed meanwhile",
};

const alreadyWords: Partial<Record<BulkActionKind, string>> = {
  activate: "active already",
  unsubscribe: "unsubscribed already",
};

/** ", 4 left: 3 asked a minute ago, 1 not pending" */
function leftWords({ act, left }: BulkAction): string {
  const word = (reason: LeftReason) =>
    (reason === "already" ? alreadyWords[act] : undefined) ?? reasons[reason];
  const parts = Object.entries(left) as [LeftReason, number][];
  const all = parts.reduce((sum, [, n]) => sum + n, 0);
  if (all === 0) return "";
  const why = parts
    .sort(([, a], [, b]) => b - a)
    .map(([reason, n]) => (parts.length > 1 ? `${count(n)} ${word(reason)}` : word(reason)));
  return `, ${count(all)} left: ${why.join(", ")}`;
}

/** What an undo came to, with who stays. */
function undoneWords({ act, done, undone }: BulkAction): string {
  const rest = done - undone;
  if (act === "confirm") {
    return `${counted(undone, "confirmation")} taken back${rest > 0 ? `; ${count(rest)} had left already` : ""}.`;
  }
  const stay = rest === 1 ? "1 has changed since and stays" : `${count(rest)} have changed since and stay`;
  return `${people(undone)} as before${rest > 0 ? `; ${stay}` : ""}.`;
}

/** How a run ended. */
export function summary(run: BulkAction): string {
  if (run.state === "undone") return undoneWords(run);
  const done = results[run.act](run.done) + leftWords(run);
  if (run.state === "cancelled") return `Stopped: ${done}; the others are as they were.`;
  if (run.state === "failed") return `${done}. ${run.error}`;
  return `${done}.`;
}
