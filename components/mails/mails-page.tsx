"use client";
import { Button, UnstyledButton } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { type MailFilter, mailFilters } from "@/server/contract/mail-states";
import { useListKeys } from "../shell/list-keys";
import { SearchField } from "../shell/search-field";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Choice } from "../ui/choice";
import kit from "../ui/kit.module.css";
import { ListPage } from "../ui/list-page";
import { count } from "../ui/numbers";
import { parseAsId } from "../ui/parse-as-id";
import { Banner, Empty } from "../ui/states";
import { StatusPill, statusWord } from "../ui/status";
import { Time } from "../ui/time";
import { deliveryStatusOf } from "./delivery-status";
import { MailIssues } from "./mail-issues";
import styles from "./mails.module.css";

const MailPanel = dynamic(() => import("./mail-panel"), { ssr: false });

type ListedMail = Outputs["mails"]["page"]["items"][number];

const stateOptions = [mailFilters.map((value) => ({ value, label: statusWord(value) }))];

/** Every mail to the people of a newsletter: its status, and why. */
export function MailsPage() {
  const { newsletterId, sends } = useViewer();
  const [{ q, state, mail: openId }, set] = useQueryStates({
    q: parseAsString.withDefault(""),
    state: parseAsStringLiteral(mailFilters),
    mail: parseAsId,
  });
  const query = api.mails.page.useInfiniteQuery(
    { newsletterId, ...(state && { state }), ...(q && { search: q }) },
    { initialCursor: null, getNextPageParam: (last) => last.next, placeholderData: (before) => before },
  );
  const mails = query.data?.pages.flatMap((page) => page.items) ?? null;
  const most = query.data?.pages[0]?.most ?? null;
  const open = (mail: string | null) => void set({ mail });
  const { step, close } = useListKeys("mail", mails ?? [], openId, open);
  return (
    <ListPage
      title="Emails"
      query={query}
      rows={10}
      actions={
        <>
          <Button component={Link} href={`/n/${newsletterId}/mails/confirmation`} variant="default">
            Confirmation email
          </Button>
          <Button component={Link} href={`/n/${newsletterId}/mails/welcome`} variant="default">
            Welcome email
          </Button>
        </>
      }
      tools={
        <>
          {!sends && (
            <Banner>
              Email is not set up, so emails are stored but not sent. Set it up under{" "}
              <Link href={`/n/${newsletterId}/settings/sending`}>Settings, Sending</Link>. Emails stored until
              then are not sent later.
            </Banner>
          )}
          <PausedMails />
          {!state && !q && <MailIssues onShow={(one) => set({ state: one })} />}
          <search className={kit.filters} aria-label="Emails">
            <SearchField
              label="Search by email or name"
              value={q}
              onChange={(text) => void set({ q: text || null })}
            />
            <Choice
              label="State"
              value={state}
              chosen={state && statusWord(state)}
              options={stateOptions}
              onChoose={(value) => set({ state: value as typeof state })}
            />
          </search>
          {most !== null && (
            <p>
              More than {count(most)} people match. The list shows the emails of the {count(most)} most
              recently added.
            </p>
          )}
        </>
      }
      empty={mails?.length === 0 && (q ? <NoMatch /> : <NoMails state={state} />)}
      panel={openId && <MailPanel key={openId} id={openId} onClose={close} onStep={step} />}
    >
      {() => (
        <ul className={styles.list}>
          {mails?.map((mail) => (
            <MailRow key={mail.id} mail={mail} isOpen={mail.id === openId} onOpen={() => open(mail.id)} />
          ))}
        </ul>
      )}
    </ListPage>
  );
}

/** Says that no mail leaves, and who can change that. */
function PausedMails() {
  const { newsletterId, adminCommand } = useViewer();
  const { data: pause } = api.mails.pause.useQuery({ newsletterId });
  if (!pause) return null;
  return (
    <Banner>
      No email has been sent since <Time at={pause.at} />:{" "}
      {pause.by === "restore" ? "Rollcall was restored from a backup" : "the operator paused sending"}. New
      emails wait. Your operator can resume sending with <code>{adminCommand} mails resume</code>.
    </Banner>
  );
}

const kinds: Record<string, string> = {
  confirmation: "Confirmation",
  welcome: "Welcome",
  preferences: "Preferences",
  new_address: "New address",
  test: "Test",
  invitation: "Invitation",
};

function MailRow({ mail, isOpen, onOpen }: { mail: ListedMail; isOpen: boolean; onOpen(): void }) {
  const lastEvent = mail.bouncedAt ?? mail.deliveredAt ?? mail.finishedAt ?? mail.frozenAt ?? mail.createdAt;
  return (
    <li data-open={isOpen || undefined}>
      <UnstyledButton
        className={styles.row}
        data-mail={mail.id}
        onClick={onOpen}
        aria-current={isOpen ? "true" : undefined}
      >
        <b>{mail.toEmail}</b>
        <span className={styles.state}>
          <StatusPill status={deliveryStatusOf(mail)} />
        </span>
        <span className={styles.reason}>
          {mail.retryId ? "Sent again: " : ""}
          {mail.bounceReason ?? mail.reason ?? (mail.isReminder ? "Reminder" : kinds[mail.kind])}
        </span>
        <span className={styles.when}>
          <Time at={lastEvent} />
        </span>
      </UnstyledButton>
    </li>
  );
}

function NoMatch() {
  return (
    <Empty title="No matches">
      Search uses people’s current addresses and names. Emails of erased people are erased, too.
    </Empty>
  );
}

function NoMails({ state }: { state: MailFilter | null }) {
  const { newsletterId, sends, reports } = useViewer();
  if (state === null) {
    return (
      <Empty title="No emails yet">
        Pending people receive a confirmation email. It appears here immediately.
      </Empty>
    );
  }
  const needsReports = (state === "delivered" || state === "bounced") && sends && !reports;
  return (
    <Empty title={`No email is ${statusWord(state).toLowerCase()}`}>
      {needsReports ? (
        <>
          Rollcall receives no delivery reports. With Resend, set them up under{" "}
          <Link href={`/n/${newsletterId}/settings/sending`}>Settings, Sending</Link>. Mail servers don’t send
          reports.
        </>
      ) : (
        "Try another state."
      )}
    </Empty>
  );
}
