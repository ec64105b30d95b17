import { Button, Group } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import {
  countStored,
  type ImportRecord,
  noOutcomes,
  type OutcomeCounts,
} from "@/server/imports/schema/imports";
import { csvByteOrderMark, csvLine } from "@/server/kernel/csv";
import type { importParts } from "@/server/subscribers/schema/people-list";
import { useViewer } from "../shell/viewer";
import { saveFile } from "../subscribers/export";
import { bold } from "../texts/bold";
import { fromServer } from "../texts/server-sentences";
import { api } from "../trpc";
import { notifyError } from "../ui/notify";
import { countUnchanged, importName } from "./import-words";
import { outcomeLines, outcomeText } from "./outcome-words";
import styles from "./pages.module.css";

/** An import's result. Each number links to its people. Rejected lines can go back into the editor. */
export function ImportReport({ record }: { record: ImportRecord }) {
  const t = useTranslations("imports");
  const { newsletterId } = useViewer();
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
        {rejected > 0 && <RejectedActions record={record} />}
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

function RejectedActions({ record }: { record: ImportRecord }) {
  const t = useTranslations("imports");
  const { newsletterId, mayEdit } = useViewer();
  const utils = api.useUtils();
  if (!mayEdit) return null;
  async function download() {
    try {
      const lines = await utils.imports.rejected.fetch({ newsletterId, importId: record.id });
      const rows = [
        ["line", "text", "reason"],
        ...lines.map(({ line, text, reason }) => [String(line), text, fromServer(reason)]),
      ];
      const csv = csvByteOrderMark + rows.map(csvLine).join("");
      saveFile(`${t("report.fileName", { import: importName(record, t) })}.csv`, "text/csv", csv);
    } catch (error) {
      notifyError(error);
    }
  }
  return (
    <Group component="span" gap="xs" mt="xs">
      <Button variant="default" component={Link} href={`/n/${newsletterId}/imports/new?from=${record.id}`}>
        {t("report.fix", { n: record.rejected })}
      </Button>
      <Button variant="default" onClick={download}>
        {t("report.download")}
      </Button>
    </Group>
  );
}

type PartProps = { of: "new" | "unchanged" | "rejected"; number: number; href?: string; children: ReactNode };

function Part({ of, number, href, children }: PartProps) {
  const t = useTranslations("imports.report");
  const title = t.rich(`parts.${of}`, { n: number, b: bold });
  return (
    <div className={styles.part}>
      <h2>{href && number > 0 ? <Link href={href}>{title}</Link> : title}</h2>
      <p>{children}</p>
    </div>
  );
}
