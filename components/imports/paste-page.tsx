"use client";
import { Button, FileButton, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import Link from "next/link";
import { type ReactNode, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { maxImportRows } from "@/server/imports/schema/import-counts";
import { useModKey } from "../shell/shortcuts";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import type { Texts } from "../texts/texts";
import { LinkButton } from "../ui/link-button";
import { DashboardPage } from "../ui/list-page";
import { onDemand } from "../ui/on-demand";
import { Empty } from "../ui/states";
import { countsText, sumCounts } from "./counts";
import styles from "./form.module.css";
import type { ListSession } from "./list-session";
import { outcomeLines, outcomeText } from "./outcome-words";
import { RejectedBanner } from "./rejected-banner";
import { type List, useList } from "./use-list";

// They appear with a list.
const ListReview = onDemand(() => import("./list-review"), { isNear: true });
const PlanPanel = onDemand(() => import("./plan-panel"), { isNear: true });

const ANNOUNCE_MS = 900;
const kbd = (chunks: ReactNode) => <kbd>{chunks}</kbd>;
const keys = (chunks: ReactNode) => <span data-keys>{chunks}</span>;

/** Imports a pasted list or a file. */
export function PastePage() {
  const t = useTranslations("imports.page");
  const { newsletterId, mayEdit } = useViewer();
  const earlier = (
    <Button variant="default" component={Link} href={`/n/${newsletterId}/imports`}>
      {t("earlier")}
    </Button>
  );
  return (
    <DashboardPage title={t("title")} actions={earlier}>
      {mayEdit ? <PasteForm /> : <Empty title={t("readOnlyTitle")}>{t("readOnlyText")}</Empty>}
    </DashboardPage>
  );
}

/** Shows the list at the left, its preview at the right, and the plan below. */
function PasteForm() {
  const t = useTranslations("imports");
  const { sends } = useViewer();
  const { parent, list } = useList();
  const { reading, rejection, session } = list;
  // Screen readers hear the text only after it stays the same for a moment.
  const [announced] = useDebouncedValue(announcementOf(list, sends, t), ANNOUNCE_MS);
  const isFilled = reading && (reading.account.lines > 1 || sumCounts(reading.counts, null) > 0);
  const filled = isFilled ? { ...list, reading } : null;

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
          {filled ? <ListReview list={filled} /> : <Teaching isReading={list.isReading} />}
        </section>
      </div>
      {filled && <PlanPanel list={filled} />}
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
      {(props) => <LinkButton {...props}>{t("chooseFile")}</LinkButton>}
    </FileButton>
  );
}

function Teaching({ isReading }: { isReading: boolean }) {
  const t = useTranslations("imports.form");
  const mod = useModKey();
  return (
    <Stack gap="xs" maw={420} pt="xs" c="dimmed">
      <Text component="h2" c="bright" fw={600}>
        {t("teaching.title")}
      </Text>
      <p>{t("teaching.formats")}</p>
      <p>{t.rich("teaching.checks", { kbd, keys, mod })}</p>
      <p>{t("teaching.limit", { most: maxImportRows })}</p>
      {isReading && <p className={styles.step}>{t("reading")}</p>}
    </Stack>
  );
}

type DropProps = { onFiles(files: File[]): void; onUndo(): void; children: ReactNode };

/** Takes files that are dropped or pasted anywhere on the form. Ctrl-Z works wherever the focus is. */
function DropArea({ onFiles, onUndo, children }: DropProps) {
  const t = useTranslations("imports.form");
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a short cut for the button that chooses a file
    <div
      className={styles.form}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        const dropped = [...event.dataTransfer.files];
        setOver(false);
        if (dropped.length === 0) return;
        event.preventDefault();
        onFiles(dropped);
      }}
      onPasteCapture={(event) => {
        const pasted = pastedFiles(event.clipboardData);
        if (pasted.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        onFiles(pasted);
      }}
      onKeyDown={(event) => {
        // Input fields have their own undo.
        const field = (event.target as HTMLElement).closest("input, textarea, select, [contenteditable]");
        if (field || event.shiftKey || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        onUndo();
      }}
    >
      {children}
      {over && (
        <div className={styles.drop} aria-hidden="true">
          {t("drop")}
        </div>
      )}
    </div>
  );
}

/** Returns copied files. Copied cells carry a picture beside their text; some systems add names to copied files. */
function pastedFiles(data: DataTransfer): File[] {
  const files = [...data.files];
  const names = new Set(files.map(({ name }) => name));
  const lines = data.getData("text/plain").split(/[\r\n]+/);
  return lines.every((line) => line === "" || names.has(line)) ? files : [];
}

/** Shows the detected sheet and encoding of the file. A change reads the file again. */
function FileChoices({ list: { file, fileName, session } }: { list: List }) {
  const t = useTranslations("imports.files");
  if (!file || file.name !== fileName) return null;
  const { sheet, encoding, broken, chosen } = file;
  const { name } = file.file;
  return (
    <Stack gap="xs" mt="xs">
      {sheet && sheet.hiddenRows > 0 && (
        <Text size="sm" c="dimmed">
          {t("hiddenRows", { n: sheet.hiddenRows, sheet: sheet.value })}
        </Text>
      )}
      {broken && (
        <Text size="sm" c="dimmed">
          {t("brokenBytes", { n: broken.bytes, file: name, line: broken.line })}
        </Text>
      )}
      {sheet && sheet.options.length > 1 && (
        <NativeSelect
          label={t("sheet", { file: name })}
          value={chosen.sheet ?? sheet.value}
          data={sheet.options.map(({ name: value, rows, hidden }) => ({
            value,
            label: t(hidden ? "hiddenSheetOption" : "sheetOption", { name: value, rows }),
          }))}
          onChange={(event) => session.choose({ sheet: event.currentTarget.value })}
        />
      )}
      {encoding && (
        <NativeSelect
          label={t("encoding", { file: name })}
          value={chosen.encoding ?? encoding.value}
          data={encoding.options.map((one) => ({ value: one.id, label: fromServer(one.name) }))}
          onChange={(event) => session.choose({ encoding: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}
