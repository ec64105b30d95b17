"use client";
import { Button, Checkbox, Stack, TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { type WebhookEvent, webhookEvents } from "@/server/events/schema/webhooks";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Dialog } from "../ui/dialog";
import { Form, useServerForm } from "../ui/form";
import { SecretDialog } from "../ui/secret-dialog";
import type { WebhookEndpoint } from "./webhook-words";
import styles from "./webhooks.module.css";

/** A new secret, of a new endpoint or after a rotation. */
export type MadeSecret = { id: string; secret: string; isRotated: boolean };
type Props = { endpoint: WebhookEndpoint | null; onClose(): void; onMade(made: MadeSecret): void };

/** Asks for an endpoint's URL and events. @param endpoint the endpoint to change; null creates one */
export function EndpointForm({ endpoint, onClose, onMade }: Props) {
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
    <Dialog onClose={onClose} title={endpoint ? t("editTitle") : t("newTitle")} size="lg">
      <Form
        form={form}
        submit={endpoint ? t("save") : t("create")}
        atEnd
        actions={
          <Button variant="default" onClick={onClose}>
            {t("cancel")}
          </Button>
        }
      >
        <TextInput
          label={t("url")}
          description={t("urlDescription")}
          placeholder="https://shop.example.com/rollcall"
          type="url"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps("url")}
        />
        <TextInput
          label={t("name")}
          description={t("nameDescription")}
          {...form.getInputProps("description")}
        />
        <Checkbox.Group label={t("events")} {...form.getInputProps("events")}>
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
      </Form>
    </Dialog>
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
