import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { type WebhookState, webhookEvents } from "@/server/events/schema/webhooks";
import type { StatusLook } from "@/server/mail/schema/mail-states";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { Menu } from "../ui/floating";
import kit from "../ui/kit.module.css";
import { MoreMenu } from "../ui/more-menu";
import { notify, notifyError, notifyRunning } from "../ui/notify";
import { SecretDialog } from "../ui/secret-dialog";
import { StatusPill } from "../ui/status-pill";
import { Time } from "../ui/time";
import styles from "./webhooks.module.css";

export type WebhookEndpoint = Outputs["webhooks"]["list"][number];

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
  const { url, description, events, deliveredAt, waiting } = endpoint;
  const { status, tone } = endpointStatus(endpoint);
  return (
    <li data-chosen={isChosen || undefined}>
      <UnstyledButton className={kit.pick} onClick={onChoose} aria-pressed={isChosen}>
        <span className={styles.name}>
          {description && <b>{description}</b>}
          <code>{url}</code>
        </span>
        <StatusPill status={{ word: t(`status.${status}`), tone }} />
        <span className={kit.quiet}>
          {events.length === webhookEvents.length ? t("allEvents") : events.join(", ")}
          {" · "}
          {deliveredAt ? t.rich("delivered", { time: () => <Time at={deliveredAt} /> }) : t("neverDelivered")}
          {waiting > 0 && ` · ${t(waiting >= 1000 ? "waitingOrMore" : "waiting", { n: waiting })}`}
        </span>
        <Trouble endpoint={endpoint} />
      </UnstyledButton>
      {mayManage && <EndpointMenu endpoint={endpoint} onEdit={onEdit} onSecret={onSecret} />}
    </li>
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
  const remove = api.webhooks.remove.useMutation({ onSuccess: () => notify(t("removed", { name })) });
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
          onConfirm={() => remove.mutateAsync(of)}
          onClose={() => setAsking(false)}
        >
          <p>{t("removeText")}</p>
        </Confirm>
      )}
    </>
  );
}

export const stateTones: Record<WebhookState, StatusLook["tone"]> = {
  waiting: "pending",
  delivered: "active",
  skipped: "off",
};

type EndpointFacts = Pick<WebhookEndpoint, "offReason" | "failingSince">;
type EndpointStatus = { status: "on" | "off" | "failing"; tone: StatusLook["tone"] };

function endpointStatus({ offReason, failingSince }: EndpointFacts): EndpointStatus {
  if (offReason === "staff" || offReason === "restored") return { status: "off", tone: "off" };
  if (offReason) return { status: "off", tone: "failed" };
  return failingSince ? { status: "failing", tone: "failed" } : { status: "on", tone: "active" };
}

/** A new secret, of a new endpoint or after a rotation. */
export type MadeSecret = { id: string; secret: string; isRotated: boolean };
export function EndpointSecret({ made, onClose }: { made: MadeSecret; onClose(): void }) {
  const t = useTranslations("webhooks.secret");
  return (
    <SecretDialog
      title={made.isRotated ? t("rotatedTitle") : t("createdTitle")}
      text={made.isRotated ? t("rotated") : t("created")}
      label={t("label")}
      secret={made.secret}
      onClose={onClose}
    />
  );
}
