import { useEffect } from "react";
import type { ImportRecord } from "@/server/imports/schema/imports";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { notifyError } from "../ui/notify";
import { pollWhileUnderWay } from "../ui/progress";
import { findDraft, saveDraft } from "./reading/draft-store";

/** Reads an import, again and again while it or its undo runs. Its end changes other lists, too. */
export function useImport(importId: string) {
  const { newsletterId } = useViewer();
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

async function forgetDraft(newsletterId: string, importId: string): Promise<void> {
  const draft = await findDraft(newsletterId);
  if (draft?.importId === importId) await saveDraft(newsletterId, { ...draft, text: "" });
}

/** Returns a function that shows an import's new state at once, before the page reads it again. */
export function useShowImport(): (record: ImportRecord) => void {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  return (record) => utils.imports.get.setData({ newsletterId, importId: record.id }, record);
}

export const useCancelImport = () =>
  api.imports.cancel.useMutation({ onSuccess: useShowImport(), onError: notifyError });
