import { Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { ImportRecord } from "@/server/imports/schema/imports";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Confirm } from "../ui/confirm";
import { importName } from "./import-words";

/** Undoes an import, after a question that counts the removed and the remaining people. */
export function UndoImport({ record }: { record: ImportRecord }) {
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
  const utils = api.useUtils();
  const which = { newsletterId, importId: record.id };
  const plan = api.imports.undoPlan.useQuery(which, { staleTime: 0, gcTime: 0 });
  const undo = api.imports.undo.useMutation({
    onSuccess(begun) {
      utils.imports.get.setData(which, begun);
      onClose();
    },
  });
  const [removeOptOuts, setRemoveOptOuts] = useState(false);
  const { people = 0, stayed = 0, mails = 0, optOuts = 0 } = plan.data ?? {};
  return (
    <Confirm
      title={t("undo.title", { import: importName(record, t) })}
      action={people > 0 || !plan.data ? t("undo.remove", { n: people }) : t("undo.undo")}
      danger
      busy={undo.isPending || plan.isPending}
      error={undo.error ?? plan.error}
      onConfirm={() => undo.mutate({ ...which, removeOptOuts })}
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
