import { Button } from "@mantine/core";
import { useState } from "react";
import type { ImportRecord } from "@/server/contract/imports";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Confirm } from "../ui/confirm";
import { notify } from "../ui/notify";
import { count, people } from "../ui/numbers";
import { runTitle } from "./run-words";

/** Takes a run back, after saying for how many people that goes and who stays. */
export function UndoRun({ run }: { run: ImportRecord }) {
  const { newsletterId } = useViewer();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Take it back …
      </Button>
      {asking && <Question run={run} newsletterId={newsletterId} onClose={() => setAsking(false)} />}
    </>
  );
}

function Question({
  run,
  newsletterId,
  onClose,
}: {
  run: ImportRecord;
  newsletterId: string;
  onClose(): void;
}) {
  const utils = api.useUtils();
  const which = { newsletterId, importId: run.id };
  const plan = api.imports.undoPlan.useQuery(which, { staleTime: 0, gcTime: 0 });
  const undo = api.imports.undo.useMutation({
    onSuccess(ended) {
      utils.imports.get.setData(which, ended);
      notify(`${people(ended.undone?.people ?? 0)} taken off the list again.`);
      onClose();
    },
  });
  const { people: taken = 0, stayed = 0, mails = 0 } = plan.data ?? {};
  return (
    <Confirm
      title={`Take ${runTitle(run)} back?`}
      action={taken > 0 || !plan.data ? `Take ${people(taken)} off the list` : "Take it back"}
      danger
      busy={undo.isPending || plan.isPending}
      error={undo.error ?? plan.error}
      onConfirm={() => undo.mutate(which)}
      onClose={onClose}
    >
      {plan.isPending && <p>Counting …</p>}
      {plan.data && (
        <>
          <p>
            {taken > 0
              ? `${people(taken)} whom this run added, and who have done nothing since, ${taken === 1 ? "is" : "are"} deleted from the list.`
              : "Nobody is deleted."}
          </p>
          {stayed > 0 && <p>{people(stayed)} who have confirmed, unsubscribed or been changed since stay.</p>}
          {mails > 0 && (
            <p>
              {count(mails)} mail{mails === 1 ? "" : "s"} that {mails === 1 ? "has" : "have"} not left{" "}
              {mails === 1 ? "is" : "are"} taken back.
            </p>
          )}
          <p>This cannot be undone; the list can be pasted again.</p>
        </>
      )}
    </Confirm>
  );
}
