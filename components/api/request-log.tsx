"use client";
import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { codes, outcomes } from "@/server/contract/request-log";
import { api, type Outputs } from "../trpc";
import { Choice } from "../ui/choice";
import { Older } from "../ui/list-page";
import { Empty, Failed, Loading } from "../ui/states";
import { RequestRow } from "./request-row";
import { operationWords, type RequestLogView, spans } from "./request-view";
import styles from "./requests.module.css";

const LIVE_MS = 3_000;
const outcomeWords = { succeeded: "Succeeded", rejected: "Rejected", failed: "Failed" } as const;
const outcomeNotes = { succeeded: "2xx", rejected: "4xx", failed: "5xx" } as const;

const answerOptions = [
  outcomes.map((value) => ({ value, label: outcomeWords[value], note: outcomeNotes[value] })),
  codes.map(({ code, statuses }) => ({ value: code, label: code, note: statuses.join(", ") })),
];
const operationOptions = [Object.entries(operationWords).map(([value, label]) => ({ value, label }))];
const spanOptions = [spans.map(({ value, label }) => ({ value, label }))];

type Props = {
  newsletterId: string;
  keys: Outputs["keys"]["list"]["keys"];
  log: RequestLogView;
};

/** What the keys asked for in the last 30 days, and what came of it. New ones come by themselves while the top is shown. */
export function RequestLog({ newsletterId, keys, log }: Props) {
  const { view, show } = log;
  const list = api.requests.page.useInfiniteQuery(
    { newsletterId, view },
    {
      initialCursor: null,
      getNextPageParam: (last) => last.after,
      placeholderData: (before) => before,
      // Who reads further down is not pushed about: new ones are offered instead.
      refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) > 1 ? false : LIVE_MS),
    },
  );
  const place = useRef<HTMLElement>(null);
  // A link from elsewhere means this part of the page, which came later than the address.
  useEffect(() => {
    if (window.location.hash === "#requests") place.current?.scrollIntoView();
  }, []);
  const paged = (list.data?.pages.length ?? 0) > 1;
  const top = api.requests.page.useQuery(
    { newsletterId, view },
    { enabled: paged, refetchInterval: LIVE_MS },
  );
  const requests = list.data?.pages.flatMap((page) => page.requests) ?? [];
  const newest = requests[0]?.id ?? "";
  const fresh = paged ? (top.data?.requests.filter(({ id }) => id > newest).length ?? 0) : 0;
  const word = log.answer && (outcomeWords[log.answer as keyof typeof outcomeWords] ?? log.answer);

  return (
    <section aria-labelledby="requests" className={styles.requests} ref={place}>
      <header className={styles.head}>
        <h2 id="requests">Requests</h2>
        <p>The last 30 days, newest first; addresses and bodies are not kept.</p>
      </header>
      <search className={styles.filters} aria-label="Requests">
        <Choice
          label="Key"
          value={log.key}
          chosen={log.key && (keys.find(({ id }) => id === log.key)?.name ?? "one that is gone")}
          options={[keys.map(({ id, name, prefix }) => ({ value: id, label: name, note: `${prefix}…` }))]}
          onChoose={(key) => show({ key })}
        />
        <Choice
          label="Operation"
          value={log.operation}
          chosen={log.operation && operationWords[log.operation]}
          options={operationOptions}
          onChoose={(operation) => show({ operation: operation as typeof log.operation })}
        />
        <Choice
          label="Answer"
          value={log.answer}
          chosen={word}
          options={answerOptions}
          onChoose={(answer) => show({ answer })}
        />
        <Choice
          label="When"
          value={log.within}
          chosen={spans.find(({ value }) => value === log.within)?.label}
          options={spanOptions}
          onChoose={(within) => show({ within: within as typeof log.within })}
        />
        {log.narrowed && (
          <Button variant="subtle" color="gray" className={styles.clear} onClick={log.clear}>
            Show all
          </Button>
        )}
      </search>
      {list.error && <Failed error={list.error} retry={() => list.refetch()} />}
      {list.isPending && <Loading rows={8} />}
      {fresh > 0 && (
        <p className={styles.fresh} aria-live="polite">
          <button type="button" onClick={() => list.refetch()}>
            Show {fresh > 49 ? "50 or more" : fresh} new
          </button>
        </p>
      )}
      {list.data &&
        requests.length === 0 &&
        !list.isPlaceholderData &&
        (log.narrowed ? (
          <Empty
            title="No such request in the last 30 days"
            action={
              <Button variant="default" onClick={log.clear}>
                Show all
              </Button>
            }
          >
            Others may be there: of another key, another operation, or with another answer.
          </Empty>
        ) : (
          <Empty title="No request yet">
            Run the call above with a whole key. It shows here a moment later: what was asked, what came of
            it, and what was rejected.
          </Empty>
        ))}
      {requests.length > 0 && (
        <ul
          className={styles.list}
          data-stale={list.isPlaceholderData || undefined}
          aria-busy={list.isPlaceholderData}
        >
          {requests.map((request) => (
            <RequestRow key={request.id} request={request} onAnswer={(answer) => show({ answer })} />
          ))}
        </ul>
      )}
      <Older list={list} />
    </section>
  );
}
