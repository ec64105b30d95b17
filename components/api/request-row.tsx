"use client";
import { useClipboard } from "@mantine/hooks";
import { memo } from "react";
import { type LoggedOperation, outcomeOf } from "@/server/contract/request-log";
import type { Outputs } from "../trpc";
import { icons } from "../ui/icons";
import { count } from "../ui/numbers";
import { Time } from "../ui/time";
import { operationWords } from "./request-view";
import styles from "./requests.module.css";

type Request = Outputs["requests"]["page"]["requests"][number];
type Props = { request: Request; onAnswer(answer: string): void };

const duration = (ms: number) =>
  ms < 1 ? "< 1 ms" : ms < 10_000 ? `${count(ms)} ms` : `${Math.round(ms / 1000)} s`;

/** One request: what was asked and by target, what came of it, and why not. */
export const RequestRow = memo(
  function RequestRow({ request, onAnswer }: Props) {
    const { call, operation, status, code } = request;
    return (
      <li>
        <span className={styles.answer} data-outcome={outcomeOf(status)}>
          {code ? (
            <button type="button" onClick={() => onAnswer(code)} title={`Only requests answered ${code}`}>
              <b>{status}</b> {code}
            </button>
          ) : (
            <b>{status}</b>
          )}
        </span>
        <span className={styles.what}>
          {operationWords[operation as LoggedOperation] ?? operation}
          {call && (
            <code>
              {call.method} {call.path.replace("/api/v1", "")}
            </code>
          )}
          {request.rejected && <span className={styles.rejected}>{request.rejected}</span>}
        </span>
        <span className={styles.key}>{request.keyName ?? "A key that is gone"}</span>
        <span className={styles.took}>{duration(request.durationMs)}</span>
        <RequestId id={request.requestId} />
        <span className={styles.when}>
          <Time at={request.at} />
        </span>
      </li>
    );
  },
  (a, b) => a.request.id === b.request.id,
);

/** What the caller was given as X-Request-Id, to look it up in their logs and ours. */
function RequestId({ id }: { id: string }) {
  const { copied, copy } = useClipboard({ timeout: 2000 });
  return (
    <button
      type="button"
      className={styles.id}
      onClick={() => copy(id)}
      title={`Request id ${id}`}
      aria-label={copied ? "Copied" : `Copy the request id ${id}`}
    >
      <code>{id}</code>
      {copied ? <icons.check /> : <icons.copy />}
    </button>
  );
}
