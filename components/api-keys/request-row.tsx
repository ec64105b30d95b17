"use client";
import { UnstyledButton } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { memo } from "react";
import { useTranslations } from "use-intl";
import { loggedOperations, outcomeOf } from "@/server/api-keys/schema/request-log";
import type { Outputs } from "../trpc";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { useCount } from "../ui/numbers";
import { Time } from "../ui/time";
import styles from "./api-requests.module.css";

type Props = {
  request: Outputs["requests"]["page"]["items"][number];
  onAnswer(answer: string): void;
};

const tones = { succeeded: "active", rejected: "pending", failed: "failed" } as const;

function formatDuration(ms: number, count: (n: number) => string): string {
  if (ms < 1) return `< ${count(1)} ms`;
  return ms < 10_000 ? `${count(ms)} ms` : `${count(Math.round(ms / 1000))} s`;
}

/** One request: its response, operation, API key and any rejected values. */
export const RequestRow = memo(
  function RequestRow({ request, onAnswer }: Props) {
    const t = useTranslations("api");
    const count = useCount();
    const { call, status, code } = request;
    const operation = loggedOperations.find((one) => one === request.operation);
    return (
      <li>
        <span className={`${kit.status} ${styles.answer}`} data-tone={tones[outcomeOf(status)]}>
          {code ? (
            <UnstyledButton onClick={() => onAnswer(code)} title={t("requests.row.onlyAnswered", { code })}>
              <b>{status}</b> {code}
            </UnstyledButton>
          ) : (
            <b>{status}</b>
          )}
        </span>
        <span className={styles.what}>
          {operation ? t(`operations.${operation}`) : request.operation}
          {call && (
            <code>
              {call.method} {call.path.replace("/api/v1", "")}
            </code>
          )}
          {request.rejected && <span className={kit.quiet}>{request.rejected}</span>}
        </span>
        <span className={`${kit.quiet} ${styles.key}`}>
          {request.keyName ?? t("requests.row.deletedKey")}
        </span>
        <span className={`${kit.quiet} ${styles.took}`}>{formatDuration(request.durationMs, count)}</span>
        <RequestId id={request.requestId} />
        <span className={`${kit.quiet} ${styles.when}`}>
          <Time at={request.at} />
        </span>
      </li>
    );
  },
  (a, b) => a.request.id === b.request.id,
);

/** The response's X-Request-Id, which identifies the request in the caller's log and ours. */
function RequestId({ id }: { id: string }) {
  const t = useTranslations("api.requests.row");
  const { copied, copy } = useClipboard({ timeout: 2000 });
  return (
    <UnstyledButton
      className={styles.id}
      onClick={() => copy(id)}
      title={t("requestId", { id })}
      aria-label={copied ? t("copied") : t("copyId", { id })}
    >
      <code>{id}</code>
      {copied ? <icons.check /> : <icons.copy />}
    </UnstyledButton>
  );
}
