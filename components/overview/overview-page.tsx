"use client";
import { Group, SegmentedControl } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import Link from "next/link";
import { parseAsNumberLiteral, useQueryState } from "nuqs";
import { useUndo } from "../bulk-actions/use-bulk-action";
import { daysAgo } from "../people/span";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { AuditLog } from "../ui/audit-log";
import kit from "../ui/kit.module.css";
import { DashboardPage, Loaded } from "../ui/list-page";
import { count } from "../ui/numbers";
import { Empty } from "../ui/states";
import { Attention } from "./attention";
import { FirstDay } from "./first-day";
import { Growth } from "./growth";
import styles from "./overview.module.css";
import { Recent } from "./recent";

type Overview = Outputs["newsletters"]["overview"];

const spans = [30, 90, 365] as const;

const totalOf = ({ people }: Overview) => people.active + people.pending + people.unsubscribed;

function sentenceOf(overview: Overview): string {
  const { people, thisWeek } = overview;
  if (totalOf(overview) === 0) return "No subscribers yet";
  const active = `${count(people.active)} active ${people.active === 1 ? "subscriber" : "subscribers"}`;
  return `${active} · +${count(thisWeek.joined)}\u{a0}joined, −${count(thisWeek.left)}\u{a0}unsubscribed this week`;
}

/** A newsletter at a glance: one sentence, one chart, four numbers, what needs attention, what happened. */
export function OverviewPage() {
  const { newsletterId, newsletter, mayEdit } = useViewer();
  const undo = useUndo();
  const [days, setDays] = useQueryState("days", parseAsNumberLiteral(spans).withDefault(30));
  const overview = api.newsletters.overview.useQuery(
    { newsletterId, days, own: { week: daysAgo(6), month: daysAgo(29) } },
    { placeholderData: keepPreviousData },
  );
  const entries = api.account.auditLog.useQuery({ limit: 8, cursor: null, newsletterId });
  const base = `/n/${newsletterId}`;
  const title = overview.data ? sentenceOf(overview.data) : newsletter.name;
  return (
    <DashboardPage title={<span className={styles.sentence}>{title}</span>}>
      <Loaded query={overview} standIn={<StandIn />}>
        {(data) => (
          <>
            <FirstDay overview={data} />
            {totalOf(data) === 0 ? (
              <Empty
                title="Add your first subscribers"
                action={<Link href={`${base}/people?add=true`}>Add a person</Link>}
              >
                Paste a list, add one person, or connect your website. Your growth chart will appear here.
              </Empty>
            ) : (
              <>
                <Numbers overview={data} base={base} />
                <section aria-labelledby="growth">
                  <Group justify="space-between">
                    <h2 id="growth">Active people</h2>
                    <SegmentedControl
                      size="xs"
                      aria-label="Time range"
                      value={String(days)}
                      onChange={(value) => setDays(Number(value) as (typeof spans)[number])}
                      data={spans.map((value) => ({
                        value: String(value),
                        label: value === 365 ? "1 year" : `${value} days`,
                      }))}
                    />
                  </Group>
                  <Growth growth={data.growth} />
                </section>
              </>
            )}
            <Attention mails={data.mails} base={base} />
            <Recent overview={data} base={base} />
            <section aria-labelledby="lately" className={styles.section}>
              <h2 id="lately">Recent activity</h2>
              {entries.data && <AuditLog entries={entries.data.items} {...(mayEdit && { onUndo: undo })} />}
            </section>
          </>
        )}
      </Loaded>
    </DashboardPage>
  );
}

/** The four numbers and the chart, while they are read. */
const StandIn = () => (
  <div className={`${kit.loading} ${styles.standIn}`} role="status" aria-label="Loading">
    <div />
    <div />
  </div>
);

function Numbers({ overview: { people, addedThisWeek }, base }: { overview: Overview; base: string }) {
  const numbers = [
    { label: "Active", value: people.active, query: "status=active" },
    { label: "Pending", value: people.pending, query: "status=pending" },
    { label: "Unsubscribed", value: people.unsubscribed, query: "status=unsubscribed" },
    { label: "Added in 7 days", value: addedThisWeek, query: "added=7d" },
  ];
  return (
    <ul className={styles.numbers}>
      {numbers.map(({ label, value, query }) => (
        <li key={label}>
          <Link href={`${base}/people?${query}`}>
            <span className={styles.label}>{label}</span>
            <span className={styles.value}>{count(value)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
