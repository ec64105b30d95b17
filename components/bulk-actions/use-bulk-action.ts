import { useTranslations } from "use-intl";
import type { PlainBulkKind } from "@/server/bulk-actions/schema/bulk-actions";
import { useViewer } from "../shell/viewer";
import { api, type Inputs } from "../trpc";
import { notify, notifyError, notifyUndoable } from "../ui/notify";
import { type BulkAction, summaryOf } from "./summary";

/** Individually selected people, or all matching people. */
export type BulkSelection = Inputs["bulkActions"]["start"]["target"];

export function useSummary(): (action: BulkAction) => string {
  const t = useTranslations("bulkActions.summary");
  const tSkipped = useTranslations("bulkActions.skipped");
  return (action) => summaryOf(action, t, tSkipped);
}

/** Shows a running action at once, so its end is noticed even if it comes before the next poll. */
function useShowRunning() {
  const { current } = api.useUtils().bulkActions;
  return (newsletterId: string, action: BulkAction) =>
    current.setData(
      { newsletterId },
      (before) => before && [action, ...before.filter(({ id }) => id !== action.id)],
    );
}

export function useUndo() {
  const summary = useSummary();
  const showRunning = useShowRunning();
  const { newsletterId: here } = useViewer();
  const undo = api.bulkActions.undo.useMutation({
    onSuccess: (action, { newsletterId }) => {
      if (action.state === "undone") notify(summary(action));
      else showRunning(newsletterId, action);
    },
    onError: notifyError,
  });
  return ({ id, newsletterId = here }: { id: string; newsletterId?: string }) =>
    undo.mutate({ newsletterId, id });
}

/** Reports the result of a finished action, with an undo. A running action shows its progress instead. */
export function useOutcome() {
  const summary = useSummary();
  const undo = useUndo();
  const showRunning = useShowRunning();
  const { newsletterId } = useViewer();
  return (action: BulkAction, done?: string) => {
    if (action.state === "running") return void showRunning(newsletterId, action);
    const message = done && action.done > 0 ? done : summary(action);
    if (action.undoUntil) notifyUndoable(message, () => undo(action));
    else notify(message);
  };
}

/** Starts bulk actions. Small ones finish at once, with an undo in the message. Large ones run in the background. */
export function useBulkAction() {
  const { newsletterId } = useViewer();
  const tell = useOutcome();
  const starting = api.bulkActions.start.useMutation();

  /** @param done replaces the summary */
  const start = async (kind: PlainBulkKind, target: BulkSelection, done?: string) =>
    tell(await starting.mutateAsync({ newsletterId, kind, target }), done);
  return { start, busy: starting.isPending };
}
