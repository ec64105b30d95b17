"use client";
import { Anchor, FileButton, Group, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { maxImportRows } from "@/server/contract/imports";
import { useViewer } from "../shell/viewer";
import { count } from "../ui/numbers";
import { ColumnMenus } from "./column-menus";
import { CountsBar, sumCounts, wordCounts } from "./counts-bar";
import { DropArea } from "./drop-area";
import { FileChoices } from "./file-choices";
import styles from "./form.module.css";
import { FormatChoice } from "./format-choice";
import type { ListSession } from "./list-session";
import { outcomeLines } from "./outcome-words";
import { PlanPanel } from "./plan-panel";
import { Preview } from "./preview";
import { QuestionPanel } from "./question-panel";
import type { Group as GroupName } from "./reading/messages";
import { RejectedBanner } from "./rejected-banner";
import { type List, useList } from "./use-list";

const ANNOUNCE_MS = 900;

type Props = {
  /** An import whose rejected lines the editor begins with. */
  from: string | null;
  /** They are in the editor, and in its draft: a reload must not bring them once more. */
  onTaken(): void;
};

/** The list at the left, what becomes of it at the right, and below it what will happen. */
export default function PasteForm({ from, onTaken }: Props) {
  const { sends } = useViewer();
  const { parent, list } = useList(from, onTaken);
  const { reading, rejection, session } = list;
  const [group, setGroup] = useState<GroupName | null>(null);
  // Read out only once it has stayed the same for a moment.
  const [announced] = useDebouncedValue(announcementOf(list, sends), ANNOUNCE_MS);
  const filled = reading !== null && (reading.account.lines > 1 || sumCounts(reading.counts, null) > 0);

  // A group that has emptied would hide the others.
  useEffect(() => {
    if (group && reading && reading.counts[group] === 0) setGroup(null);
  }, [group, reading]);

  return (
    <DropArea onFiles={(files) => session.takeFiles(files)} onUndo={() => session.undo()}>
      {rejection?.by === "editor" && <RejectedBanner list={list} />}
      <div className={styles.columnsTwo}>
        <div>
          <div className={styles.editor} ref={parent} data-ready={list.opened || undefined} />
          <Group justify="space-between" gap="xs" mt="xs">
            <Text id="list-help" c="dimmed" size="sm">
              The list stays in your browser until you select Check. <kbd>F8</kbd> goes to the next line to
              fix.
            </Text>
            <ChooseFiles session={session} isTaking={list.isTaking} />
          </Group>
          <FileChoices list={list} />
        </div>
        <section className={styles.reading} aria-label="Rows">
          {reading && filled ? (
            <>
              <CountsBar
                counts={reading.counts}
                isReading={list.isReading}
                group={group}
                onChoose={setGroup}
              />
              <FormatChoice list={list} />
              <QuestionPanel list={list} />
              <ColumnMenus list={list} />
              <Preview list={list} group={group} />
            </>
          ) : (
            <Teaching isReading={list.isReading} />
          )}
        </section>
      </div>
      <PlanPanel list={list} />
      <p className="sr" role="status">
        {announced}
      </p>
    </DropArea>
  );
}

function announcementOf({ reading, plan, stale }: List, sends: boolean): string {
  if (!reading) return "";
  if (!plan || stale) return wordCounts(reading.counts);
  const lines = outcomeLines(plan.counts, "will", { sends });
  return `Checked. ${lines.map(({ number, text }) => `${count(number)} ${text}.`).join(" ")}`;
}

function ChooseFiles({ session, isTaking }: { session: ListSession; isTaking: boolean }) {
  const reset = useRef<() => void>(null);
  if (isTaking)
    return (
      <Text size="sm" c="dimmed" role="status">
        Reading …
      </Text>
    );
  // Any kind of file: an unreadable one gets a sentence that names its type.
  return (
    <FileButton
      multiple
      inputProps={{ "aria-label": "Files with the list" }}
      resetRef={reset}
      onChange={(files) => {
        // The same file can be chosen once more.
        reset.current?.();
        if (files.length > 0) void session.takeFiles(files);
      }}
    >
      {(props) => (
        <Anchor component="button" type="button" size="sm" {...props}>
          Choose files
        </Anchor>
      )}
    </FileButton>
  );
}

function Teaching({ isReading }: { isReading: boolean }) {
  return (
    <Stack gap="xs" maw={420} pt="xs" c="dimmed">
      <Text component="h2" c="bright" fw={600}>
        Paste any list
      </Text>
      <p>
        Paste spreadsheet cells, the To: field of an email, an export of another service, JSON, vCards, or
        text with addresses. Names and statuses are recognized.
      </p>
      <p>
        Each line is checked as you type: ready, possible typo, duplicate. One click fixes a line, and{" "}
        <kbd>Ctrl</kbd> <kbd>Z</kbd> undoes that.
      </p>
      <p>Up to {count(maxImportRows)} people at once. You review everything before anyone is added.</p>
      {isReading && <p className={styles.step}>Reading …</p>}
    </Stack>
  );
}
