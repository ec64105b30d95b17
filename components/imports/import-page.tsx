"use client";
import { Button, Group, Stack } from "@mantine/core";
import Link from "next/link";
import type { ImportRecord } from "@/server/contract/imports";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { DashboardPage, Loaded } from "../ui/list-page";
import { notifyError } from "../ui/notify";
import { count, counted, people } from "../ui/numbers";
import { Progress } from "../ui/progress";
import { StatusPill } from "../ui/status";
import { ImportChanges } from "./import-changes";
import { ImportFacts } from "./import-facts";
import { ImportReport } from "./import-report";
import { importLooks, importTitle } from "./import-words";
import { StillHereList } from "./still-here";
import { UndoImport } from "./undo-import";
import { useImport } from "./use-import";

/** One import: how far it is, or how it ended. Its address can be closed and opened again at any time. */
export function ImportPage({ importId }: { importId: string }) {
  const { newsletterId, mayEdit } = useViewer();
  const query = useImport(newsletterId, importId);
  const record = query.data;
  const actions = (
    <>
      {record?.undoUntil && mayEdit && <UndoImport record={record} />}
      <Button variant="default" component={Link} href={`/n/${newsletterId}/imports`}>
        All imports
      </Button>
    </>
  );
  return (
    <DashboardPage title={record ? importTitle(record) : "Import"} actions={actions}>
      <Loaded query={query} rows={5}>
        {(record) => <ImportDetails record={record} />}
      </Loaded>
    </DashboardPage>
  );
}

function ImportDetails({ record }: { record: ImportRecord }) {
  const { newsletterId, mayEdit } = useViewer();
  const { state, rejected, stillHere } = record;
  const addedNobody = ["planned", "cancelled", "outdated", "failed"].includes(state);
  return (
    <Stack gap="lg" align="stretch">
      <Group role="status" gap="sm" c="dimmed">
        <StatusPill status={importLooks[state]} />
        <span>{explain(record)}</span>
      </Group>
      {state === "running" && <Running record={record} />}
      {state === "undoing" && (
        <div>
          <Progress label="People removed" {...record.progress} />
        </div>
      )}
      {state === "outdated" && <ImportChanges record={record} />}
      {mayEdit && addedNobody && (
        <Button component={Link} href={`/n/${newsletterId}/imports/new`} style={{ alignSelf: "start" }}>
          {state === "outdated" ? "Back to the list, to check again" : "Back to the list"}
        </Button>
      )}
      {(state === "done" || state === "undone" || rejected > 0) && <ImportReport record={record} />}
      {state === "done" && stillHere > 0 && <StillHereList record={record} />}
      <ImportFacts record={record} />
    </Stack>
  );
}

function explain({ state, error, undone, changed }: ImportRecord): string {
  const nobody = "No people were added and no emails were sent.";
  const explanations: Record<ImportRecord["state"], string> = {
    uploading: "The list is not uploaded completely. No people were added.",
    planned: "The list was checked. No people were added.",
    running: "You can close this page. The import continues, and this page shows its progress.",
    // Of an undo that came to nothing.
    done: error ?? "",
    cancelled: nobody,
    outdated: `Between the check and the import ${changed === 1 ? "1 line" : `${count(changed)} lines`} changed. No people were added and no emails were sent.`,
    failed: error ?? nobody,
    undoing: "You can close this page. The undo continues, and this page shows its progress.",
    undone: undone ? explainUndone(undone) : "",
  };
  return explanations[state];
}

function explainUndone({
  people: removed,
  stayed,
  mails,
  optOuts = 0,
}: NonNullable<ImportRecord["undone"]>): string {
  const sentences = [`${people(removed)} ${removed === 1 ? "was" : "were"} removed from the list.`];
  if (optOuts > 0)
    sentences.push(`${counted(optOuts, "opt-out")} ${optOuts === 1 ? "stays" : "stay"} as suppressions.`);
  if (stayed > 0)
    sentences.push(`${people(stayed)} stayed because they confirmed, unsubscribed or were changed since.`);
  if (mails > 0)
    sentences.push(`${counted(mails, "unsent email")} ${mails === 1 ? "was" : "were"} cancelled.`);
  return sentences.join(" ");
}

function Running({ record: { id, progress } }: { record: ImportRecord }) {
  const { newsletterId, mayEdit } = useViewer();
  const utils = api.useUtils();
  const cancel = api.imports.cancel.useMutation({
    onSuccess: (ended) => utils.imports.get.setData({ newsletterId, importId: id }, ended),
    onError: notifyError,
  });
  return (
    <div>
      <Progress label="Rows written" {...progress}>
        {mayEdit && (
          <Button
            variant="default"
            loading={cancel.isPending || cancel.isSuccess}
            onClick={() => cancel.mutate({ newsletterId, importId: id })}
          >
            Cancel
          </Button>
        )}
      </Progress>
    </div>
  );
}
