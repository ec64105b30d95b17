"use client";
import { Button, Menu } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { createParser, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useShortcuts } from "../shell/shortcuts";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import { Older, Page } from "../ui/list-page";
import { Banner, Empty, Failed, Loading } from "../ui/states";
import { Status, statusWord } from "../ui/status";
import { Time } from "../ui/time";
import { fateOf, kinds } from "./fate";
import styles from "./mails.module.css";
import { TroubleList } from "./trouble";

const MailPanel = dynamic(() => import("./mail-panel"), { ssr: false });

const states = [
  "waiting",
  "deferred",
  "logged",
  "sending",
  "sent",
  "delivered",
  "bounced",
  "failed",
  "uncertain",
  "cancelled",
] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const parseAsId = createParser<string>({
  parse: (text) => (UUID.test(text) ? text : null),
  serialize: (id) => id,
});

/** Every mail to the people of a newsletter: where it stands, and why. */
export function MailsPage() {
  const { newsletterId, sends } = useViewer();
  const [{ state, mail }, set] = useQueryStates({ state: parseAsStringLiteral(states), mail: parseAsId });
  const list = api.mails.page.useInfiniteQuery(
    { newsletterId, ...(state && { state }) },
    { initialCursor: null, getNextPageParam: (last) => last.after, placeholderData: (before) => before },
  );
  useShortcuts({ ...(mail && { Escape: () => set({ mail: null }) }) });
  const mails = list.data?.pages.flatMap((page) => page.mails) ?? [];
  return (
    <div className={styles.layout} data-open={mail ? true : undefined}>
      <Page
        title="Mails"
        actions={
          <>
            <Button component={Link} href={`/n/${newsletterId}/mails/confirmation`} variant="default">
              Confirmation mail
            </Button>
            <Menu position="bottom-end" width={190}>
              <Menu.Target>
                <Button variant="default" rightSection={<icons.down />}>
                  {state ? `State: ${statusWord(state)}` : "State"}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.RadioGroup
                  value={state ?? "any"}
                  onChange={(one) => set({ state: states.find((known) => known === one) ?? null })}
                >
                  {(["any", ...states] as const).map((one) => (
                    <Menu.RadioItem key={one} value={one} checkIcon={<icons.check />} closeMenuOnClick>
                      {one === "any" ? "Any" : statusWord(one)}
                    </Menu.RadioItem>
                  ))}
                </Menu.RadioGroup>
              </Menu.Dropdown>
            </Menu>
          </>
        }
      >
        {!sends && (
          <Banner>
            <b>Nothing leaves.</b> Without a Resend key mails are only logged here, links and all, so that
            everything can be tried. Set <code>RESEND_API_KEY</code> and <code>MAIL_FROM</code>, and start
            again, to send.
          </Banner>
        )}
        {!state && <TroubleList onShow={(one) => set({ state: one })} />}
        {list.error && <Failed error={list.error} retry={() => list.refetch()} />}
        {list.isPending && <Loading rows={10} />}
        {list.isSuccess && mails.length === 0 && (
          <Empty title={state ? `No mail is ${statusWord(state).toLowerCase()}` : "No mails yet"}>
            <WhyEmpty state={state} />
          </Empty>
        )}
        {mails.length > 0 && (
          <ul className={styles.list}>
            {mails.map((one) => (
              <li key={one.id} data-open={one.id === mail || undefined}>
                <button
                  type="button"
                  onClick={() => set({ mail: one.id })}
                  aria-current={one.id === mail ? "true" : undefined}
                >
                  <span className={styles.to}>{one.toEmail}</span>
                  <span className={styles.state}>
                    <Status status={fateOf(one)} />
                  </span>
                  <span className={styles.reason}>
                    {one.retryId ? "Sent again: " : ""}
                    {one.bounceReason ?? one.reason ?? kinds[one.kind]}
                  </span>
                  <span className={styles.when}>
                    <Time
                      at={one.bouncedAt ?? one.deliveredAt ?? one.finishedAt ?? one.frozenAt ?? one.createdAt}
                    />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
        <Older list={list} />
      </Page>
      {mail && <MailPanel key={mail} id={mail} onClose={() => set({ mail: null })} />}
    </div>
  );
}

/** What an empty list teaches. */
function WhyEmpty({ state }: { state: (typeof states)[number] | null }) {
  const { sends, reports } = useViewer();
  if (state === null)
    return <>Whoever is added as pending gets one that asks them to confirm. It shows here at once.</>;
  if ((state === "delivered" || state === "bounced") && sends && !reports) {
    return (
      <>
        Resend has not been asked to tell. Make a webhook there that leads to{" "}
        <code>/api/webhooks/resend</code> here, and set <code>RESEND_WEBHOOK_SECRET</code>.
      </>
    );
  }
  return <>Other states may have some.</>;
}
