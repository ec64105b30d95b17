import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { type WebhookEvent, webhookEvents } from "@/server/events/schema/webhooks";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { FormDialog, useServerForm } from "../ui/form";
import type { MadeSecret, WebhookEndpoint } from "./endpoint-row";
import styles from "./webhooks.module.css";

type Props = { endpoint: WebhookEndpoint | null; onClose(): void; onMade(made: MadeSecret): void };

/** Asks for an endpoint's URL and events. @param endpoint the endpoint to change; null creates one */
export default function EndpointForm({ endpoint, onClose, onMade }: Props) {
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
      title={endpoint ? t("editTitle") : tWebhooks("page.new")}
      size="lg"
      guarded
      form={form}
      submit={endpoint ? undefined : t("create")}
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
