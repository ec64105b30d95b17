"use client";
import { Button, Group } from "@mantine/core";
import Link from "next/link";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useTranslations } from "use-intl";
import { type MailFilter, mailFilters, personMailKinds } from "@/server/mail/schema/mail-states";
import { SearchField, useOpenFirst } from "../shell/search-field";
import { useListKeys } from "../shell/shortcuts";
import { useViewer } from "../shell/viewer";
import { code } from "../texts/code";
import { fromServer } from "../texts/server-sentences";
import { api, type Outputs } from "../trpc";
import { Choice } from "../ui/choice";
import kit from "../ui/kit.module.css";
import { byCursor, itemsOf, ListPage, PanelRow } from "../ui/list-page";
import { onDemand } from "../ui/on-demand";
import { parseAsId } from "../ui/parse-as-id";
import { Banner, Empty } from "../ui/states";
import { StatusPill, useStatusWord } from "../ui/status-pill";
import { Time } from "../ui/time";
import { deliveryStatusOf, isAddressWrong } from "./delivery-status";
import { describeIssue, isOverBudget, type MailIssue } from "./mail-issue-text";
import styles from "./mails.module.css";
import { RetryButton } from "./retry-button";

const MailPanel = onDemand(() => import("./mail-panel"), { isNear: true });

type ListedMail = Outputs["mails"]["page"]["items"][number];

/** Lists all emails to a newsletter's people, with status and reason. */
export function MailsPage() {
  const wordOf = useStatusWord();
  const t = useTranslations("mails.page");
  const tMails = useTranslations("mails");
  const { newsletterId, sends } = useViewer();
  const [{ q, state, mail: openId }, set] = useQueryStates({
    q: parseAsString.withDefault(""),
    state: parseAsStringLiteral(mailFilters),
    mail: parseAsId,
  });
  const query = api.mails.page.useInfiniteQuery(
    { newsletterId, ...(state && { state }), ...(q && { search: q }) },
    byCursor,
  );
  const mails = itemsOf(query.data);
  const most = query.data?.pages[0]?.most ?? null;
  // Back closes an opened email. On a phone it covers the list.
  const open = (mail: string | null) => void set({ mail }, { history: mail && !openId ? "push" : "replace" });
  const openFirst = useOpenFirst(query, mails?.[0], open);
  const { step, close } = useListKeys("mail", mails ?? [], openId, open);
  return (
    <ListPage
      title={t("title")}
      query={query}
      rows={10}
      actions={
        <>
          <Button component={Link} href={`/n/${newsletterId}/mails/confirmation`} variant="default">
            {tMails("confirmation.title")}
          </Button>
          <Button component={Link} href={`/n/${newsletterId}/mails/welcome`} variant="default">
            {tMails("welcome.title")}
          </Button>
        </>
      }
      tools={
        <>
          {!sends && (
            <Banner>
              {t.rich("notSetUp", {
                link: (chunks) => <Link href={`/n/${newsletterId}/settings/sending`}>{chunks}</Link>,
              })}
            </Banner>
          )}
          <PausedMails />
          {!state && !q && <MailIssues onShow={(one) => set({ state: one })} />}
          <search className={kit.filters} aria-label={t("title")}>
            <SearchField
              label={t("search")}
              value={q}
              onChange={(text) => void set({ q: text || null })}
              onEnter={openFirst}
            />
            <Choice
              label={t("state")}
              value={state}
              options={[mailFilters.map((value) => ({ value, label: wordOf(value) }))]}
              onChoose={(value) => set({ state: value })}
            />
          </search>
          {most !== null && <p>{t("tooMany", { most })}</p>}
        </>
      }
      empty={mails?.length === 0 && <NoMails state={state} isSearch={q !== ""} />}
      panel={openId && <MailPanel key={openId} id={openId} onClose={close} onStep={step} />}
    >
      {() => (
        <ul className={kit.list}>
          {mails?.map((mail) => (
            <MailRow key={mail.id} mail={mail} isOpen={mail.id === openId} onOpen={() => open(mail.id)} />
          ))}
        </ul>
      )}
    </ListPage>
  );
}

/** Says that sending is paused, and how to resume it. */
function PausedMails() {
  const t = useTranslations("mails.page");
  const { newsletterId, adminCommand } = useViewer();
  const { data: pause } = api.mails.pause.useQuery({ newsletterId });
  if (!pause) return null;
  return (
    <Banner>
      {t.rich(`paused.${pause.by}`, {
        time: () => <Time at={pause.at} />,
        command: `${adminCommand} mails resume`,
        code,
      })}
    </Banner>
  );
}

