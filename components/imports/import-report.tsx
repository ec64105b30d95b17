import { Button, Group } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import { type ImportRecord, noOutcomes, type OutcomeCounts, storedBy } from "@/server/contract/imports";
import type { importParts } from "@/server/contract/people-list";
import { csvLine, csvStart } from "@/server/domain/csv";
import { saveFile } from "../people/export";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { notifyError } from "../ui/notify";
import { count } from "../ui/numbers";
import { importTitle, unchangedBy } from "./import-words";
import { outcomeLines, stillHereText } from "./outcome-words";
import styles from "./pages.module.css";

/** What came of an import: each number leads to those people, and what was rejected back into the editor. */
export function ImportReport({ record }: { record: ImportRecord }) {
  const { newsletterId } = useViewer();
  const { id, counts, rejected, stillHere } = record;
  const { new_active, new_pending, new_unsubscribed, ...others } = counts;
  const added = { new_active, new_pending, new_unsubscribed };
  const hrefOf = (part: (typeof importParts)[number]) =>
    `/n/${newsletterId}/people?import=${id}&importPart=${part}`;
  return (
    <section className={styles.report} aria-label="Result">
      {record.state === "done" && (
        <>
          <Part number={storedBy(counts)} word="new" href={hrefOf("added")}>
            <Outcomes counts={{ ...noOutcomes, ...added }} mailing={record.mailing} />
          </Part>
          <Part number={unchangedBy(counts)} word="unchanged" href={hrefOf("unchanged")}>
            <Outcomes counts={{ ...noOutcomes, ...others }} mailing={null} />
            {stillHere > 0 && (
              <Link href={hrefOf("still_here")}>
                {count(stillHere)} {stillHereText(stillHere)}.
              </Link>
            )}
          </Part>
        </>
      )}
      <Part number={rejected} word="rejected">
        {rejected > 0 ? "Lines that were not imported, stored unchanged." : "Every line was imported."}
        {rejected > 0 && <RejectedActions record={record} />}
      </Part>
    </section>
  );
}

type OutcomesProps = { counts: OutcomeCounts; mailing: ImportRecord["mailing"] };

function Outcomes({ counts, mailing }: OutcomesProps) {
  const { sends } = useViewer();
  return outcomeLines(counts, "did", { sends, mailing }).map(({ key, number, text }) => (
    <span key={key}>
      {count(number)} {text}.
    </span>
  ));
}

function RejectedActions({ record }: { record: ImportRecord }) {
  const { newsletterId, mayEdit } = useViewer();
  const utils = api.useUtils();
  if (!mayEdit) return null;
  async function download() {
    try {
      const lines = await utils.imports.rejected.fetch({ newsletterId, importId: record.id });
      const rows = [
        ["line", "text", "reason"],
        ...lines.map(({ line, text, reason }) => [String(line), text, reason]),
      ];
      const csv = csvStart + rows.map(csvLine).join("");
      saveFile(`${importTitle(record)} rejected.csv`, "text/csv", csv);
    } catch (error) {
      notifyError(error);
    }
  }
  return (
    <Group component="span" gap="xs" mt="xs">
      <Button variant="default" component={Link} href={`/n/${newsletterId}/imports/new?from=${record.id}`}>
        Fix {record.rejected === 1 ? "it" : "them"}
      </Button>
      <Button variant="default" onClick={download}>
        Download
      </Button>
    </Group>
  );
}

type PartProps = { number: number; word: string; href?: string; children: ReactNode };

function Part({ number, word, href, children }: PartProps) {
  const title = (
    <>
      <b>{count(number)}</b> {word}
    </>
  );
  return (
    <div className={styles.part}>
      <h2>{href && number > 0 ? <Link href={href}>{title}</Link> : title}</h2>
      <p>{children}</p>
    </div>
  );
}
