"use client";
import { Button, Group } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
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

/** The keys' requests of the last 30 days, with their responses. */
export function ApiRequests({ keys, filter }: { keys: ApiKey[]; filter: RequestLogFilter }) {
  const t = useTranslations("api.requests");
  const { query, requests, newCount } = useRequests(filter);
  const section = useRef<HTMLElement>(null);
  // The browser followed a link to #requests before this section was on the page.
  useEffect(() => {
    if (window.location.hash === "#requests") section.current?.scrollIntoView();
  }, []);
  const isStale = query.isPlaceholderData;
  return (
    <section aria-labelledby="requests" className={styles.requests} ref={section}>
      <header>
        <h2 id="requests">{t("title")}</h2>
        <p className={kit.quiet}>{t("description")}</p>
      </header>
      <RequestFilters keys={keys} filter={filter} />
      {newCount > 0 && (
        <Group justify="center" mb="xs" aria-live="polite">
          <Button variant="light" size="compact-sm" onClick={() => query.refetch()}>
            {newCount > 49 ? t("showManyNew") : t("showNew", { n: newCount })}
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

/** Fetches pages of requests. The first page updates by itself; on later pages new requests are only counted. */
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
  const t = useTranslations("api.requests");
  if (!filter.isSet) return <Empty title={t("emptyTitle")}>{t("emptyText")}</Empty>;
  return (
    <Empty
      title={t("noMatchTitle")}
      action={
        <Button variant="default" onClick={filter.clear}>
          {t("showAll")}
        </Button>
      }
    >
      {t("noMatchText")}
    </Empty>
  );
}
