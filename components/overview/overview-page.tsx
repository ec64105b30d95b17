"use client";
import { SegmentedControl } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import Link from "next/link";
import { parseAsNumberLiteral, useQueryState } from "nuqs";
import { useUndo } from "../bulk-actions/use-bulk-action";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { AuditLog } from "../ui/audit-log";
import { count, counted, people as wordPeople } from "../ui/numbers";
import { Empty, Failed, Loading } from "../ui/states";
import { Growth } from "./growth";
import styles from "./overview.module.css";
import { Recent } from "./recent";

const spans = [30, 90, 365] as const;

/** The first moment of a day of the reader's own, which are the days that the list of people goes by. */
function daysAgo(days: number): Date {
  const today = new Date();
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - days);
}

/** How the newsletter stands: one sentence, one chart, four numbers, what wants attention, what happened. */
export function OverviewPage() {
  const { newsletterId, newsletter, sends, mayEdit } = useViewer();
  const undo = useUndo();
  const [days, setDays] = useQueryState("days", parseAsNumberLiteral(spans).withDefault(30));
  const found = api.newsletters.overview.useQuery(
    { newsletterId, days, own: { week: daysAgo(6), month: daysAgo(29) } },
    { placeholderData: keepPreviousData },
  );
  const acts = api.account.auditLog.useQuery({ limit: 8, cursor: null });
  const base = `/n/${newsletterId}`;
  if (found.isPending) {
    return (
      <div className={styles.page}>
        <Loading rows={10} />
      </div>
    );
  }
  if (found.error) {
    return (
      <div className={styles.page}>
        <Failed error={found.error} retry={() => found.refetch()} />
      </div>
    );
  }
  const { people, joinedThisWeek, growth } = found.data;
  const everybody = people.active + people.pending + people.unsubscribed;
  return (
    <div className={styles.page}>
      <h1 className={styles.sentence}>
        {everybody === 0
          ? `Nobody reads ${newsletter.name} yet.`
          : `${wordPeople(people.active)} ${people.active === 1 ? "reads" : "read"} ${newsletter.name}; ${
              joinedThisWeek === 0 ? "nobody" : count(joinedThisWeek)
            } joined this week.`}
      </h1>
      {everybody === 0 ? (
        <Empty
          title="Bring the first people"
          action={<Link href={`${base}/people?add=true`}>Add a person</Link>}
        >
          Paste a list, add one person, or give a key to your website. Here will be how the list grows.
        </Empty>
      ) : (
        <>
          <Numbers data={found.data} base={base} />
          <section aria-labelledby="growth">
            <header className={styles.head}>
              <h2 id="growth">People on the list</h2>
              <SegmentedControl
                size="xs"
                aria-label="How far back"
                value={String(days)}
                onChange={(value) => setDays(Number(value) as (typeof spans)[number])}
                data={spans.map((value) => ({
                  value: String(value),
                  label: value === 365 ? "1 year" : `${value} days`,
                }))}
              />
            </header>
            <Growth days={growth} />
          </section>
        </>
      )}
      <Attention mails={found.data.mails} sends={sends} base={base} />
      <Recent data={found.data} base={base} />
      <section aria-labelledby="lately" className={styles.lately}>
        <h2 id="lately">Lately</h2>
        {acts.data && <AuditLog entries={acts.data} {...(mayEdit && { onUndo: undo })} />}
      </section>
    </div>
  );
}

type Overview = Outputs["newsletters"]["overview"];

function Numbers({ data: { people, joinedThisWeek }, base }: { data: Overview; base: string }) {
  const numbers = [
    { label: "Active", value: count(people.active), href: `${base}/people?status=active` },
    {
      label: "Pending",
      value: count(people.pending),
      href: `${base}/people?status=pending`,
    },
    { label: "Unsubscribed", value: count(people.unsubscribed), href: `${base}/people?status=unsubscribed` },
    { label: "Joined in 7 days", value: count(joinedThisWeek), href: `${base}/people?added=7d` },
  ];
  return (
    <ul className={styles.numbers}>
      {numbers.map(({ label, value, href }) => (
        <li key={label}>
          <Link href={href}>
            <span className={styles.label}>{label}</span>
            <span className={styles.value}>{value}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Attention({ mails, sends, base }: { mails: Overview["mails"]; sends: boolean; base: string }) {
  const failed = mails.failed ?? 0;
  const uncertain = mails.uncertain ?? 0;
  const waiting = mails.waiting ?? 0;
  const sending = mails.sending ?? 0;
  const deferred = mails.deferred ?? 0;
  const lines = [
    failed > 0 && {
      href: `${base}/mails?state=failed`,
      text: `${counted(failed, "mail")} failed`,
      bad: true,
    },
    uncertain > 0 && {
      href: `${base}/mails?state=uncertain`,
      text: `${counted(uncertain, "mail")} may not have arrived`,
      bad: true,
    },
    deferred > 0 && {
      href: `${base}/mails?state=deferred`,
      text: `${counted(deferred, "mail")} deferred; they are sent later`,
    },
    waiting > 0 && {
      href: `${base}/mails?state=waiting`,
      text: `${counted(waiting, "mail")} about to leave`,
    },
    sending > 0 && {
      href: `${base}/mails?state=sending`,
      text: `${counted(sending, "mail")} leaving now`,
    },
    !sends && {
      href: `${base}/mails`,
      text: "Nothing leaves: mails are only logged until a Resend key is set",
    },
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="attention" className={styles.lately}>
      <h2 id="attention">Wants attention</h2>
      <ul className={styles.lines}>
        {lines.map(({ href, text, bad }) => (
          <li key={text} data-bad={bad || undefined}>
            <Link href={href}>{text}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
