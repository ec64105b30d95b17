"use client";
import { Anchor, FileButton, Group, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { maxImportRows } from "@/server/imports/schema/imports";
import { useViewer } from "../shell/viewer";
import type { Texts } from "../texts/texts";
import { ColumnMenus } from "./column-menus";
import { CountsBar, countsText, sumCounts } from "./counts-bar";
import { DropArea } from "./drop-area";
import { FileChoices } from "./file-choices";
import styles from "./form.module.css";
import { FormatChoice } from "./format-choice";
import type { ListSession } from "./list-session";
import { outcomeLines, outcomeText } from "./outcome-words";
import { PlanPanel } from "./plan-panel";
import { Preview } from "./preview";
import { QuestionPanel } from "./question-panel";
import type { Group as GroupName } from "./reading/messages";
import { RejectedBanner } from "./rejected-banner";
import { type List, useList } from "./use-list";

const ANNOUNCE_MS = 900;
const kbd = (chunks: ReactNode) => <kbd>{chunks}</kbd>;

type Props = {
  /** The id of an import with rejected lines to fix. */
  from: string | null;
  /** The rejected lines are in the editor and its draft. A reload must not add them again. */
  onTaken(): void;
};

/** Shows the list at the left, its preview at the right, and the plan below. */
export default function PasteForm({ from, onTaken }: Props) {
  const t = useTranslations("imports");
  const { sends } = useViewer();
  const { parent, list } = useList(from, onTaken);
  const { reading, rejection, session } = list;
  const [group, setGroup] = useState<GroupName | null>(null);
  // Screen readers hear the text only after it stays the same for a moment.
  const [announced] = useDebouncedValue(announcementOf(list, sends, t), ANNOUNCE_MS);
  const filled = reading !== null && (reading.account.lines > 1 || sumCounts(reading.counts, null) > 0);

  // An empty group would hide all other entries.
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
              {t("form.help")}
            </Text>
            <ChooseFile session={session} isTaking={list.isTaking} />
          </Group>
          <FileChoices list={list} />
        </div>
        <section className={styles.reading} aria-label={t("form.rows")}>
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

function announcementOf({ reading, plan, stale }: List, sends: boolean, t: Texts<"imports">): string {
  if (!reading) return "";
  if (!plan || stale) return countsText(reading.counts, t);
  const lines = outcomeLines(plan.counts, "will", { sends });
  return t("form.checked", { outcomes: lines.map((line) => outcomeText(line, t)).join(" ") });
}

function ChooseFile({ session, isTaking }: { session: ListSession; isTaking: boolean }) {
  const t = useTranslations("imports.form");
  const reset = useRef<() => void>(null);
  if (isTaking)
    return (
      <Text size="sm" c="dimmed" role="status">
        {t("reading")}
      </Text>
    );
  // The input accepts all file types. An unreadable file gets a sentence that names its type.
  return (
    <FileButton
      inputProps={{ "aria-label": t("file") }}
      resetRef={reset}
      onChange={(file) => {
        // The reset lets the user choose the same file again.
        reset.current?.();
        if (file) void session.takeFiles([file]);
      }}
    >
      {(props) => (
        <Anchor component="button" type="button" size="sm" {...props}>
          {t("chooseFile")}
        </Anchor>
      )}
    </FileButton>
  );
}

function Teaching({ isReading }: { isReading: boolean }) {
  const t = useTranslations("imports.form");
  return (
    <Stack gap="xs" maw={420} pt="xs" c="dimmed">
      <Text component="h2" c="bright" fw={600}>
        {t("teaching.title")}
      </Text>
      <p>{t("teaching.formats")}</p>
      <p>{t.rich("teaching.checks", { kbd })}</p>
      <p>{t("teaching.limit", { most: maxImportRows })}</p>
      {isReading && <p className={styles.step}>{t("reading")}</p>}
    </Stack>
  );
}
