"use client";
import { Button, Checkbox, Group, Stack } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { countAdded } from "@/server/imports/schema/import-counts";
import type { ImportRecord } from "@/server/imports/schema/imports";
import { isUnderWay } from "@/server/kernel/work-progress";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import type { Texts } from "../texts/texts";
import { api } from "../trpc";
import { Confirm } from "../ui/confirm";
import { DashboardPage, Loaded } from "../ui/list-page";
import { useCount } from "../ui/numbers";
import { Progress } from "../ui/progress";
import { type Fact, Facts } from "../ui/side-panel";
import { Time } from "../ui/time";
import { ActiveDespiteOptOutList, ImportReport, LineTable } from "./import-report";
import { ImportStatus, importName } from "./import-words";
import { answerSentences } from "./list-names";
import { PlanReview } from "./plan-review";
import { useCancelImport, useImport, useShowImport } from "./use-import";

/** One import's progress or result. The page can be closed and reopened at any time. */
export function ImportPage({ importId }: { importId: string }) {
  const t = useTranslations("imports");
  const { newsletterId, mayEdit } = useViewer();
  const query = useImport(importId);
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
  const { newsletterId, mayEdit } = useViewer();
  const { state, rejected, activeDespiteOptOut } = record;
  const addedNobody = ["cancelled", "outdated", "failed"].includes(state);
  return (
    <Stack gap="lg" align="stretch">
      <Group role="status" gap="sm" c="dimmed">
        <ImportStatus state={state} />
        <span>{explain(record, t)}</span>
      </Group>
      {state === "planned" && <PlanReview record={record} />}
      {isUnderWay(state) && <UnderWay record={record} />}
      {state === "outdated" && <ImportChanges record={record} />}
      {mayEdit && addedNobody && (
        <Button component={Link} href={`/n/${newsletterId}/imports/new`} style={{ alignSelf: "start" }}>
          {state === "outdated" ? t("backToCheck") : t("backToList")}
        </Button>
      )}
      {state !== "planned" && (state === "done" || state === "undone" || rejected > 0) && (
        <ImportReport record={record} />
      )}
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

/** The progress of an import, which can be cancelled, or of its undo. */
function UnderWay({ record: { id: importId, state, progress } }: { record: ImportRecord }) {
  const t = useTranslations("imports.import");
  const { newsletterId, mayEdit } = useViewer();
  const cancel = useCancelImport();
  const isRunning = state === "running";
  return (
    <div>
      <Progress label={isRunning ? t("rowsWritten") : t("peopleRemoved")} {...progress}>
        {isRunning && mayEdit && (
          <Button
            variant="default"
            loading={cancel.isPending || cancel.isSuccess}
            onClick={() => cancel.mutate({ newsletterId, importId })}
          >
            {t("cancel")}
          </Button>
        )}
      </Progress>
    </div>
  );
}

const changeColumns = ["line", "address", "before", "now"] as const;

/** Shows outcomes that changed between the check and the import. */
function ImportChanges({ record: { changes, changed } }: { record: ImportRecord }) {
  const t = useTranslations("imports");
  const count = useCount();
  return (
    <>
      <LineTable
        label={t("changes.caption")}
        head={changeColumns.map((column) => t(`changes.columns.${column}`))}
        lines={changes.map(({ line, email, was, is }) => [
          count(line),
          email,
          t(`changes.outcomes.${was}`),
          t(`changes.outcomes.${is}`),
        ])}
      />
      {changed > changes.length && <p>{t("andMore", { n: changed - changes.length })}</p>}
    </>
  );
}

/** Shows the importer, the source and the stated consent. */
function ImportFacts({ record }: { record: ImportRecord }) {
  const t = useTranslations("imports");
  const added = countAdded(record.counts);
  const { state, by, startedAt, createdAt, fileName, consent, statusRule, answers, undoUntil } = record;
  const who = (
    <>
      {by ?? t("formerStaff")}, <Time at={startedAt ?? createdAt} />
    </>
  );
  const facts: Fact[] = [
    [state === "planned" ? t("facts.plannedBy") : t("facts.importedBy"), who],
    [t("facts.list"), fileName ?? (state !== "planned" && t("facts.pasted"))],
    [added > 0 ? t("facts.consentSource") : t("facts.listSource"), consent?.source],
    [t("facts.wording"), consent?.wording],
    [t("facts.rule"), added > 0 && t(`rules.${statusRule}`)],
    [t("facts.answers"), answerSentences(answers, t).join("\n")],
    [t("facts.undoUntil"), undoUntil && <Time at={undoUntil} />],
  ];
  return (
    <section aria-label={t("facts.title")}>
      <h2>{t("facts.title")}</h2>
      <Facts facts={facts} />
    </section>
  );
}

/** Undoes an import, after a question that counts the removed and the remaining people. */
function UndoImport({ record }: { record: ImportRecord }) {
  const t = useTranslations("imports.undo");
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t("open")}
      </Button>
      {asking && <Question record={record} onClose={() => setAsking(false)} />}
    </>
  );
}

function Question({ record, onClose }: { record: ImportRecord; onClose(): void }) {
  const t = useTranslations("imports");
  const { newsletterId } = useViewer();
  const which = { newsletterId, importId: record.id };
  const plan = api.imports.undoPlan.useQuery(which, { staleTime: 0, gcTime: 0 });
  const undo = api.imports.undo.useMutation({ onSuccess: useShowImport() });
  const [removeOptOuts, setRemoveOptOuts] = useState(false);
  const { people = 0, stayed = 0, mails = 0, optOuts = 0 } = plan.data ?? {};
  return (
    <Confirm
      title={t("undo.title", { import: importName(record, t) })}
      action={people > 0 || !plan.data ? t("undo.remove", { n: people }) : t("undo.undo")}
      danger
      busy={plan.isPending}
      error={plan.error}
      onConfirm={() => undo.mutateAsync({ ...which, removeOptOuts })}
      onClose={onClose}
    >
      {plan.isPending && <p>{t("undo.counting")}</p>}
      {plan.data && (
        <>
          <p>{people > 0 ? t("undo.removed", { n: people }) : t("undo.nobody")}</p>
          {optOuts > 0 && (
            <>
              <p>{t("undo.optOuts", { n: optOuts })}</p>
              <Checkbox
                label={t("undo.removeOptOuts")}
                checked={removeOptOuts}
                onChange={(event) => setRemoveOptOuts(event.currentTarget.checked)}
              />
            </>
          )}
          {stayed > 0 && <p>{t("undo.stayed", { n: stayed })}</p>}
          {mails > 0 && <p>{t("undo.mails", { n: mails })}</p>}
          <p>{t("undo.final")}</p>
        </>
      )}
    </Confirm>
  );
}
