"use client";
import { Button, FileButton, Group, Select, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { givenReasons } from "@/server/suppressions/schema/suppressions";
import { fromServer } from "../texts/server-sentences";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/form";
import styles from "../ui/kit.module.css";
import { notify } from "../ui/notify";
import { Progress } from "../ui/progress";
import type { GivenReason, OptOut } from "./read-opt-outs";
import { useOptOuts } from "./use-opt-outs";

type OptOuts = ReturnType<typeof useOptOuts>;

/** Suppresses one address or a list, after a preview. */
export default function AddSuppressions({ onClose }: { onClose(): void }) {
  const t = useTranslations("suppressions");
  const list = useOptOuts();
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState("");
  const [reason, setReason] = useState<GivenReason>("unsubscribed");
  const { check, sent, problem } = list;
  const rows = list.list?.rows ?? [];
  const busy = sent !== null;

  function choose(chosen: File | null): void {
    if (!chosen) return;
    setFile(chosen);
    setText("");
    void list.readFile(chosen);
  }
  function type(typed: string): void {
    setFile(null);
    setText(typed);
    list.readText(typed);
  }
  async function send(): Promise<void> {
    const result = await list.send(reason);
    if (!result) return;
    const { added, unsubscribed } = result;
    notify(
      unsubscribed > 0
        ? t("add.doneUnsubscribed", { n: added, people: unsubscribed })
        : t("add.done", { n: added }),
    );
    onClose();
  }

  return (
    <Dialog
      size="lg"
      onClose={onClose}
      title={t("suppress")}
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={!busy}
    >
      <Stack gap="md">
        <Textarea
          label={t("add.addresses")}
          description={t("add.addressesHint")}
          placeholder={"ada@lovelace.org\ngrace@navy.mil"}
          minRows={6}
          maxRows={12}
          autosize
          spellCheck={false}
          value={text}
          disabled={busy}
          onChange={(event) => type(event.currentTarget.value)}
          data-autofocus
        />
        <FileChoice file={file} busy={busy} onChoose={choose} />
        <ReasonChoice rows={rows} busy={busy} reason={reason} onChoose={setReason} />
        <Outlook list={list} />
        {problem && <Problem>{problem}</Problem>}
        {busy && <Progress label={t("add.progress")} done={sent} total={rows.length} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={busy}>
            {t("add.cancel")}
          </Button>
          <Button onClick={send} loading={busy} disabled={!check}>
            {rows.length > 0 ? t("add.action", { n: rows.length }) : t("suppress")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

type FileChoiceProps = { file: File | null; busy: boolean; onChoose(file: File | null): void };

function FileChoice({ file, busy, onChoose }: FileChoiceProps) {
  const t = useTranslations("suppressions.add");
  return (
    <Group gap="xs">
      <FileButton accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain" onChange={onChoose} disabled={busy}>
        {(props) => (
          <Button variant="default" disabled={busy} {...props}>
            {t("chooseFile")}
          </Button>
        )}
      </FileButton>
      {file && <span className={styles.quiet}>{file.name}</span>}
    </Group>
  );
}

type ReasonChoiceProps = {
  rows: OptOut[];
  busy: boolean;
  reason: GivenReason;
  onChoose(reason: GivenReason): void;
};

/** Chooses the reason for addresses without their own. */
function ReasonChoice({ rows, busy, reason, onChoose }: ReasonChoiceProps) {
  const t = useTranslations("suppressions");
  const without = rows.filter((row) => row.reason === null).length;
  return (
    <Select
      label={without < rows.length ? t("add.reasonForOthers", { n: without }) : t("reason")}
      data={givenReasons.map((value) => ({ value, label: t(`reasons.${value}`) }))}
      value={reason}
      allowDeselect={false}
      disabled={busy || (rows.length > 0 && without === 0)}
      onChange={(value) => onChoose(value as GivenReason)}
    />
  );
}

/** The list's contents and the expected result. */
function Outlook({ list: { list, check } }: { list: OptOuts }) {
  const t = useTranslations("suppressions.add");
  if (!list) return null;
  const { invalid, examples, twice, unknownReasons, unknownDates } = list;
  const rows = list.rows.length;
  const lines = [
    check && t("outlook.suppressed", { n: rows - check.known }),
    check && check.known > 0 && t("outlook.known", { n: check.known }),
    check && check.people > 0 && t("outlook.people", { n: check.people }),
    twice > 0 && t("outlook.repeated", { n: twice }),
    unknownReasons > 0 && t("outlook.unknownReasons", { n: unknownReasons }),
    unknownDates > 0 && t("outlook.unknownDates", { n: unknownDates }),
    invalid > 0 && t("outlook.invalid", { n: invalid }),
    ...examples.map(({ line, message }) => t("outlook.example", { line, message: fromServer(message) })),
  ].filter((line): line is string => !!line);
  return (
    <div aria-live="polite">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {rows > 0 && !check && <p className={styles.quiet}>{t("comparing")}</p>}
    </div>
  );
}
