"use client";
import { Button, Group, Stack } from "@mantine/core";
import Link from "next/link";
import { useTranslations } from "use-intl";
import type { ImportRecord } from "@/server/imports/schema/imports";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import type { Texts } from "../texts/texts";
import { api } from "../trpc";
import { DashboardPage, Loaded } from "../ui/list-page";
import { notifyError } from "../ui/notify";
import { Progress } from "../ui/progress";
import { StatusPill } from "../ui/status-pill";
import { ActiveDespiteOptOutList } from "./active-despite-opt-out";
import { ImportChanges } from "./import-changes";
import { ImportFacts } from "./import-facts";
import { ImportReport } from "./import-report";
import { importName, useImportLook } from "./import-words";
import { UndoImport } from "./undo-import";
import { useImport } from "./use-import";

/** One import's progress or result. The page can be closed and reopened at any time. */
export function ImportPage({ importId }: { importId: string }) {
  const t = useTranslations("imports");
  const { newsletterId, mayEdit } = useViewer();
  const query = useImport(newsletterId, importId);
  const record = query.data;
  const actions = (
    <>
      {record?.undoUntil && mayEdit && <UndoImport record={record} />}
      <Button variant="default" component={Link} href={`/n/${newsletterId}/imports`}>
        {t("import.all")}
      </Button>
    </>
  );
  return (
    <DashboardPage title={record ? importName(record, t) : t("name.import")} actions={actions}>
      <Loaded query={query} rows={5}>
        {(record) => <ImportDetails record={record} />}
      </Loaded>
    </DashboardPage>
  );
}

function ImportDetails({ record }: { record: ImportRecord }) {
  const t = useTranslations("imports.import");
  const lookOf = useImportLook();
  const { newsletterId, mayEdit } = useViewer();
  const { state, rejected, activeDespiteOptOut } = record;
  const addedNobody = ["planned", "cancelled", "outdated", "failed"].includes(state);
  return (
    <Stack gap="lg" align="stretch">
      <Group role="status" gap="sm" c="dimmed">
        <StatusPill status={lookOf(state)} />
        <span>{explain(record, t)}</span>
      </Group>
      {state === "running" && <Running record={record} />}
      {state === "undoing" && (
        <div>
          <Progress label={t("peopleRemoved")} {...record.progress} />
        </div>
      )}
      {state === "outdated" && <ImportChanges record={record} />}
      {mayEdit && addedNobody && (
        <Button component={Link} href={`/n/${newsletterId}/imports/new`} style={{ alignSelf: "start" }}>
          {state === "outdated" ? t("backToCheck") : t("backToList")}
        </Button>
      )}
      {(state === "done" || state === "undone" || rejected > 0) && <ImportReport record={record} />}
      {state === "done" && activeDespiteOptOut > 0 && <ActiveDespiteOptOutList record={record} />}
      <ImportFacts record={record} />
    </Stack>
  );
}

function explain({ state, error, undone, changed }: ImportRecord, t: Texts<"imports.import">): string {
  switch (state) {
    case "done":
      // The message of a failed undo.
      return error ? fromServer(error) : "";
    case "failed":
      return error ? fromServer(error) : t("explain.nobodyAdded");
    case "cancelled":
      return t("explain.nobodyAdded");
    case "outdated":
      return t("explain.outdated", { n: changed });
    case "undone":
      return undone ? explainUndone(undone, t) : "";
    default:
      return t(`explain.${state}`);
  }
}

function explainUndone(undone: NonNullable<ImportRecord["undone"]>, t: Texts<"imports.import">): string {
  const { people, stayed, mails, optOuts = 0 } = undone;
  const sentences = [t("undone.people", { n: people })];
  if (optOuts > 0) sentences.push(t("undone.optOuts", { n: optOuts }));
  if (stayed > 0) sentences.push(t("undone.stayed", { n: stayed }));
  if (mails > 0) sentences.push(t("undone.mails", { n: mails }));
  return sentences.join(" ");
}

function Running({ record: { id, progress } }: { record: ImportRecord }) {
  const t = useTranslations("imports.import");
  const { newsletterId, mayEdit } = useViewer();
  const utils = api.useUtils();
  const cancel = api.imports.cancel.useMutation({
    onSuccess: (ended) => utils.imports.get.setData({ newsletterId, importId: id }, ended),
    onError: notifyError,
  });
  return (
    <div>
      <Progress label={t("rowsWritten")} {...progress}>
        {mayEdit && (
          <Button
            variant="default"
            loading={cancel.isPending || cancel.isSuccess}
            onClick={() => cancel.mutate({ newsletterId, importId: id })}
          >
            {t("cancel")}
          </Button>
        )}
      </Progress>
    </div>
  );
}
