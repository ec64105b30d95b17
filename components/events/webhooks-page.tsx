"use client";
import { Button } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { maxWebhookEndpoints, webhookStates } from "@/server/events/schema/webhooks";
import { useShortcuts } from "../shell/shortcuts";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { ListPage } from "../ui/list-page";
import { parseAsId } from "../ui/parse-as-id";
import { Empty } from "../ui/states";
import { EndpointForm, EndpointSecret, type MadeSecret } from "./endpoint-form";
import { EndpointRow } from "./endpoint-row";
import { MessageLog } from "./message-log";
import type { WebhookEndpoint } from "./webhook-words";
import styles from "./webhooks.module.css";

const MessagePanel = dynamic(() => import("./message-panel"), { ssr: false });

/** Polling interval while messages are being delivered. */
const POLL_MS = 3_000;

/** The chosen endpoint and the open panel. The page's address stores both. */
function usePlace() {
  const [place, set] = useQueryStates({
    endpoint: parseAsId,
    state: parseAsStringLiteral(webhookStates),
    message: parseAsInteger,
  });
  const close = () => set({ message: null });
  useShortcuts({ ...(place.message !== null && { Escape: close }) });
  return { ...place, set, close };
}

/** A newsletter's webhook endpoints and their messages. */
export function WebhooksPage() {
  const t = useTranslations("webhooks.page");
  const { newsletterId, mayManage } = useViewer();
  const query = api.webhooks.list.useQuery({ newsletterId }, { refetchInterval: POLL_MS });
  const place = usePlace();
  const [editing, setEditing] = useState<WebhookEndpoint | "new" | null>(null);
  const [secret, setSecret] = useState<MadeSecret | null>(null);
  const endpoints = query.data;
  const chosen = endpoints?.find(({ id }) => id === place.endpoint) ?? endpoints?.[0];
  const add = mayManage && (endpoints?.length ?? 0) < maxWebhookEndpoints && (
    <Button leftSection={<icons.add />} onClick={() => setEditing("new")}>
      {t("new")}
    </Button>
  );
  const onMade = (made: MadeSecret) => {
    setEditing(null);
    setSecret(made);
    void place.set({ endpoint: made.id, message: null, state: null });
  };
  return (
    <ListPage
      title={t("title")}
      query={query}
      rows={3}
      actions={
        <>
          <Button component={Link} href={`/n/${newsletterId}/api`} variant="default">
            {t("keys")}
          </Button>
          {add}
        </>
      }
      tools={<Introduction />}
      empty={endpoints?.length === 0 && <NoEndpoints action={add} />}
      panel={
        chosen &&
        place.message !== null && (
          <MessagePanel
            key={`${chosen.id} ${place.message}`}
            endpoint={chosen}
            number={place.message}
            onClose={place.close}
          />
        )
      }
      footer={
        <>
          {editing && (
            <EndpointForm
              endpoint={editing === "new" ? null : editing}
              onClose={() => setEditing(null)}
              onMade={onMade}
            />
          )}
          {secret && <EndpointSecret made={secret} onClose={() => setSecret(null)} />}
        </>
      }
    >
      {(all) => (
        <>
          <ul className={styles.endpoints} aria-label={t("endpoints")}>
            {all.map((endpoint) => (
              <EndpointRow
                key={endpoint.id}
                endpoint={endpoint}
                isChosen={endpoint.id === chosen?.id}
                onChoose={() => place.set({ endpoint: endpoint.id, message: null })}
                onEdit={() => setEditing(endpoint)}
                onSecret={setSecret}
              />
            ))}
          </ul>
          {chosen && (
            <MessageLog
              key={chosen.id}
              endpoint={chosen}
              state={place.state}
              open={place.message}
              onState={(state) => place.set({ state })}
              onOpen={(message) => place.set({ message })}
            />
          )}
        </>
      )}
    </ListPage>
  );
}

function Introduction() {
  const t = useTranslations("webhooks.page");
  return (
    <p className={kit.quiet}>
      {t.rich("introduction", { link: (chunks) => <a href="/docs#webhooks">{chunks}</a> })}
    </p>
  );
}

function NoEndpoints({ action }: { action: ReactNode }) {
  const t = useTranslations("webhooks.page");
  return (
    <Empty title={t("emptyTitle")} action={action}>
      {t.rich("emptyText", { code: (chunks) => <code>{chunks}</code> })}
    </Empty>
  );
}
