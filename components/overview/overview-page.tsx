"use client";
import { Group, SegmentedControl } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import Link from "next/link";
import { parseAsNumberLiteral, useQueryState } from "nuqs";
import { useTranslations } from "use-intl";
import { useUndo } from "../bulk-actions/use-bulk-action";
import { useViewer } from "../shell/viewer";
import { daysAgo } from "../subscribers/span";
import type { Texts } from "../texts/texts";
import { api, type Outputs } from "../trpc";
import { AuditLog } from "../ui/audit-log";
import kit from "../ui/kit.module.css";
import { DashboardPage, Loaded } from "../ui/list-page";
import { useCount } from "../ui/numbers";
import { Empty } from "../ui/states";
import { Attention } from "./attention";
import { FirstDay } from "./first-day";
import { Growth } from "./growth";
import styles from "./overview.module.css";
import { Recent } from "./recent";

type Overview = Outputs["newsletters"]["overview"];

const spans = [30, 90, 365] as const;

const totalOf = ({ people }: Overview) => people.active + people.pending + people.unsubscribed;

function sentenceOf(overview: Overview, t: Texts<"overview.page">): string {
  if (totalOf(overview) === 0) return t("noSubscribers");
  return t("sentence", { active: overview.people.active, ...overview.thisWeek });
}

/** A newsletter's overview: one sentence, one chart, four numbers, problems and recent events. */
export function OverviewPage() {
  const t = useTranslations("overview.page");
  const { newsletterId, newsletter, mayEdit } = useViewer();
  const undo = useUndo();
  const [days, setDays] = useQueryState("days", parseAsNumberLiteral(spans).withDefault(30));
  const overview = api.newsletters.overview.useQuery(
    { newsletterId, days, own: { week: daysAgo(6), month: daysAgo(29) } },
    { placeholderData: keepPreviousData },
  );
  const entries = api.account.auditLog.useQuery({ limit: 8, cursor: null, newsletterId });
  const base = `/n/${newsletterId}`;
  const title = overview.data ? sentenceOf(overview.data, t) : newsletter.name;
  return (
    <DashboardPage title={<span className={styles.sentence}>{title}</span>}>
      <Loaded query={overview} standIn={<StandIn />}>
        {(data) => (
          <>
            <FirstDay overview={data} />
            {totalOf(data) === 0 ? (
              <Empty
                title={t("emptyTitle")}
                action={<Link href={`${base}/people?add=true`}>{t("addPerson")}</Link>}
              >
                {t("emptyText")}
              </Empty>
            ) : (
              <>
                <Numbers overview={data} base={base} />
                <section aria-labelledby="growth">
                  <Group justify="space-between">
                    <h2 id="growth">{t("activePeople")}</h2>
                    <SegmentedControl
                      size="xs"
                      aria-label={t("timeRange")}
                      value={String(days)}
                      onChange={(value) => setDays(Number(value) as (typeof spans)[number])}
                      data={spans.map((value) => ({
                        value: String(value),
                        label: t("range", { days: value }),
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
              <h2 id="lately">{t("recentActivity")}</h2>
              {entries.data && <AuditLog entries={entries.data.items} {...(mayEdit && { onUndo: undo })} />}
            </section>
          </>
        )}
      </Loaded>
    </DashboardPage>
  );
}

/** The placeholder for the four numbers and the chart. */
function StandIn() {
  const t = useTranslations("overview.page");
  return (
    <div className={`${kit.loading} ${styles.standIn}`} role="status" aria-label={t("loading")}>
      <div />
      <div />
    </div>
  );
}

function Numbers({ overview: { people, addedThisWeek }, base }: { overview: Overview; base: string }) {
  const t = useTranslations("overview.numbers");
  const count = useCount();
  const numbers = [
    { label: t("active"), value: people.active, query: "status=active" },
    { label: t("pending"), value: people.pending, query: "status=pending" },
    { label: t("unsubscribed"), value: people.unsubscribed, query: "status=unsubscribed" },
    { label: t("added"), value: addedThisWeek, query: "added=7d" },
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
