import { useEffect } from "react";
import { api } from "../trpc";
import { pollWhileUnderWay } from "../ui/progress";
import { DraftStore } from "./reading/draft-store";

/** One import as it is now. */
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
    // Its mails wait from this moment, and not for long.
    void utils.mailings.open.invalidate();
    if (state === "done") void forgetDraft(newsletterId, importId);
  }, [state, newsletterId, importId, utils]);

  return query;
}

/** The list is imported: its draft is no longer needed. */
async function forgetDraft(newsletterId: string, importId: string): Promise<void> {
  const drafts = new DraftStore();
  const draft = await drafts.find(newsletterId);
  if (draft?.importId === importId) await drafts.drop(newsletterId);
}
