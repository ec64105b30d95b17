import { Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import type { ImportRecord } from "@/server/contract/imports";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Confirm } from "../ui/confirm";
import { counted, people } from "../ui/numbers";
import { importTitle } from "./import-words";

/** Undoes an import, after telling how many people that removes and who stays. */
export function UndoImport({ record }: { record: ImportRecord }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Undo …
      </Button>
      {asking && <Question record={record} onClose={() => setAsking(false)} />}
    </>
  );
}

function Question({ record, onClose }: { record: ImportRecord; onClose(): void }) {
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
  const { people: removed = 0, stayed = 0, mails = 0, optOuts = 0 } = plan.data ?? {};
  return (
    <Confirm
      title={`Undo ${importTitle(record)}?`}
      action={removed > 0 || !plan.data ? `Remove ${people(removed)} from the list` : "Undo"}
      danger
      busy={undo.isPending || plan.isPending}
      error={undo.error ?? plan.error}
      onConfirm={() => undo.mutate({ ...which, removeOptOuts })}
      onClose={onClose}
    >
      {plan.isPending && <p>Counting …</p>}
      {plan.data && (
        <>
          <p>
            {removed > 0
              ? `${people(removed)} added by this import and unchanged since ${removed === 1 ? "is" : "are"} deleted from the list.`
              : "No people are deleted."}
          </p>
          {optOuts > 0 && (
            <>
              <p>
                {counted(optOuts, "opt-out")} of the list {optOuts === 1 ? "stays" : "stay"} as suppressions.
              </p>
              <Checkbox
                label="Remove its opt-outs, too (only if the list was wrong)"
                checked={removeOptOuts}
                onChange={(event) => setRemoveOptOuts(event.currentTarget.checked)}
              />
            </>
          )}
          {stayed > 0 && <p>{people(stayed)} who confirmed, unsubscribed or were changed since stay.</p>}
          {mails > 0 && (
            <p>
              {counted(mails, "unsent email")} {mails === 1 ? "is" : "are"} cancelled.
            </p>
          )}
          <p>This cannot be undone, but you can paste the list again.</p>
        </>
      )}
    </Confirm>
  );
}
