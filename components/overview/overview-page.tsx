"use client";
import { Group, SegmentedControl } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import Link from "next/link";
import { parseAsNumberLiteral, useQueryState } from "nuqs";
import type { ReactNode } from "react";
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
import { Time, useDurationText } from "../ui/time";
import { FirstDay } from "./first-day";
import { Growth } from "./growth";
import styles from "./overview.module.css";

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
      <Loaded query={overview} rows={10}>
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
                      value={days}
                      onChange={setDays}
                      data={spans.map((value) => ({ value, label: t("range", { days: value }) }))}
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
            <span className={kit.quiet}>{label}</span>
            <span className={styles.value}>{count(value)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Email states that need attention or explain a missing email, worst first. */
const states = ["over_budget", "failed", "uncertain", "deferred", "waiting", "sending"] as const;
const badStates: readonly string[] = ["over_budget", "failed", "uncertain"];

/** Lists problems that may need action. Hidden without problems. */
function Attention({ mails, base }: { mails: Overview["mails"]; base: string }) {
  const t = useTranslations("overview.attention");
  const found = states.filter((state) => (mails[state] ?? 0) > 0);
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="attention" className={styles.section}>
      <h2 id="attention">{t("title")}</h2>
      <ul className={`${kit.rows} ${styles.lines}`}>
        {found.map((state) => (
          <li key={state} data-bad={badStates.includes(state) || undefined}>
            <Link href={state === "over_budget" ? `${base}/mails` : `${base}/mails?state=${state}`}>
              {t(`emails.${state}`, { n: mails[state] ?? 0 })}{" "}
              <span className={styles.go}>{t("action.view")}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Part = { text: ReactNode; href?: string; bad?: boolean; at?: Date | null };

type RecentTexts = Texts<"overview.recent">;

function confirmationParts(
  { asked, confirmed, medianSeconds }: Overview["confirmation"],
  t: RecentTexts,
  durationText: (seconds: number) => string,
): Part[] {
  if (asked === 0) return [];
  const percent = Math.round((confirmed / asked) * 100);
  return [
    { text: t("confirmed", { n: confirmed }), href: "/people?added=30d&confirmed=30d" },
    { text: t("stillPending", { n: asked - confirmed }), href: "/people?added=30d&status=pending" },
    {
      text: medianSeconds
        ? t("shareWithHalf", { percent, span: durationText(medianSeconds) })
        : t("share", { percent }),
    },
  ];
}

function requestParts({ requests, rejected, failed }: Overview["requests"], t: RecentTexts): Part[] {
  if (requests === 0) return [];
  const log = "/api?within=7d";
  return [
    { text: t("requests", { n: requests }), href: `${log}#requests` },
    { text: t("rejections", { n: rejected }), href: `${log}&answer=rejected#requests` },
    ...(failed > 0
      ? [{ text: t("failures", { n: failed }), href: `${log}&answer=failed#requests`, bad: true }]
      : []),
  ];
}

/** People's recent sources. Each number links to exactly the people that it counts. */
function Recent({ overview, base }: { overview: Overview; base: string }) {
  const t = useTranslations("overview.recent");
  const durationText = useDurationText();
  const { requests, keys, imports, confirmation } = overview;
  const rows: [string, Part[]][] = [
    [t("row.confirmations"), confirmationParts(confirmation, t, durationText)],
    [t("row.requests"), requestParts(requests, t)],
    [
      t("row.keys"),
      keys.map(({ id, name, lastUsedAt }) => ({
        text: name,
        href: `/api?key=${id}#requests`,
        at: lastUsedAt,
      })),
    ],
    [
      t("row.imports"),
      imports.map(({ id, number, startedAt }) => ({
        text: `#${number}`,
        href: `/imports/${id}`,
        at: startedAt,
      })),
    ],
  ];
  const shown = rows.filter(([, parts]) => parts.length > 0);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="sources" className={styles.section}>
      <h2 id="sources">{t("title")}</h2>
      <dl className={styles.sources}>
        {shown.map(([label, parts]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {parts.map(({ text, href, bad, at }) => (
                <span key={href ?? "share"}>
                  {href ? (
                    <Link href={base + href} data-bad={bad}>
                      {text}
                    </Link>
                  ) : (
                    text
                  )}{" "}
                  {at && <Time at={at} />}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
