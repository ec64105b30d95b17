import { Checkbox, Stack, TextInput, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { type WebhookEvent, type WebhookState, webhookEvents } from "@/server/events/schema/webhooks";
import type { StatusLook } from "@/server/mail/schema/mail-states";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { Menu } from "../ui/floating";
import { FormDialog, useServerForm } from "../ui/form";
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
          {waiting > 0 &&
            ` · ${waiting >= 1000 ? t("waitingOrMore", { n: waiting }) : t("waiting", { n: waiting })}`}
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
type FormProps = { endpoint: WebhookEndpoint | null; onClose(): void; onMade(made: MadeSecret): void };

/** Asks for an endpoint's URL and events. @param endpoint the endpoint to change; null creates one */
export function EndpointForm({ endpoint, onClose, onMade }: FormProps) {
  const t = useTranslations("webhooks.form");
  const tWebhooks = useTranslations("webhooks");
  const { newsletterId } = useViewer();
  const create = api.webhooks.create.useMutation();
  const save = api.webhooks.save.useMutation();
  const { url = "", description = "", events = [...webhookEvents] } = endpoint ?? {};
  const initial = { url, description, events: events as WebhookEvent[] };
  const form = useServerForm(initial, async (values) => {
    if (endpoint) {
      const { id, version } = endpoint;
      await save.mutateAsync({ newsletterId, id, version, endpoint: values });
      return onClose();
    }
    onMade({ ...(await create.mutateAsync({ newsletterId, endpoint: values })), isRotated: false });
  });
  return (
    <FormDialog
      title={endpoint ? t("editTitle") : t("newTitle")}
      size="lg"
      guarded
      form={form}
      submit={endpoint ? t("save") : t("create")}
      onCancel={onClose}
      onClose={onClose}
    >
      <TextInput
        {...form.input("url", t("url"), t("urlDescription"))}
        placeholder="https://shop.example.com/rollcall"
        type="url"
        autoComplete="off"
        data-autofocus
      />
      <TextInput {...form.input("description", t("name"), t("nameDescription"))} />
      <Checkbox.Group {...form.input("events", t("events"))}>
        <Stack gap={8} mt={6}>
          {webhookEvents.map((event) => (
            <Checkbox
              key={event}
              size="xs"
              value={event}
              label={
                <span className={styles.event}>
                  {tWebhooks(`events.${event}`)} <code>{event}</code>
                </span>
              }
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}

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
