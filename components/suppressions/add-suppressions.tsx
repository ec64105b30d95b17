"use client";
import { Button, FileButton, Group, Select, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { givenReasons, suppressionWords } from "@/server/contract/suppressions";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/form";
import styles from "../ui/kit.module.css";
import { notify } from "../ui/notify";
import { addresses, count, counted, people } from "../ui/numbers";
import { Progress } from "../ui/progress";
import type { GivenReason } from "./read-opt-outs";
import { useOptOuts } from "./use-opt-outs";

type OptOuts = ReturnType<typeof useOptOuts>;

const reasonOptions = givenReasons.map((value) => ({ value, label: suppressionWords[value] }));

/** Suppresses one address or a whole list: shows what it will do first. */
export default function AddSuppressions({ onClose }: { onClose(): void }) {
  const list = useOptOuts();
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState("");
  const [reason, setReason] = useState<GivenReason>("unsubscribed");
  const { counts, check, sent, problem } = list;
  const busy = sent !== null;

  function choose(chosen: File | null): void {
    if (!chosen) return;
    setFile(chosen);
    setText("");
    list.readFile(chosen);
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
      `${addresses(added)} ${added === 1 ? "is" : "are"} suppressed${unsubscribed > 0 ? `, and ${people(unsubscribed)} unsubscribed` : ""}.`,
    );
    onClose();
  }

  return (
    <Dialog
      size="lg"
      onClose={onClose}
      title="Suppress addresses"
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={!busy}
    >
      <Stack gap="md">
        <Textarea
          label="Addresses"
          description="One address per line, or a table with columns for address, reason and date. You review the result before anything is saved."
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
        <ReasonChoice counts={counts} busy={busy} reason={reason} onChoose={setReason} />
        <Outlook list={list} />
        {problem && <Problem>{problem}</Problem>}
        {busy && counts && <Progress label="Suppressing addresses" done={sent} total={counts.rows} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button onClick={send} loading={busy} disabled={!check || counts?.rows === 0}>
            {counts && counts.rows > 0 ? `Suppress ${addresses(counts.rows)}` : "Suppress addresses"}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

type FileChoiceProps = { file: File | null; busy: boolean; onChoose(file: File | null): void };

function FileChoice({ file, busy, onChoose }: FileChoiceProps) {
  return (
    <Group gap="xs">
      <FileButton accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain" onChange={onChoose} disabled={busy}>
        {(props) => (
          <Button variant="default" disabled={busy} {...props}>
            Choose a file
          </Button>
        )}
      </FileButton>
      {file && <span className={styles.quiet}>{file.name}</span>}
    </Group>
  );
}

type ReasonChoiceProps = {
  counts: OptOuts["counts"];
  busy: boolean;
  reason: GivenReason;
  onChoose(reason: GivenReason): void;
};

/** Why those without a reason of their own are suppressed. */
function ReasonChoice({ counts, busy, reason, onChoose }: ReasonChoiceProps) {
  const others = counts && counts.withoutReason < counts.rows;
  return (
    <Select
      label={others ? `Reason for ${addresses(counts.withoutReason)} without one` : "Reason"}
      data={reasonOptions}
      value={reason}
      allowDeselect={false}
      disabled={busy || counts?.withoutReason === 0}
      onChange={(value) => onChoose(value as GivenReason)}
    />
  );
}

/** What the list holds, and what will happen. */
function Outlook({ list: { counts, check } }: { list: OptOuts }) {
  if (!counts) return null;
  const { rows, invalid, examples, twice, unknownReasons, unknownDates } = counts;
  const lines = [
    check && `${addresses(rows - check.known)} will be suppressed.`,
    check &&
      check.known > 0 &&
      `${addresses(check.known)} ${check.known === 1 ? "is" : "are"} already suppressed.`,
    check && check.people > 0 && `${people(check.people)} on the list will be unsubscribed.`,
    twice > 0 && `${counted(twice, "line")} with a repeated address ${twice === 1 ? "is" : "are"} skipped.`,
    unknownReasons > 0 &&
      `${counted(unknownReasons, "reason")} not recognized: the reason chosen above is used.`,
    unknownDates > 0 && `${counted(unknownDates, "date")} can’t be read: those are set to today.`,
    invalid > 0 &&
      `${counted(invalid, "line")} without a valid address ${invalid === 1 ? "is" : "are"} skipped.`,
    ...examples.map(({ line, message }) => `Line ${count(line)}: ${message}`),
  ].filter((line): line is string => !!line);
  return (
    <div aria-live="polite">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {rows > 0 && !check && <p className={styles.quiet}>Comparing with the list …</p>}
    </div>
  );
}
