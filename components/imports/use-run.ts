import { createTRPCClient, httpSubscriptionLink } from "@trpc/client";
import { useEffect } from "react";
import superjson from "superjson";
import type { AppRouter } from "@/server/trpc/router";
import { api } from "../trpc";
import { DraftStore } from "./reading/draft-store";

// Beside the client of all other pages, which need no stream and should not carry one.
const stream = createTRPCClient<AppRouter>({
  links: [httpSubscriptionLink({ url: "/api/trpc", transformer: superjson })],
});

const ASK_MS = 3000;

/** One run as it stands, told by the server as it goes on; asked for as well, in case the stream does not pass. */
export function useRun(newsletterId: string, importId: string) {
  const utils = api.useUtils();
  const run = api.imports.get.useQuery(
    { newsletterId, importId },
    { refetchInterval: ({ state }) => (state.data?.state === "running" ? ASK_MS : false) },
  );
  const state = run.data?.state;

  useEffect(() => {
    if (state !== "running") return;
    // Lost connections are taken up again by the stream itself.
    const told = stream.imports.progress.subscribe(
      { newsletterId, importId },
      { onData: (data) => utils.imports.get.setData({ newsletterId, importId }, data) },
    );
    return () => told.unsubscribe();
  }, [state, newsletterId, importId, utils]);

  useEffect(() => {
    if (state !== "done" && state !== "undone") return;
    void utils.people.invalidate();
    void utils.newsletters.overview.invalidate();
    void utils.imports.list.invalidate();
    if (state === "done") void forgetDraft(newsletterId, importId);
  }, [state, newsletterId, importId, utils]);

  return run;
}

/** The list is in; what was kept in case it would not be is no longer needed. */
async function forgetDraft(newsletterId: string, importId: string): Promise<void> {
  const drafts = new DraftStore();
  const draft = await drafts.find(newsletterId);
  if (draft?.importId === importId) await drafts.drop(newsletterId);
}
