import { Button, Stack } from "@mantine/core";
import { useTranslations } from "use-intl";
import type { ImportRecord } from "@/server/imports/schema/imports";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { useCount } from "../ui/numbers";
import { CommitForm, PlanOutcomes } from "./commit-form";
import styles from "./form.module.css";
import { LineTable } from "./import-report";
import { useCancelImport } from "./use-import";

/** A stored plan, such as one that was made over MCP: its outcome, its people, and the button that adds them. */
export function PlanReview({ record }: { record: ImportRecord }) {
  const t = useTranslations("imports");
  const { newsletterId, mayEdit } = useViewer();
  const { id: importId, digest, counts, activeDespiteOptOut, rejected } = record;
  const discard = useCancelImport();
  return (
    <Stack gap="md" align="stretch">
      <div className={styles.outcomes}>
        <PlanOutcomes counts={counts} beside={{ activeDespiteOptOut, rejected }} />
      </div>
      <PlannedRows importId={importId} />
      {mayEdit && (
        <>
          <CommitForm plan={{ importId, digest, counts }} />
          <Button
            variant="default"
            style={{ alignSelf: "start" }}
            loading={discard.isPending}
            onClick={() => discard.mutate({ newsletterId, importId })}
          >
            {t("review.delete")}
          </Button>
        </>
      )}
    </Stack>
  );
}

function PlannedRows({ importId }: { importId: string }) {
  const t = useTranslations("imports");
  const count = useCount();
  const { newsletterId } = useViewer();
  const { data } = api.imports.rows.useQuery({ newsletterId, importId });
  if (!data) return null;
  return (
    <LineTable
      label={t("review.rows")}
      head={[t("changes.columns.line"), t("changes.columns.address"), t("report.label")]}
      lines={data.map(({ line, email, text, reason, result }) => [
        count(line),
        email ?? text,
        result === "rejected" ? reason : t(`changes.outcomes.${result}`),
      ])}
    />
  );
}
