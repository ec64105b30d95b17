"use client";
import { UnstyledButton } from "@mantine/core";
import { useTranslations } from "use-intl";
import { type WebhookState, webhookStates } from "@/server/events/schema/webhooks";
import { useViewer } from "../shell/viewer";
import type { Texts } from "../texts/texts";
import { api, type Outputs } from "../trpc";
import { Choice } from "../ui/choice";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { Empty } from "../ui/states";
import { StatusPill } from "../ui/status-pill";
import { Time } from "../ui/time";
import { endpointName } from "./endpoint-row";
import { stateTones, type WebhookEndpoint } from "./webhook-words";
import styles from "./webhooks.module.css";

const POLL_MS = 3_000;

type Props = {
  endpoint: WebhookEndpoint;
  state: WebhookState | null;
  /** The number of the message in the panel. */
  open: number | null;
  onState(state: WebhookState | null): void;
  onOpen(number: number): void;
};

/** An endpoint's webhook messages, newest first. */
export function MessageLog({ endpoint, state, open, onState, onOpen }: Props) {
  const t = useTranslations("webhooks.log");
  const { newsletterId } = useViewer();
  const query = api.webhooks.messages.useInfiniteQuery(
    { newsletterId, id: endpoint.id, state },
    {
      initialCursor: null,
      getNextPageParam: (last) => last.next,
      placeholderData: (before) => before,
      refetchInterval: (current) => ((current.state.data?.pages.length ?? 1) > 1 ? false : POLL_MS),
    },
  );
  const messages = query.data?.pages.flatMap((page) => page.items);
  return (
    <section aria-labelledby="messages" className={styles.log}>
      <header>
        <h2 id="messages">{t("title", { name: endpointName(endpoint) })}</h2>
        <Choice
          label={t("state")}
          value={state}
          chosen={state && t(`states.${state}`)}
          options={[webhookStates.map((value) => ({ value, label: t(`states.${value}`) }))]}
          onChoose={(value) => onState(value as WebhookState | null)}
        />
      </header>
      <Loaded query={query} rows={5} empty={messages?.length === 0 && <NoMessages state={state} />}>
        {() => (
          <ul className={styles.messages}>
            {messages?.map((message) => (
              <MessageRow
                key={message.number}
                message={message}
                isOpen={message.number === open}
                onOpen={() => onOpen(message.number)}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function NoMessages({ state }: Pick<Props, "state">) {
  const t = useTranslations("webhooks.log");
  if (state) return <Empty title={t("noMatchTitle")}>{t("noMatchText")}</Empty>;
  return <Empty title={t("emptyTitle")}>{t("emptyText")}</Empty>;
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
    <li data-open={isOpen || undefined}>
      <UnstyledButton className={styles.message} onClick={onOpen} aria-current={isOpen ? "true" : undefined}>
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
        <span className={`${kit.quiet} ${styles.when}`}>
          <Time at={createdAt} />
        </span>
      </UnstyledButton>
    </li>
  );
}
