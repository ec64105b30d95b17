"use client";
import { useEffect, useRef, useState } from "react";
import { count } from "../ui/numbers";
import { CountsBar, wordCounts } from "./counts-bar";
import styles from "./form.module.css";
import { FormatChoice } from "./format-choice";
import { outcomeLines } from "./outcome-words";
import { PlanPanel } from "./plan-panel";
import { ProblemList } from "./problem-list";
import type { Group } from "./reading/messages";
import { Rejected } from "./rejected";
import { type List, useList } from "./use-list";

const NOTIFY_MS = 900;
const kinds = ".csv,.tsv,.txt,.json,.vcf,text/plain,text/csv,text/tab-separated-values";

type Props = {
  /** A run whose rejected lines the editor begins with. */
  from: string | null;
  /** They are in the editor, and kept there: a reload must not bring them once more. */
  onTaken(): void;
};

/** The bulk form: the list at the left, what becomes of it at the right, and below it what will happen. */
export default function PasteForm({ from, onTaken }: Props) {
  const list = useList({ from, onTaken });
  const { reading, rejection } = list;
  const [group, setGroup] = useState<Group | null>(null);
  const [over, setOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const heard = useSpoken(spokenOf(list));
  const filled = reading !== null && (reading.lineCount > 1 || reading.rows + reading.counts.fix > 0);

  // A group that has emptied would hide the others.
  useEffect(() => {
    if (group && reading && reading.counts[group] === 0) setGroup(null);
  }, [group, reading]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a short cut for the button that chooses a file
    <div
      className={styles.form}
      data-over={over || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        const [dropped] = event.dataTransfer.files;
        setOver(false);
        if (!dropped) return;
        event.preventDefault();
        void list.takeFile(dropped);
      }}
      onKeyDown={(event) => {
        // A fix is taken back wherever the keyboard is, but for a field with steps of its own.
        const field = (event.target as HTMLElement).closest("input, textarea, select, [contenteditable]");
        if (field || event.shiftKey || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        list.undo();
      }}
    >
      {rejection?.by === "editor" && <Rejected list={list} />}
      <div className={styles.columnsTwo}>
        <div className={styles.editorSide}>
          <div className={styles.editor} ref={list.parent} data-ready={list.opened || undefined} />
          <div className={styles.under}>
            <p id="list-help">
              Nothing leaves this browser until you press Check. <kbd>F8</kbd> goes to the next line to fix.
            </p>
            <button type="button" className={styles.link} onClick={() => file.current?.click()}>
              Choose a file
            </button>
            <input
              ref={file}
              type="file"
              accept={kinds}
              hidden
              aria-label="A file with the list"
              onChange={(event) => {
                const [chosen] = event.currentTarget.files ?? [];
                event.currentTarget.value = "";
                if (chosen) void list.takeFile(chosen);
              }}
            />
          </div>
        </div>
        <section className={styles.validations} aria-label="What was read">
          {reading && filled ? (
            <>
              <CountsBar counts={reading.counts} group={group} onChoose={setGroup} />
              <FormatChoice list={list} />
              <ProblemList list={list} group={group} />
            </>
          ) : (
            <Teaching />
          )}
        </section>
      </div>
      <PlanPanel list={list} />
      <p className="sr" role="status">
        {heard}
      </p>
      {over && (
        <div className={styles.drop} aria-hidden="true">
          Drop the file: it is read here, and sent nowhere.
        </div>
      )}
    </div>
  );
}

function spokenOf({ reading, plan, stale }: List): string {
  if (!reading) return "";
  if (!plan || stale) return wordCounts(reading.counts);
  const lines = outcomeLines(plan.counts, "will");
  return `Checked. ${lines.map(({ number, text }) => `${count(number)} ${text}.`).join(" ")}`;
}

/** What is read out: only once it has stood still for a moment. */
function useSpoken(text: string): string {
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(text), NOTIFY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return spoken;
}

function Teaching() {
  return (
    <div className={styles.teaching}>
      <h2>Any list will do</h2>
      <p>
        Cells copied from a spreadsheet, the To: field of a mail, the export of another service, JSON, vCards,
        or addresses in any text. Names and statuses are read where there are some.
      </p>
      <p>
        Each line is validated as you type: who is ready, what looks mistyped, who stands there twice. One
        click fixes a line, and <kbd>Ctrl</kbd> <kbd>Z</kbd> takes that back.
      </p>
      <p>Up to 100,000 people at once. Nobody is added before you have seen exactly what will happen.</p>
    </div>
  );
}
