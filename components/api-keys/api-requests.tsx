import { Button } from "@mantine/core";
import { createParser, parseAsStringLiteral, useQueryStates } from "nuqs";
import { memo, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import {
  answersMatching,
  codes,
  loggedOperations,
  outcomeOf,
  outcomes,
} from "@/server/api-keys/schema/request-log";
import { useListKeys } from "../shell/shortcuts";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Choice } from "../ui/choice";
import kit from "../ui/kit.module.css";
import { byCursor, itemsOf, Loaded, PanelRow, pollNewest } from "../ui/list-page";
import { useCount } from "../ui/numbers";
import { parseAsId } from "../ui/parse-as-id";
import { Empty } from "../ui/states";
import { Time } from "../ui/time";
import type { ApiKey } from "./api-key-row";
import styles from "./api-requests.module.css";
import { formatDuration, type LoggedRequest, operationName, RequestPanel, tones } from "./request-panel";

/** The keys' requests of the last 30 days, with their responses. */
export function ApiRequests({ keys, filter }: { keys: ApiKey[]; filter: RequestLogFilter }) {
  const t = useTranslations("api.requests");
  const { newsletterId } = useViewer();
  const query = api.requests.page.useInfiniteQuery(
    { newsletterId, view: filter.view },
    { ...byCursor, refetchInterval: pollNewest },
  );
  const requests = itemsOf(query.data);
  const [openId, setOpenId] = useState<string | null>(null);
  const opened = requests?.find(({ id }) => id === openId);
  const { step, close } = useListKeys("request", requests ?? [], openId, setOpenId);
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
      <Loaded
        query={query}
        empty={
          requests?.length === 0 &&
          !isStale && (
            <Empty
              title={filter.isSet ? t("noMatchTitle") : t("emptyTitle")}
              action={
                filter.isSet && (
                  <Button variant="default" onClick={filter.clear}>
                    {t("showAll")}
                  </Button>
                )
              }
            >
              {filter.isSet ? t("noMatchText") : t("emptyText")}
            </Empty>
          )
        }
      >
        {() => (
          <ul className={`${kit.list} ${styles.list}`} data-stale={isStale || undefined} aria-busy={isStale}>
            {requests?.map((request) => (
              <RequestRow
                key={request.id}
                request={request}
                isOpen={request.id === openId}
                onOpen={setOpenId}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {opened && (
        <RequestPanel
          request={opened}
          onAnswer={(answer) => filter.set({ answer })}
          onStep={step}
          onClose={close}
        />
      )}
    </section>
  );
}

const outcomeNotes = { succeeded: "2xx", rejected: "4xx", failed: "5xx" };
const codeOptions = codes.map(({ code, statuses }) => ({
  value: code,
  label: code,
  note: statuses.join(", "),
}));

function RequestFilters({ keys, filter }: { keys: ApiKey[]; filter: RequestLogFilter }) {
  const t = useTranslations("api.requests");
  const tApi = useTranslations("api");
  const { key, operation, answer, within, set } = filter;
  const keyOptions = keys.map(({ id, name, prefix }) => ({ value: id, label: name, note: `${prefix}…` }));
  const operationOptions = loggedOperations.map((value) => ({ value, label: tApi(`operations.${value}`) }));
  const outcomeOptions = outcomes.map((value) => ({
    value,
    label: t(`outcomes.${value}`),
    note: outcomeNotes[value],
  }));
  const periodOptions = periods.map(({ value }) => ({ value, label: t(`periods.${value}`) }));
  return (
    <search className={styles.filters} aria-label={t("title")}>
      <Choice
        label={t("filters.key")}
        value={key}
        chosen={key && !keys.some(({ id }) => id === key) ? t("filters.deletedKey") : null}
        options={[keyOptions]}
        onChoose={(value) => set({ key: value })}
      />
      <Choice
        label={t("filters.operation")}
        value={operation}
        options={[operationOptions]}
        onChoose={(value) => set({ operation: value })}
      />
      <Choice
        label={t("filters.answer")}
        value={answer}
        options={[outcomeOptions, codeOptions]}
        onChoose={(value) => set({ answer: value })}
      />
      <Choice
        label={t("filters.within")}
        value={within}
        options={[periodOptions]}
        onChoose={(value) => set({ within: value })}
      />
      {filter.isSet && (
        <Button variant="subtle" color="gray" onClick={filter.clear}>
          {t("showAll")}
        </Button>
      )}
    </search>
  );
}

/** Periods that end now. */
const periods = [
  { value: "1h", minutes: 60 },
  { value: "24h", minutes: 1440 },
  { value: "7d", minutes: 10_080 },
] as const;

const parsers = {
  key: parseAsId,
  operation: parseAsStringLiteral(loggedOperations),
  /** An outcome, a status or a code. */
  answer: createParser<string>({
    parse: (text) => (answersMatching(text).length > 0 ? text : null),
    serialize: (answer) => answer,
  }),
  within: parseAsStringLiteral(periods.map(({ value }) => value)),
};

/** The request log's filter, kept in the page's address. */
export function useRequestFilter() {
  const [{ key, operation, answer, within }, set] = useQueryStates(parsers, { history: "replace" });
  const minutes = periods.find(({ value }) => value === within)?.minutes;
  const view = {
    ...(key && { keyId: key }),
    ...(operation && { operation }),
    ...(answer && { answer }),
    ...(minutes && { withinMinutes: minutes }),
  };
  const isSet = Object.keys(view).length > 0;
  return { key, operation, answer, within, view, isSet, set, clear: () => set(null) };
}

type RequestLogFilter = ReturnType<typeof useRequestFilter>;

type RowProps = { request: LoggedRequest; isOpen: boolean; onOpen(id: string): void };

/** One request: its response, operation, API key and any rejected values. */
const RequestRow = memo(
  function RequestRow({ request, isOpen, onOpen }: RowProps) {
    const t = useTranslations("api");
    const count = useCount();
    const { id, call, status, code } = request;
    return (
      <PanelRow isOpen={isOpen} data-request={id} onClick={() => onOpen(id)}>
        <span className={kit.status} data-tone={tones[outcomeOf(status)]}>
          <b>{status}</b> {code}
        </span>
        <span className={styles.what}>
          {operationName(t, request.operation)}
          {call && (
            <code>
              {call.method} {call.path.replace("/api/v1", "")}
            </code>
          )}
          {request.rejected && <span className={kit.quiet}>{request.rejected}</span>}
        </span>
        <span className={`${kit.quiet} ${styles.key}`}>{request.keyName ?? t("requests.deletedKey")}</span>
        <span className={`${kit.quiet} ${styles.took}`}>{formatDuration(request.durationMs, count)}</span>
        <span className={`${kit.quiet} ${kit.when}`}>
          <Time at={request.at} />
        </span>
      </PanelRow>
    );
  },
  (a, b) => a.request.id === b.request.id && a.isOpen === b.isOpen,
);
