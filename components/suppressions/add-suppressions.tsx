import { Button, FileButton, Group, Select, Stack, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { givenReasons, maxSuppressionsPerCall } from "@/server/suppressions/schema/suppression-messages";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import { api, changesNothing, fetchAgain, type Outputs, rejectionOf } from "../trpc";
import { Dialog } from "../ui/dialog";
import { rejected } from "../ui/error-of";
import styles from "../ui/kit.module.css";
import { notify } from "../ui/notify";
import { Progress } from "../ui/progress";
import { Problem } from "../ui/states";
import { type GivenReason, type OptOut, type OptOuts, readOptOuts } from "./read-opt-outs";

/** Suppresses one address or a list, after a preview. */
export default function AddSuppressions({ onClose }: { onClose(): void }) {
  const t = useTranslations("suppressions");
  const tConfirm = useTranslations("ui.confirm");
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState<GivenReason>("unsubscribed");
  const reading = useFileText();
  const file = reading.variables;
  const text = file ? (reading.data?.text ?? "") : typed;
  const { list, check, error } = useCheckedList(text);
  const { send, sent } = useSend(list.rows);
  const busy = send.isPending;
  const failure = reading.error ?? send.error ?? error;

  function choose(chosen: File | null): void {
    if (!chosen) return;
    setTyped("");
    send.reset();
    reading.mutate(chosen);
  }
  function type(value: string): void {
    reading.reset();
    send.reset();
    setTyped(value);
  }
  const suppress = () =>
    send.mutate(reason, {
      onSuccess({ added, unsubscribed }) {
        notify(
          unsubscribed > 0
            ? t("add.doneUnsubscribed", { n: added, people: unsubscribed })
            : t("add.done", { n: added }),
        );
        onClose();
      },
    });

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
          spellCheck={false}
          value={typed}
          disabled={busy}
          onChange={(event) => type(event.currentTarget.value)}
          data-autofocus
        />
        <Group gap="xs">
          <FileButton accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain" onChange={choose} disabled={busy}>
            {(props) => (
              <Button variant="default" disabled={busy} {...props}>
                {t("add.chooseFile")}
              </Button>
            )}
          </FileButton>
          {file && <span className={styles.quiet}>{file.name}</span>}
        </Group>
        <ReasonChoice rows={list.rows} busy={busy} reason={reason} onChoose={setReason} />
        <Outlook list={list} check={check} />
        {failure && <Problem>{rejectionOf(failure).message}</Problem>}
        {busy && <Progress label={t("add.progress")} done={sent} total={list.rows.length} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={busy}>
            {tConfirm("cancel")}
          </Button>
          <Button onClick={suppress} loading={busy} disabled={!check}>
            {list.rows.length > 0 ? t("add.action", { n: list.rows.length }) : t("suppress")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
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
      onChange={(value) => value && onChoose(value)}
    />
  );
}

/** The list's contents and the expected result. */
function Outlook({ list, check }: { list: OptOuts; check: Check | undefined }) {
  const t = useTranslations("suppressions.add");
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

const useFileText = () =>
  useMutation({
    mutationFn: async (file: File) => {
      const { readFile } = await import("../imports/files/read-file");
      return readFile(file, {}).catch(({ message }) => {
        throw rejected(fromServer(message));
      });
    },
    ...changesNothing,
  });

const READ_MS = 200;
const apart = { context: { apart: true } };

function* chunksOf(rows: OptOut[]): Generator<OptOut[]> {
  for (let at = 0; at < rows.length; at += maxSuppressionsPerCall)
    yield rows.slice(at, at + maxSuppressionsPerCall);
}

/** The expected result: addresses that are suppressed already, and people who will be unsubscribed. */
type Check = Outputs["suppressions"]["check"];

/** Reads the text when the typing pauses, and compares its addresses with the newsletter. */
function useCheckedList(text: string) {
  const { newsletterId } = useViewer();
  const { client } = api.useUtils();
  const [settled] = useDebouncedValue(text, READ_MS);
  const list = useMemo(() => readOptOuts(settled), [settled]);
  const { mutate, reset, data, error, variables } = useMutation({
    mutationFn: async ({ rows, signal }: { rows: OptOut[]; signal: AbortSignal }): Promise<Check> => {
      const check = { known: 0, people: 0 };
      for (const chunk of chunksOf(rows)) {
        if (signal.aborted) break;
        const canonicals = chunk.map(({ canonical }) => canonical);
        const { known, people } = await client.suppressions.check.mutate({ newsletterId, canonicals }, apart);
        check.known += known;
        check.people += people;
      }
      return check;
    },
    ...changesNothing,
  });
  useEffect(() => {
    // A later list stops the comparison of an earlier one.
    const stop = new AbortController();
    if (list.rows.length > 0) mutate({ rows: list.rows, signal: stop.signal });
    return () => {
      stop.abort();
      reset();
    };
  }, [list, mutate, reset]);
  const isCurrent = settled === text && variables?.rows === list.rows;
  return { list, check: isCurrent ? data : undefined, error };
}

/** Suppresses all addresses. After a failed chunk, earlier chunks stay; sending them again changes nothing. */
function useSend(rows: OptOut[]) {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const client = useQueryClient();
  const [sent, setSent] = useState(0);
  const send = useMutation({
    mutationFn: async (fallback: GivenReason) => {
      const source = rows.length === 1 ? "dashboard" : "import";
      const result = { added: 0, unsubscribed: 0 };
      let continues = false;
      setSent(0);
      for (const chunk of chunksOf(rows)) {
        const inputs = chunk.map(({ email, reason, date }) => ({
          email,
          reason: reason ?? fallback,
          ...(date && { date }),
        }));
        const call = { newsletterId, inputs, source, continues } as const;
        const { added, unsubscribed } = await utils.client.suppressions.add.mutate(call, apart);
        result.added += added;
        result.unsubscribed += unsubscribed;
        continues = true;
        setSent((before) => before + chunk.length);
      }
      return result;
    },
    onError: () => void fetchAgain(client),
  });
  return { send, sent };
}
