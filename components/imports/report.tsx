import { Button } from "@mantine/core";
import Link from "next/link";
import { addedBy, type ImportRecord, noOutcomes } from "@/server/contract/imports";
import { cell, saveFile } from "../people/export";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { notifyError } from "../ui/notify";
import { count } from "../ui/numbers";
import { outcomeLines } from "./outcome-words";
import { runTitle, unchangedBy } from "./run-words";
import styles from "./runs.module.css";

/** What came of a run: each number leads to those people, and what was rejected back into the editor. */
export function Report({ run }: { run: ImportRecord }) {
  const { newsletterId, mayEdit } = useViewer();
  const utils = api.useUtils();
  const there = (part: "added" | "unchanged") =>
    `/n/${newsletterId}/people?import=${run.id}&importPart=${part}`;
  const done = run.state === "done";
  const added = addedBy(run.counts);
  const unchanged = unchangedBy(run.counts);
  const { new_active, new_pending } = run.counts;

  async function download() {
    try {
      const lines = await utils.imports.rejected.fetch({ newsletterId, importId: run.id });
      const rows = [
        ["line", "text", "reason"],
        ...lines.map(({ line, text, reason }) => [String(line), text, reason]),
      ];
      const csv = `\u{feff}${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
      saveFile(`${runTitle(run)} rejected.csv`, "text/csv", csv);
    } catch (error) {
      notifyError(error);
    }
  }

  return (
    <section className={styles.report} aria-label="What came of it">
      {done && (
        <>
          <Part number={added} word="new" href={there("added")}>
            {outcomeLines({ ...noOutcomes, new_active, new_pending }, "did").map(({ key, number, text }) => (
              <span key={key}>
                {count(number)} {text}.
              </span>
            ))}
          </Part>
          <Part number={unchanged} word="unchanged" href={there("unchanged")}>
            {outcomeLines({ ...run.counts, new_active: 0, new_pending: 0 }, "did").map(
              ({ key, number, text }) => (
                <span key={key}>
                  {count(number)} {text}.
                </span>
              ),
            )}
          </Part>
        </>
      )}
      <Part number={run.rejected} word="rejected">
        {run.rejected > 0 ? "Lines that add nobody, kept as they were." : "Every line was read."}
        {run.rejected > 0 && mayEdit && (
          <span className={styles.acts}>
            <Button variant="default" component={Link} href={`/n/${newsletterId}/imports/new?from=${run.id}`}>
              Fix {run.rejected === 1 ? "it" : "them"}
            </Button>
            <Button variant="default" onClick={download}>
              Download
            </Button>
          </span>
        )}
      </Part>
    </section>
  );
}

type PartProps = { number: number; word: string; href?: string; children: React.ReactNode };

function Part({ number, word, href, children }: PartProps) {
  const shown = (
    <>
      <b>{count(number)}</b> {word}
    </>
  );
  return (
    <div className={styles.number}>
      <h2>{href && number > 0 ? <Link href={href}>{shown}</Link> : shown}</h2>
      <p>{children}</p>
    </div>
  );
}
