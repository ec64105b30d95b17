"use client";
import { Button } from "@mantine/core";
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
  const { newsletterId } = useViewer();
  const query = api.requests.page.useInfiniteQuery(
    { newsletterId, view: filter.view },
    {
      initialCursor: null,
      getNextPageParam: (last) => last.next,
      placeholderData: (before) => before,
      // The list updates by itself until staff open older requests.
      refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) > 1 ? false : POLL_MS),
    },
  );
  const requests = query.data?.pages.flatMap((page) => page.items);
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
