"use client";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { WebhookEndpoint } from "@/server/contract/webhooks";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { Code } from "../ui/copy";
import { Loaded } from "../ui/list-page";
import { notify, notifyError } from "../ui/notify";
import { count } from "../ui/numbers";
import { Facts, SidePanel } from "../ui/side-panel";
import { StatusPill } from "../ui/status";
import { Time } from "../ui/time";
import { stateLooks, typeWords } from "./webhook-words";

const POLL_MS = 3_000;

type Message = Outputs["webhooks"]["message"];
type Props = { endpoint: WebhookEndpoint; number: number; onClose(): void };

/** One message: what was sent, what came back, and sending it again. */
export default function MessagePanel({ endpoint, number, onClose }: Props) {
  const { newsletterId } = useViewer();
  const query = api.webhooks.message.useQuery(
    { newsletterId, id: endpoint.id, number },
    { refetchInterval: POLL_MS },
  );
  return (
    <SidePanel
      label="Message"
      state={query.data && <StatusPill status={stateLooks[query.data.state]} />}
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
  const { number, id, type, createdAt, triedAt, attempts, answerStatus, answer, body } = message;
  return (
    <>
      <h2>
        {typeWords[type]}, number {count(number)}
      </h2>
      <Facts
        facts={[
          ["Type", <code key="type">{type}</code>],
          ["Id", <code key="id">{id}</code>],
          ["Happened", <Time key="created" at={createdAt} />],
          ["Last try", triedAt && <Time at={triedAt} />],
          ["Tries", attempts > 0 && count(attempts)],
          ["Answer", attempts > 0 && (answerStatus ?? "none")],
        ]}
      />
      <Actions endpoint={endpoint} message={message} />
      <h3>Request body</h3>
      <Code label="Request body">{pretty(body)}</Code>
      {answer && (
        <>
          <h3>{answerStatus ? "Response" : "Error"}</h3>
          <Code label="Response">{answer}</Code>
        </>
      )}
    </>
  );
}

/** As it is read best; what is sent is one line. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Actions({ endpoint, message: { number, state } }: { endpoint: WebhookEndpoint; message: Message }) {
  const { newsletterId, mayManage } = useViewer();
  const [asking, setAsking] = useState(false);
  const of = { newsletterId, id: endpoint.id };
  const repeat = api.webhooks.repeat.useMutation({
    onSuccess: ({ count: n }) => {
      setAsking(false);
      notify(n === 1 ? "1 message is sent again." : `${count(n)} messages are sent again, in order.`);
    },
    onError: notifyError,
  });
  const skip = api.webhooks.skip.useMutation({
    onSuccess: () => notify(`Number ${number} was skipped. Later messages continue.`),
    onError: notifyError,
  });
  if (!mayManage) return null;
  if (state === "waiting") {
    return (
      <Group gap="xs" my="md">
        <Button
          variant="default"
          loading={skip.isPending}
          onClick={() => skip.mutate({ ...of, number })}
          disabled={!endpoint.failingSince}
          title={endpoint.failingSince ? undefined : "Queued again"}
        >
          Skip message
        </Button>
      </Group>
    );
  }
  return (
    <Group gap="xs" my="md">
      <Button
        variant="default"
        loading={repeat.isPending && !asking}
        onClick={() => repeat.mutate({ ...of, from: number, to: number })}
      >
        Send again
      </Button>
      <Button variant="subtle" color="gray" onClick={() => setAsking(true)}>
        Resend this and all later messages …
      </Button>
      {asking && (
        <Confirm
          title={`Resend number ${number} and all later messages?`}
          action="Resend messages"
          busy={repeat.isPending}
          error={repeat.error}
          onConfirm={() => repeat.mutate({ ...of, from: number, to: 2 ** 31 - 1 })}
          onClose={() => setAsking(false)}
        >
          <p>
            They are sent in order with their original ids and numbers, so that your program can recognize
            duplicates.
          </p>
        </Confirm>
      )}
    </Group>
  );
}
