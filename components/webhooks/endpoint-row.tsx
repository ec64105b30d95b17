"use client";
import { Menu, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { type WebhookEndpoint, webhookEvents } from "@/server/contract/webhooks";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Confirm } from "../ui/confirm";
import kit from "../ui/kit.module.css";
import { MoreMenu } from "../ui/more-menu";
import { notify, notifyError, notifyRunning } from "../ui/notify";
import { count } from "../ui/numbers";
import { StatusPill } from "../ui/status";
import { Time } from "../ui/time";
import type { MadeSecret } from "./endpoint-form";
import { endpointLook, offNotes } from "./webhook-words";
import styles from "./webhooks.module.css";

type Props = {
  endpoint: WebhookEndpoint;
  isChosen: boolean;
  onChoose(): void;
  onEdit(): void;
  onSecret(made: MadeSecret): void;
};

/** What stands for an endpoint where its whole address is too long. */
export const endpointName = ({ url, description }: Pick<WebhookEndpoint, "url" | "description">) =>
  description || new URL(url).host;

export function EndpointRow({ endpoint, isChosen, onChoose, onEdit, onSecret }: Props) {
  const { mayManage } = useViewer();
  const { url, description, events } = endpoint;
  return (
    <li data-chosen={isChosen || undefined}>
      <UnstyledButton className={styles.endpoint} onClick={onChoose} aria-pressed={isChosen}>
        <span className={styles.name}>
          {description && <b>{description}</b>}
          <code>{url}</code>
        </span>
        <StatusPill status={endpointLook(endpoint)} />
        <span className={kit.quiet}>
          {events.length === webhookEvents.length ? "all events" : events.join(", ")}
          <Delivery endpoint={endpoint} />
        </span>
        <Trouble endpoint={endpoint} />
      </UnstyledButton>
      {mayManage && <EndpointMenu endpoint={endpoint} onEdit={onEdit} onSecret={onSecret} />}
    </li>
  );
}

function Delivery({ endpoint: { deliveredAt, waiting } }: Pick<Props, "endpoint">) {
  return (
    <>
      {" · "}
      {deliveredAt ? (
        <>
          delivered <Time at={deliveredAt} />
        </>
      ) : (
        "no deliveries yet"
      )}
      {waiting > 0 && ` · ${count(waiting)}${waiting >= 1000 ? " or more" : ""} waiting`}
    </>
  );
}

/** Why nothing arrives, and what comes next. */
function Trouble({ endpoint }: Pick<Props, "endpoint">) {
  const { offReason, failingSince, nextTryAt, failure } = endpoint;
  if (!offReason && !failingSince) return null;
  return (
    <span className={styles.trouble}>
      {failure && <span>{failure} </span>}
      {offReason
        ? offNotes[offReason]
        : nextTryAt && (
            <>
              Next try <Time at={nextTryAt} />. Later messages wait for this one.
            </>
          )}
    </span>
  );
}

function EndpointMenu({ endpoint, onEdit, onSecret }: Pick<Props, "endpoint" | "onEdit" | "onSecret">) {
  const { newsletterId } = useViewer();
  const [asking, setAsking] = useState(false);
  const { id, offReason } = endpoint;
  const name = endpointName(endpoint);
  const of = { newsletterId, id };
  const setOn = api.webhooks.setOn.useMutation({
    onSuccess: ({ missed }, { on }) =>
      notify(
        missed
          ? `${name} is on. Earlier events are no longer stored. Delivery starts now.`
          : `${name} is ${on ? "on" : "off"}.`,
      ),
    onError: notifyError,
  });
  const test = api.webhooks.test.useMutation({
    trpc: { context: { apart: true } },
    onMutate: () => notifyRunning(`Sending a test to ${name} …`),
    onSettled: (_result, _error, _sent, hide) => hide?.(),
    onSuccess: ({ says }) => notify(says),
    onError: notifyError,
  });
  const rotate = api.webhooks.rotate.useMutation({
    onSuccess: ({ secret }) => onSecret({ id, secret, isRotated: true }),
    onError: notifyError,
  });
  const remove = api.webhooks.remove.useMutation({
    onSuccess: () => {
      setAsking(false);
      notify(`${name} removed.`);
    },
  });
  return (
    <>
      <MoreMenu label={name}>
        <Menu.Item onClick={() => test.mutate(of)}>Send a test</Menu.Item>
        <Menu.Item onClick={onEdit}>Edit …</Menu.Item>
        <Menu.Item onClick={() => rotate.mutate(of)}>New secret (the old one works for 24 hours)</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => setOn.mutate({ ...of, on: offReason !== null })}>
          {offReason ? "Turn on" : "Turn off"}
        </Menu.Item>
        <Menu.Item color="red" onClick={() => setAsking(true)}>
          Remove …
        </Menu.Item>
      </MoreMenu>
      {asking && (
        <Confirm
          title={`Remove ${name}?`}
          action="Remove 1 webhook"
          danger
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(of)}
          onClose={() => setAsking(false)}
        >
          <p>Its log and secret are deleted. This cannot be undone. To pause it, turn it off instead.</p>
        </Confirm>
      )}
    </>
  );
}
