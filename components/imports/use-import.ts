import { useEffect } from "react";
import { api } from "../trpc";
import { pollWhileUnderWay } from "../ui/progress";
import { DraftStore } from "./reading/draft-store";

export function useImport(newsletterId: string, importId: string) {
  const utils = api.useUtils();
  const query = api.imports.get.useQuery(
    { newsletterId, importId },
    { refetchInterval: pollWhileUnderWay((record) => [record]) },
  );
  const state = query.data?.state;

  useEffect(() => {
    if (state !== "done" && state !== "undone") return;
    void utils.people.invalidate();
    void utils.newsletters.overview.invalidate();
    void utils.imports.list.invalidate();
    // The import's emails are queued now, and can be cancelled only briefly.
    void utils.mailings.open.invalidate();
    if (state === "done") void forgetDraft(newsletterId, importId);
  }, [state, newsletterId, importId, utils]);

  return query;
}

/** Deletes the draft of an imported list. */
async function forgetDraft(newsletterId: string, importId: string): Promise<void> {
  const drafts = new DraftStore();
  const draft = await drafts.find(newsletterId);
  if (draft?.importId === importId) await drafts.save(newsletterId, { ...draft, text: "" });
}
