import { useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import type { BulkActionKind } from "@/server/contract/bulk-actions";
import { useViewer } from "../shell/viewer";
import { api, type Inputs, type Outputs } from "../trpc";
import { notify, notifyError, notifyUndoable } from "../ui/notify";
import { summary } from "./words";

/** Whom: those chosen by hand, or everybody who matches. */
export type BulkTarget = Inputs["bulkActions"]["start"]["target"];

/** So many rows change their status at once, before the server has said yes. */
const SHOWN_AT_ONCE = 50;

/** Everything that people's being changed may show in. */
export function useRefreshPeople() {
  const utils = api.useUtils();
  return () =>
    Promise.all([
      utils.people.invalidate(),
      utils.mails.invalidate(),
      utils.newsletters.invalidate(),
      utils.account.auditLog.invalidate(),
    ]);
}

/** Changes the status of rows on the screen ahead of the server. @returns puts them back */
function useAhead() {
  const client = useQueryClient();
  const pages = { queryKey: getQueryKey(api.people.page) };
  return (act: BulkActionKind, target: BulkTarget): (() => void) => {
    if (!("ids" in target) || target.ids.length > SHOWN_AT_ONCE) return () => {};
    if (act !== "activate" && act !== "unsubscribe") return () => {};
    const ids = new Set(target.ids);
    const to = act === "activate" ? ("active" as const) : ("unsubscribed" as const);
    const before = client.getQueriesData<Outputs["people"]["page"]>(pages);
    client.setQueriesData<Outputs["people"]["page"]>(
      pages,
      (page) =>
        page && {
          ...page,
          people: page.people.map((person) =>
            // Nobody is brought back who left; the server says so, too.
            ids.has(person.id) && !(act === "activate" && person.status === "unsubscribed")
              ? { ...person, status: to }
              : person,
          ),
        },
    );
    return () => {
      for (const [key, page] of before) client.setQueryData(key, page);
    };
  };
}

/** Takes a run back, and says what came of it. */
export function useUndo() {
  const { newsletterId: here } = useViewer();
  const utils = api.useUtils();
  const refresh = useRefreshPeople();
  const undo = api.bulkActions.undo.useMutation({
    onSuccess: (run) => {
      if (run.state === "undone") notify(summary(run));
      void utils.bulkActions.invalidate();
      void refresh();
    },
    onError: notifyError,
  });
  return ({ id, newsletterId = here }: { id: string; newsletterId?: string }) =>
    undo.mutate({ newsletterId, runId: id });
}

/** Does one thing to people: a few at once, with an undo beside what was done; many in the background, wherever one goes. */
export function useRun() {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const refresh = useRefreshPeople();
  const showAhead = useAhead();
  const undo = useUndo();
  const start = api.bulkActions.start.useMutation();

  /** @returns whether it was begun; why not has been said */
  async function run(act: BulkActionKind, target: BulkTarget, said?: string): Promise<boolean> {
    // What is being read would undo what is shown ahead.
    await utils.people.page.cancel();
    const putBack = showAhead(act, target);
    try {
      const begun = await start.mutateAsync({ newsletterId, act, target });
      if (begun.state === "running") {
        await utils.bulkActions.current.invalidate();
        return true;
      }
      const message = said && begun.done > 0 ? said : summary(begun);
      if (begun.undoUntil) notifyUndoable(message, () => undo(begun));
      else notify(message);
      void refresh();
      return true;
    } catch (error) {
      putBack();
      notifyError(error);
      return false;
    }
  }
  return { run, busy: start.isPending };
}
