"use client";
import { Button } from "@mantine/core";
import Link from "next/link";
import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { maxWebhookEndpoints, webhookStates } from "@/server/events/schema/webhooks";
import { useShortcuts } from "../shell/shortcuts";
import { useViewer } from "../shell/viewer";
import { code } from "../texts/code";
import type { Texts } from "../texts/texts";
import { api, type Outputs } from "../trpc";
import { Choice } from "../ui/choice";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { byCursor, itemsOf, ListPage, Loaded, PanelRow, POLL_MS, pollNewest } from "../ui/list-page";
import { onDemand } from "../ui/on-demand";
import { parseAsId } from "../ui/parse-as-id";
import { Empty } from "../ui/states";
import { StatusPill } from "../ui/status-pill";
import { Time } from "../ui/time";
import {
  EndpointRow,
  EndpointSecret,
  endpointName,
  type MadeSecret,
  stateTones,
  type WebhookEndpoint,
} from "./endpoint-row";
import styles from "./webhooks.module.css";

const EndpointForm = onDemand(() => import("./endpoint-form"));
const MessagePanel = onDemand(() => import("./message-panel"));

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
          {endpoints?.length !== 0 && add}
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
          <ul className={`${kit.picks} ${styles.endpoints}`} aria-label={t("endpoints")}>
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
          {chosen && <MessageLog key={chosen.id} endpoint={chosen} place={place} />}
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

/** The gist of a message; the documentation has all of it. */
const sample = `{
  "type": "subscriber.confirmed",
  "data": {
    "subscriber": {
      "email": "ada@lovelace.org", …
    }
  }
}`;

function NoEndpoints({ action }: { action: ReactNode }) {
  const t = useTranslations("webhooks.page");
  return (
    <Empty icon={<icons.api />} title={t("emptyTitle")} action={action}>
      <p>{t("emptyText")}</p>
      <pre>{sample}</pre>
      <p>{t.rich("polling", { code })}</p>
    </Empty>
  );
}

type LogProps = { endpoint: WebhookEndpoint; place: ReturnType<typeof usePlace> };

/** An endpoint's webhook messages, newest first. */
function MessageLog({ endpoint, place: { state, message: openMessage, set } }: LogProps) {
  const t = useTranslations("webhooks.log");
  const { newsletterId } = useViewer();
  const query = api.webhooks.messages.useInfiniteQuery(
    { newsletterId, id: endpoint.id, state },
    { ...byCursor, refetchInterval: pollNewest },
  );
  const messages = itemsOf(query.data);
  return (
    <section aria-labelledby="messages" className={styles.log}>
      <header>
        <h2 id="messages">{t("title", { name: endpointName(endpoint) })}</h2>
        <Choice
          label={t("state")}
          value={state}
          options={[webhookStates.map((value) => ({ value, label: t(`states.${value}`) }))]}
          onChoose={(value) => set({ state: value })}
        />
      </header>
      <Loaded
        query={query}
        rows={5}
        empty={
          messages?.length === 0 && (
            <Empty title={state ? t("noMatchTitle") : t("emptyTitle")}>
              {state ? t("noMatchText") : t("emptyText")}
            </Empty>
          )
        }
      >
        {() => (
          <ul className={`${kit.list} ${styles.messages}`}>
            {messages?.map((message) => (
              <MessageRow
                key={message.number}
                message={message}
                isOpen={message.number === openMessage}
                onOpen={() => set({ message: message.number })}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

type Message = Outputs["webhooks"]["messages"]["items"][number];

/** "answered 500, 3 tries" */
function describeAttempts(t: Texts<"webhooks.log">, answerStatus: number | null, n: number): string {
  const status = String(answerStatus);
  if (n > 1) return answerStatus ? t("answeredAfter", { status, n }) : t("noAnswerAfter", { n });
  return answerStatus ? t("answered", { status }) : t("noAnswer");
}

function MessageRow({ message, isOpen, onOpen }: { message: Message; isOpen: boolean; onOpen(): void }) {
  const t = useTranslations("webhooks.log");
  const tWebhooks = useTranslations("webhooks");
  const { number, type, state, attempts, answerStatus, createdAt } = message;
  const failed = state === "waiting" && attempts > 0;
  return (
    <PanelRow isOpen={isOpen} className={styles.message} onClick={onOpen}>
      <span className={styles.number}>{number}</span>
      <b>{tWebhooks(`eventNames.${type}`)}</b>
      <StatusPill
        status={
          failed
            ? { word: t("retrying"), tone: "failed" }
            : { word: t(`states.${state}`), tone: stateTones[state] }
        }
      />
      <span className={kit.quiet}>{attempts > 0 && describeAttempts(t, answerStatus, attempts)}</span>
      <span className={`${kit.quiet} ${kit.when}`}>
        <Time at={createdAt} />
      </span>
    </PanelRow>
  );
}