const kinds = [...personMailKinds, "test", "invitation"] as const;

function MailRow({ mail, isOpen, onOpen }: { mail: ListedMail; isOpen: boolean; onOpen(): void }) {
  const t = useTranslations("mails.page");
  const lastEvent = mail.bouncedAt ?? mail.deliveredAt ?? mail.finishedAt ?? mail.frozenAt ?? mail.createdAt;
  const problem = mail.bounceReason ?? mail.reason;
  const kind = kinds.find((one) => one === mail.kind);
  const plain = mail.isReminder ? t("reminder") : kind ? t(`kinds.${kind}`) : "";
  const reason = problem === null ? plain : fromServer(problem);
  return (
    <PanelRow isOpen={isOpen} className={styles.row} data-mail={mail.id} onClick={onOpen}>
      <b>{mail.toEmail}</b>
      <span className={styles.state}>
        <StatusPill status={deliveryStatusOf(mail)} />
      </span>
      <span className={`${kit.cut} ${styles.reason}`}>
        {mail.retryId ? t("sentAgain", { reason }) : reason}
      </span>
      <span className={kit.when}>
        <Time at={lastEvent} />
      </span>
    </PanelRow>
  );
}

function NoMails({ state, isSearch }: { state: MailFilter | null; isSearch: boolean }) {
  const t = useTranslations("mails.empty");
  const { newsletterId, sends, reports } = useViewer();
  if (isSearch) return <Empty title={t("noMatchTitle")}>{t("noMatch")}</Empty>;
  if (state === null) return <Empty title={t("title")}>{t("text")}</Empty>;
  const needsReports = (state === "delivered" || state === "bounced") && sends && !reports;
  return (
    <Empty title={t(`inState.${state}`)}>
      {needsReports
        ? t.rich("noReports", {
            link: (chunks) => <Link href={`/n/${newsletterId}/settings/sending`}>{chunks}</Link>,
          })
        : t("otherState")}
    </Empty>
  );
}

/** Whether staff must act. Other issues resolve by themselves. */
const isUrgent = (issue: MailIssue) =>
  ["failed", "uncertain", "bounced"].includes(issue.state) || isOverBudget(issue);

/** Lists delivery problems, each reason once, with advice. Hidden without problems. */
function MailIssues({ onShow }: { onShow(state: MailIssue["state"]): void }) {
  const t = useTranslations("mails.issues");
  const { newsletterId } = useViewer();
  const { data: issues = [] } = api.mails.issues.useQuery({ newsletterId });
  if (issues.length === 0) return null;
  return (
    <ul className={`${kit.rows} ${styles.issues}`} aria-label={t("label")}>
      {[...issues]
        .sort((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)))
        .map((issue) => (
          <IssueRow
            key={`${issue.state} ${issue.code} ${issue.domain}`}
            issue={issue}
            onShow={() => onShow(issue.state)}
          />
        ))}
    </ul>
  );
}

function IssueRow({ issue, onShow }: { issue: MailIssue; onShow(): void }) {
  const t = useTranslations("mails.issues");
  const { newsletterId, mayEdit } = useViewer();
  const { client } = api.useUtils();
  const { what, advice } = describeIssue(t, issue);
  const { state, code, mails, until } = issue;
  const isForGood = isAddressWrong({ bounced: state === "bounced", code });
  return (
    <li data-urgent={isUrgent(issue) || undefined}>
      <div className={kit.entry}>
        <b>{what}</b>
        <p className={kit.quiet}>
          {until && <>{t.rich("nextDay", { time: () => <Time at={until} /> })} </>}
          {advice}
        </p>
      </div>
      <Group gap={4}>
        {mayEdit && isForGood ? (
          <Button variant="default" onClick={onShow}>
            {t("correct", { n: mails })}
          </Button>
        ) : (
          <Button variant="subtle" color="gray" onClick={onShow}>
            {t("show")}
          </Button>
        )}
        {mayEdit && !isForGood && (state === "failed" || state === "uncertain") && (
          <RetryButton
            label={t("sendAgain", { n: mails })}
            mails={mails}
            variant="default"
            retry={() => client.mails.retryReason.mutate({ newsletterId, state, code })}
            {...(mails > 1 && { of: { state, code } })}
            {...(state === "uncertain" && { recipient: "some" as const })}
          />
        )}
      </Group>
    </li>
  );
}
