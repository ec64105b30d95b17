import { Button, Group, Stack } from "@mantine/core";
import { useTranslations } from "use-intl";
import { loggedOperations, outcomeOf } from "@/server/api-keys/schema/request-log";
import { useViewer } from "../shell/viewer";
import type { Texts } from "../texts/texts";
import type { Outputs } from "../trpc";
import { Code, CopyButton } from "../ui/copy";
import kit from "../ui/kit.module.css";
import { useCount } from "../ui/numbers";
import { Facts, SidePanel } from "../ui/side-panel";
import { StatusPill } from "../ui/status-pill";
import { Time } from "../ui/time";

export type LoggedRequest = Outputs["requests"]["page"]["items"][number];

/** Names an operation in the reader's language. Operations of newer releases keep their own name. */
export function operationName(t: Texts<"api">, operation: string): string {
  const known = loggedOperations.find((one) => one === operation);
  return known ? t(`operations.${known}`) : operation;
}

export const tones = { succeeded: "active", rejected: "pending", failed: "failed" } as const;

export function formatDuration(ms: number, count: (n: number) => string): string {
  if (ms < 1) return `< ${count(1)} ms`;
  return ms < 10_000 ? `${count(ms)} ms` : `${count(Math.round(ms / 1000))} s`;
}

type Props = {
  request: LoggedRequest;
  onAnswer(answer: string): void;
  onStep(by: 1 | -1): void;
  onClose(): void;
};

/** One request of the log, and the same call for a terminal. */
export function RequestPanel({ request, onAnswer, onStep, onClose }: Props) {
  const t = useTranslations("api");
  const count = useCount();
  const { appUrl } = useViewer();
  const { call, status, code, requestId } = request;
  return (
    <SidePanel
      label={t("requests.panel.label")}
      state={<StatusPill status={{ word: String(status), tone: tones[outcomeOf(status)] }} />}
      takesFocus
      onStep={onStep}
      onClose={onClose}
    >
      <h2>{operationName(t, request.operation)}</h2>
      <Facts
        facts={[
          [t("requests.panel.call"), call && <code>{`${call.method} ${call.path}`}</code>],
          [t("requests.filters.answer"), code && <code>{code}</code>],
          [t("requests.panel.rejected"), request.rejected],
          [t("requests.filters.key"), request.keyName ?? t("requests.deletedKey")],
          [t("requests.panel.took"), formatDuration(request.durationMs, count)],
          [t("requests.panel.at"), <Time key="at" at={request.at} />],
          [t("requests.panel.id"), <code key="id">{requestId}</code>],
        ]}
      />
      <Group gap="xs" mt="md">
        <CopyButton value={requestId}>{t("requests.panel.copyId")}</CopyButton>
        {code && (
          <Button variant="default" onClick={() => onAnswer(code)}>
            {t("requests.panel.onlyAnswered")}
          </Button>
        )}
      </Group>
      {call && (
        <Stack gap="xs" mt="xl">
          <h2>{t("requests.panel.curl")}</h2>
          <p className={kit.quiet}>{t("requests.panel.curlHint")}</p>
          <Code label={t("requests.panel.curl")}>{curlOf(call, appUrl)}</Code>
        </Stack>
      )}
    </SidePanel>
  );
}

function curlOf({ method, path }: NonNullable<LoggedRequest["call"]>, appUrl: string): string {
  const hasBody = method !== "GET" && method !== "DELETE";
  return [
    `curl -X ${method} '${appUrl}${path}'`,
    "-H 'Authorization: Bearer sk_…'",
    ...(hasBody ? ["-H 'Content-Type: application/json'", "-d @body.json"] : []),
  ].join(" \\\n  ");
}
