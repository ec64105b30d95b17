import { createTRPCClient, httpSubscriptionLink } from "@trpc/client";
import { useEffect } from "react";
import { isUnderWay } from "@/server/contract/imports";
import { transformer } from "@/server/contract/wire";
import type { AppRouter } from "@/server/trpc/router";
import { api } from "../trpc";
import { DraftStore } from "./reading/draft-store";

// Apart from the client of the other pages, which need no stream and should not load one.
const stream = createTRPCClient<AppRouter>({
  links: [httpSubscriptionLink({ url: "/api/trpc", transformer })],
});

const POLL_MS = 3000;

/** One import as it is now: the server streams its progress; polled as well, in case the stream does not get through. */
export function useImport(newsletterId: string, importId: string) {
  const utils = api.useUtils();
  const query = api.imports.get.useQuery(
    { newsletterId, importId },
    { refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.state) ? POLL_MS : false) },
  );
  const state = query.data?.state;
  const underWay = state !== undefined && isUnderWay(state);

  useEffect(() => {
    if (!underWay) return;
    // Lost connections are taken up again by the stream itself.
    const subscription = stream.imports.progress.subscribe(
      { newsletterId, importId },
      { onData: (data) => utils.imports.get.setData({ newsletterId, importId }, data) },
    );
    return () => subscription.unsubscribe();
  }, [underWay, newsletterId, importId, utils]);

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
