import { Button, Group } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { countStored, noOutcomes, type OutcomeCounts } from "@/server/imports/schema/import-counts";
import type { ImportRecord } from "@/server/imports/schema/imports";
import type { importParts } from "@/server/subscribers/schema/people-list";
import { useViewer } from "../shell/viewer";
import { bold } from "../texts/bold";
import { api } from "../trpc";
import kit from "../ui/kit.module.css";
import { Time } from "../ui/time";
import { countUnchanged } from "./import-words";
import { outcomeLines, outcomeText } from "./outcome-words";
import styles from "./pages.module.css";

/** An import's result. Each number links to its people. Rejected lines can go back into the editor. */
export function ImportReport({ record }: { record: ImportRecord }) {
  const t = useTranslations("imports");
  const { newsletterId, mayEdit } = useViewer();
  const { id, counts, rejected, activeDespiteOptOut } = record;
  const { new_active, new_pending, new_unsubscribed, ...others } = counts;
  const added = { new_active, new_pending, new_unsubscribed };
  const hrefOf = (part: (typeof importParts)[number]) =>
    `/n/${newsletterId}/people?import=${id}&importPart=${part}`;
  return (
    <section className={styles.report} aria-label={t("report.label")}>
      {record.state === "done" && (
        <>
          <Part of="new" number={countStored(counts)} href={hrefOf("added")}>
            <Outcomes counts={{ ...noOutcomes, ...added }} mailing={record.mailing} />
          </Part>
          <Part of="unchanged" number={countUnchanged(counts)} href={hrefOf("unchanged")}>
            <Outcomes counts={{ ...noOutcomes, ...others }} mailing={null} />
            {activeDespiteOptOut > 0 && (
              <Link href={hrefOf("still_here")}>
                {outcomeText({ key: "beside.activeDespiteOptOut", values: { n: activeDespiteOptOut } }, t)}
              </Link>
            )}
          </Part>
        </>
      )}
      <Part of="rejected" number={rejected}>
        {rejected > 0 ? t("report.rejectedLines") : t("report.allImported")}
        {rejected > 0 && mayEdit && (
          <Group component="span" mt="xs">
            <Button variant="default" component={Link} href={`/n/${newsletterId}/imports/new?from=${id}`}>
              {t("report.fix", { n: rejected })}
            </Button>
          </Group>
        )}
      </Part>
    </section>
  );
}

type OutcomesProps = { counts: OutcomeCounts; mailing: ImportRecord["mailing"] };

function Outcomes({ counts, mailing }: OutcomesProps) {
  const t = useTranslations("imports");
  const { sends } = useViewer();
  return outcomeLines(counts, "did", { sends, mailing }).map((line) => (
    <span key={line.key}>{outcomeText(line, t)}</span>
  ));
}

type PartProps = { of: "new" | "unchanged" | "rejected"; number: number; href?: string; children: ReactNode };

function Part({ of, number, href, children }: PartProps) {
  const t = useTranslations("imports.report");
  const title = t.rich(`parts.${of}`, { n: number, b: bold });
  return (
    <div className={styles.part}>
      <h2 data-none={number === 0 || undefined}>
        {href && number > 0 ? <Link href={href}>{title}</Link> : title}
      </h2>
      <p>{children}</p>
    </div>
  );
}

/** Subscribers who are unsubscribed in the pasted list. The import left them unchanged, so staff must look at them. */
export function ActiveDespiteOptOutList({ record: { id, activeDespiteOptOut } }: { record: ImportRecord }) {
  const t = useTranslations("imports");
  const { newsletterId } = useViewer();
  const { data: people = [] } = api.imports.activeDespiteOptOut.useQuery({ newsletterId, importId: id });
  const more = activeDespiteOptOut - people.length;
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="still-here">
      <h2 id="still-here">{t("activeDespiteOptOut.title")}</h2>
      <ul className={kit.list} style={{ marginTop: 8 }}>
        {people.map(({ id: person, email, status, reason, at }) => (
          <li key={person}>
            <Group justify="space-between" gap="4px 12px" mih={40} px={8} py={4}>
              <Link href={`/n/${newsletterId}/people?import=${id}&importPart=still_here&person=${person}`}>
                {email}
              </Link>
              <span>
                {t(`activeDespiteOptOut.there.${reason}`)}
                {at && ", "}
                {at && <Time at={at} />} · {t(`activeDespiteOptOut.here.${status}`)}
              </span>
            </Group>
          </li>
        ))}
        {more > 0 && <li>{t("andMore", { n: more })}</li>}
      </ul>
    </section>
  );
}

type LineTableProps = { label: string; head: string[]; lines: (string | null)[][] };

/** A table of a list's lines. The first cell of each line is its number. */
export function LineTable({ label, head, lines }: LineTableProps) {
  return (
    <table className={styles.lines} aria-label={label}>
      <thead>
        <tr>
          {head.map((title) => (
            <th key={title}>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((cells) => (
          <tr key={cells.join()}>
            {cells.map((cell, i) => (
              <td key={head[i]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
