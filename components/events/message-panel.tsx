import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { Code } from "../ui/copy";
import { Loaded, POLL_MS } from "../ui/list-page";
import { notify, notifyError, notifying } from "../ui/notify";
import { useCount } from "../ui/numbers";
import { Facts, SidePanel } from "../ui/side-panel";
import { StatusPill } from "../ui/status-pill";
import { Time } from "../ui/time";
import { stateTones, type WebhookEndpoint } from "./endpoint-row";

type Message = Outputs["webhooks"]["message"];
type Props = { endpoint: WebhookEndpoint; number: number; onClose(): void };

/** One message: the request, the response and a button to send it again. */
export default function MessagePanel({ endpoint, number, onClose }: Props) {
  const t = useTranslations("webhooks");
  const { newsletterId } = useViewer();
  const query = api.webhooks.message.useQuery(
    { newsletterId, id: endpoint.id, number },
    { refetchInterval: POLL_MS },
  );
  const state = query.data?.state;
  return (
    <SidePanel
      label={t("message.label")}
      state={state && <StatusPill status={{ word: t(`log.states.${state}`), tone: stateTones[state] }} />}
      wide
      onStep={null}
      onClose={onClose}
    >
      <Loaded query={query} rows={6}>
        {(message) => <MessageDetails endpoint={endpoint} message={message} />}
      </Loaded>
    </SidePanel>
  );
}

function MessageDetails({ endpoint, message }: { endpoint: WebhookEndpoint; message: Message }) {
  const t = useTranslations("webhooks.message");
  const tWebhooks = useTranslations("webhooks");
  const count = useCount();
  const { number, id, type, createdAt, triedAt, attempts, answerStatus, answer, body } = message;
  // Without a response, or for a redirect (which is not followed), the text is the server's own sentence.
  const isOurs = answerStatus === null || (answerStatus >= 300 && answerStatus < 400);
  return (
    <>
      <h2>{t("title", { type: tWebhooks(`eventNames.${type}`), number })}</h2>
      <Facts
        facts={[
          [t("facts.type"), <code key="type">{type}</code>],
          [t("facts.id"), <code key="id">{id}</code>],
          [t("facts.happened"), <Time key="created" at={createdAt} />],
          [t("facts.lastTry"), triedAt && <Time at={triedAt} />],
          [t("facts.tries"), attempts > 0 && count(attempts)],
          [t("facts.answer"), attempts > 0 && (answerStatus ?? t("noAnswer"))],
        ]}
      />
      <Actions endpoint={endpoint} message={message} />
      <h3>{t("request")}</h3>
      {/* Indented for reading. The sent body is one line. */}
      <Code label={t("request")}>{JSON.stringify(JSON.parse(body), null, 2)}</Code>
      {answer && (
        <>
          <h3>{answerStatus ? t("response") : t("error")}</h3>
          <Code label={t("response")}>{isOurs ? fromServer(answer) : answer}</Code>
        </>
      )}
    </>
  );
}

function Actions({ endpoint, message: { number, state } }: { endpoint: WebhookEndpoint; message: Message }) {
  const t = useTranslations("webhooks.message");
  const { newsletterId, mayManage } = useViewer();
  const [asking, setAsking] = useState(false);
  const of = { newsletterId, id: endpoint.id };
  const repeat = api.webhooks.repeat.useMutation({
    onSuccess: ({ count: n }) => notify(t("sentAgain", { n })),
  });
  const skip = api.webhooks.skip.useMutation(notifying(t("skipped", { number: String(number) })));
  if (!mayManage) return null;
  if (state === "waiting") {
    return (
      <Group gap="xs" my="md">
        <Button
          variant="default"
          loading={skip.isPending}
          onClick={() => skip.mutate({ ...of, number })}
          disabled={!endpoint.failingSince}
          title={endpoint.failingSince ? undefined : t("queuedAgain")}
        >
          {t("skip")}
        </Button>
      </Group>
    );
  }
  return (
    <Group gap="xs" my="md">
      <Button
        variant="default"
        loading={repeat.isPending && !asking}
        onClick={() => repeat.mutateAsync({ ...of, from: number, to: number }).catch(notifyError)}
      >
        {t("sendAgain")}
      </Button>
      <Button variant="subtle" color="gray" onClick={() => setAsking(true)}>
        {t("resendAll")}
      </Button>
      {asking && (
        <Confirm
          title={t("resendTitle", { number: String(number) })}
          action={t("resend")}
          onConfirm={() => repeat.mutateAsync({ ...of, from: number, to: 2 ** 31 - 1 })}
          onClose={() => setAsking(false)}
        >
          <p>{t("resendText")}</p>
        </Confirm>
      )}
    </Group>
  );
}
