"use client";
import { UnstyledButton } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { memo } from "react";
import { type LoggedOperation, outcomeOf } from "@/server/contract/request-log";
import type { Outputs } from "../trpc";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { count } from "../ui/numbers";
import { Time } from "../ui/time";
import styles from "./api-requests.module.css";
import { operationLabels } from "./request-filter";

type Props = {
  request: Outputs["requests"]["page"]["items"][number];
  onAnswer(answer: string): void;
};

const tones = { succeeded: "active", rejected: "pending", failed: "failed" } as const;

const formatDuration = (ms: number) =>
  ms < 1 ? "< 1 ms" : ms < 10_000 ? `${count(ms)} ms` : `${Math.round(ms / 1000)} s`;

/** One request: its answer, what was asked by which key, and what was rejected. */
export const RequestRow = memo(
  function RequestRow({ request, onAnswer }: Props) {
    const { call, operation, status, code } = request;
    return (
      <li>
        <span className={`${kit.status} ${styles.answer}`} data-tone={tones[outcomeOf(status)]}>
          {code ? (
            <UnstyledButton onClick={() => onAnswer(code)} title={`Only requests answered ${code}`}>
              <b>{status}</b> {code}
            </UnstyledButton>
          ) : (
            <b>{status}</b>
          )}
        </span>
        <span className={styles.what}>
          {operationLabels[operation as LoggedOperation] ?? operation}
          {call && (
            <code>
              {call.method} {call.path.replace("/api/v1", "")}
            </code>
          )}
          {request.rejected && <span className={kit.quiet}>{request.rejected}</span>}
        </span>
        <span className={`${kit.quiet} ${styles.key}`}>{request.keyName ?? "Deleted key"}</span>
        <span className={`${kit.quiet} ${styles.took}`}>{formatDuration(request.durationMs)}</span>
        <RequestId id={request.requestId} />
        <span className={`${kit.quiet} ${styles.when}`}>
          <Time at={request.at} />
        </span>
      </li>
    );
  },
  (a, b) => a.request.id === b.request.id,
);

/** The answer's X-Request-Id, to look the request up in the caller's log and ours. */
function RequestId({ id }: { id: string }) {
  const { copied, copy } = useClipboard({ timeout: 2000 });
  return (
    <UnstyledButton
      className={styles.id}
      onClick={() => copy(id)}
      title={`Request id ${id}`}
      aria-label={copied ? "Copied" : `Copy request ID ${id}`}
    >
      <code>{id}</code>
      {copied ? <icons.check /> : <icons.copy />}
    </UnstyledButton>
  );
}
