"use client";
import { Menu, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { webhookEvents } from "@/server/events/schema/webhooks";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import { api } from "../trpc";
import { Confirm } from "../ui/confirm";
import kit from "../ui/kit.module.css";
import { MoreMenu } from "../ui/more-menu";
import { notify, notifyError, notifyRunning } from "../ui/notify";
import { StatusPill } from "../ui/status-pill";
import { Time } from "../ui/time";
import type { MadeSecret } from "./endpoint-form";
import { endpointStatus, type WebhookEndpoint } from "./webhook-words";
import styles from "./webhooks.module.css";

type Props = {
  endpoint: WebhookEndpoint;
  isChosen: boolean;
  onChoose(): void;
  onEdit(): void;
  onSecret(made: MadeSecret): void;
};

/** An endpoint's short name, for places where its URL is too long. */
export const endpointName = ({ url, description }: Pick<WebhookEndpoint, "url" | "description">) =>
  description || new URL(url).host;

export function EndpointRow({ endpoint, isChosen, onChoose, onEdit, onSecret }: Props) {
  const t = useTranslations("webhooks.endpoint");
  const { mayManage } = useViewer();
  const { url, description, events } = endpoint;
  const { status, tone } = endpointStatus(endpoint);
  return (
    <li data-chosen={isChosen || undefined}>
      <UnstyledButton className={styles.endpoint} onClick={onChoose} aria-pressed={isChosen}>
        <span className={styles.name}>
          {description && <b>{description}</b>}
          <code>{url}</code>
        </span>
        <StatusPill status={{ word: t(`status.${status}`), tone }} />
        <span className={kit.quiet}>
          {events.length === webhookEvents.length ? t("allEvents") : events.join(", ")}
          <Delivery endpoint={endpoint} />
        </span>
        <Trouble endpoint={endpoint} />
      </UnstyledButton>
      {mayManage && <EndpointMenu endpoint={endpoint} onEdit={onEdit} onSecret={onSecret} />}
    </li>
  );
}

function Delivery({ endpoint: { deliveredAt, waiting } }: Pick<Props, "endpoint">) {
  const t = useTranslations("webhooks.endpoint");
  const waitingText = waiting >= 1000 ? t("waitingOrMore", { n: waiting }) : t("waiting", { n: waiting });
  return (
    <>
      {" · "}
      {deliveredAt ? t.rich("delivered", { time: () => <Time at={deliveredAt} /> }) : t("neverDelivered")}
      {waiting > 0 && ` · ${waitingText}`}
    </>
  );
}

/** Explains why deliveries fail, and the next step. */
function Trouble({ endpoint }: Pick<Props, "endpoint">) {
  const t = useTranslations("webhooks.endpoint");
  const { offReason, failingSince, nextTryAt, failure } = endpoint;
  if (!offReason && !failingSince) return null;
  return (
    <span className={styles.trouble}>
      {failure && <span>{fromServer(failure)} </span>}
      {offReason
        ? t(`offBecause.${offReason}`)
        : nextTryAt && t.rich("nextTry", { time: () => <Time at={nextTryAt} /> })}
    </span>
  );
}

function EndpointMenu({ endpoint, onEdit, onSecret }: Pick<Props, "endpoint" | "onEdit" | "onSecret">) {
  const t = useTranslations("webhooks.endpoint");
  const { newsletterId } = useViewer();
  const [asking, setAsking] = useState(false);
  const { id, offReason } = endpoint;
  const name = endpointName(endpoint);
  const of = { newsletterId, id };
  const setOn = api.webhooks.setOn.useMutation({
    onSuccess({ missed }, { on }) {
      if (missed) notify(t("turnedOnMissed", { name }));
      else notify(on ? t("turnedOn", { name }) : t("turnedOff", { name }));
    },
    onError: notifyError,
  });
  const test = api.webhooks.test.useMutation({
    trpc: { context: { apart: true } },
    onMutate: () => notifyRunning(t("testing", { name })).hide,
    onSettled: (_result, _error, _sent, hide) => hide?.(),
    onSuccess: ({ says }) => notify(fromServer(says)),
    onError: notifyError,
  });
  const rotate = api.webhooks.rotate.useMutation({
    onSuccess: ({ secret }) => onSecret({ id, secret, isRotated: true }),
    onError: notifyError,
  });
  const remove = api.webhooks.remove.useMutation({
    onSuccess: () => {
      setAsking(false);
      notify(t("removed", { name }));
    },
  });
  return (
    <>
      <MoreMenu label={name}>
        <Menu.Item onClick={() => test.mutate(of)}>{t("menu.test")}</Menu.Item>
        <Menu.Item onClick={onEdit}>{t("menu.edit")}</Menu.Item>
        <Menu.Item onClick={() => rotate.mutate(of)}>{t("menu.rotate")}</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => setOn.mutate({ ...of, on: offReason !== null })}>
          {offReason ? t("menu.turnOn") : t("menu.turnOff")}
        </Menu.Item>
        <Menu.Item color="red" onClick={() => setAsking(true)}>
          {t("menu.remove")}
        </Menu.Item>
      </MoreMenu>
      {asking && (
        <Confirm
          title={t("removeTitle", { name })}
          action={t("removeAction")}
          danger
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(of)}
          onClose={() => setAsking(false)}
        >
          <p>{t("removeText")}</p>
        </Confirm>
      )}
    </>
  );
}
