"use client";
import { Button, Group } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { Empty } from "../ui/states";
import type { ApiKey } from "./api-key-row";
import styles from "./api-requests.module.css";
import type { RequestLogFilter } from "./request-filter";
import { RequestFilters } from "./request-filters";
import { RequestRow } from "./request-row";

const POLL_MS = 3_000;

/** What the keys asked for in the last 30 days, and what came of it. */
export function ApiRequests({ keys, filter }: { keys: ApiKey[]; filter: RequestLogFilter }) {
  const { query, requests, newCount } = useRequests(filter);
  const section = useRef<HTMLElement>(null);
  // A link to #requests was followed before this part of the page was there.
  useEffect(() => {
    if (window.location.hash === "#requests") section.current?.scrollIntoView();
  }, []);
  const isStale = query.isPlaceholderData;
  return (
    <section aria-labelledby="requests" className={styles.requests} ref={section}>
      <header>
        <h2 id="requests">Requests</h2>
        <p className={kit.quiet}>Last 30 days, newest first. Email addresses and bodies are not stored.</p>
      </header>
      <RequestFilters keys={keys} filter={filter} />
      {newCount > 0 && (
        <Group justify="center" mb="xs" aria-live="polite">
          <Button variant="light" size="compact-sm" onClick={() => query.refetch()}>
            Show {newCount > 49 ? "50 or more" : newCount} new
          </Button>
        </Group>
      )}
      <Loaded query={query} empty={requests?.length === 0 && !isStale && <NoRequests filter={filter} />}>
        {() => (
          <ul className={styles.list} data-stale={isStale || undefined} aria-busy={isStale}>
            {requests?.map((request) => (
              <RequestRow key={request.id} request={request} onAnswer={(answer) => filter.set({ answer })} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

/** The pages read so far. New requests come by themselves on the first page; further down they are only counted. */
function useRequests({ view }: RequestLogFilter) {
  const { newsletterId } = useViewer();
  const query = api.requests.page.useInfiniteQuery(
    { newsletterId, view },
    {
      initialCursor: null,
      getNextPageParam: (last) => last.next,
      placeholderData: (before) => before,
      refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) > 1 ? false : POLL_MS),
    },
  );
  const pages = query.data?.pages;
  const isPaged = (pages?.length ?? 0) > 1;
  const newest = api.requests.page.useQuery(
    { newsletterId, view },
    { enabled: isPaged, refetchInterval: POLL_MS },
  );
  const requests = pages?.flatMap((page) => page.items);
  const lastSeen = requests?.[0]?.id ?? "";
  const newCount = isPaged ? (newest.data?.items.filter(({ id }) => id > lastSeen).length ?? 0) : 0;
  return { query, requests, newCount };
}

function NoRequests({ filter }: { filter: RequestLogFilter }) {
  if (!filter.isSet) {
    return (
      <Empty title="No requests yet">
        Run the example above with your key. The request appears here with its result.
      </Empty>
    );
  }
  return (
    <Empty
      title="No matching requests in the last 30 days"
      action={
        <Button variant="default" onClick={filter.clear}>
          Show all
        </Button>
      }
    >
      Try another key, operation or result.
    </Empty>
  );
}
