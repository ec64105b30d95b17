"use client";
import { UnstyledButton } from "@mantine/core";
import { type WebhookEndpoint, type WebhookState, webhookStates } from "@/server/contract/webhooks";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Choice } from "../ui/choice";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { Empty } from "../ui/states";
import { StatusPill } from "../ui/status";
import { Time } from "../ui/time";
import { endpointName } from "./endpoint-row";
import { stateLooks, typeWords } from "./webhook-words";
import styles from "./webhooks.module.css";

const POLL_MS = 3_000;
const stateOptions = [webhookStates.map((value) => ({ value, label: stateLooks[value].word }))];

type Props = {
  endpoint: WebhookEndpoint;
  state: WebhookState | null;
  /** The number of the message that is open beside. */
  open: number | null;
  onState(state: WebhookState | null): void;
  onOpen(number: number): void;
};

/** What an endpoint was told, newest first. */
export function MessageLog({ endpoint, state, open, onState, onOpen }: Props) {
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
        <h2 id="messages">Deliveries to {endpointName(endpoint)}</h2>
        <Choice
          label="State"
          value={state}
          chosen={state && stateLooks[state].word}
          options={stateOptions}
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
  if (state) return <Empty title="No matching deliveries in the last 30 days">Try another state.</Empty>;
  return (
    <Empty title="No deliveries yet">
      New events appear here. To test the URL, choose “Send a test” in the menu.
    </Empty>
  );
}

type Message = Outputs["webhooks"]["messages"]["items"][number];

function MessageRow({ message, isOpen, onOpen }: { message: Message; isOpen: boolean; onOpen(): void }) {
  const { number, type, state, attempts, answerStatus, createdAt } = message;
  const failed = state === "waiting" && attempts > 0;
  return (
    <li data-open={isOpen || undefined}>
      <UnstyledButton className={styles.message} onClick={onOpen} aria-current={isOpen ? "true" : undefined}>
        <span className={styles.number}>{number}</span>
        <b>{typeWords[type]}</b>
        <StatusPill status={failed ? { word: "Retrying", tone: "failed" } : stateLooks[state]} />
        <span className={kit.quiet}>
          {attempts > 0 && (answerStatus ? `answered ${answerStatus}` : "no answer")}
          {attempts > 1 && `, ${attempts} tries`}
        </span>
        <span className={`${kit.quiet} ${styles.when}`}>
          <Time at={createdAt} />
        </span>
      </UnstyledButton>
    </li>
  );
}
