"use client";
import { Button } from "@mantine/core";
import Link from "next/link";
import type { ImportRecord } from "@/server/contract/imports";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import kit from "../ui/kit.module.css";
import { Page } from "../ui/list-page";
import { notifyError } from "../ui/notify";
import { count, people } from "../ui/numbers";
import { Failed, Loading } from "../ui/states";
import { Time } from "../ui/time";
import { Report } from "./report";
import { runTitle, stateWords } from "./run-words";
import styles from "./runs.module.css";
import { UndoRun } from "./undo-run";
import { useRun } from "./use-run";

/** One run: how far it is, or how it ended. Its address can be closed and opened again at any time. */
export function RunPage({ importId }: { importId: string }) {
  const { newsletterId, mayEdit } = useViewer();
  const query = useRun(newsletterId, importId);
  const run = query.data;
  const form = `/n/${newsletterId}/imports/new`;
  const actions = (
    <>
      {run?.undoUntil && mayEdit && <UndoRun run={run} />}
      <Button variant="default" component={Link} href={`/n/${newsletterId}/imports`}>
        All runs
      </Button>
    </>
  );
  return (
    <Page title={run ? runTitle(run) : "Import"} actions={actions}>
      {query.error && <Failed error={query.error} retry={() => query.refetch()} />}
      {query.isPending && <Loading rows={5} />}
      {run && (
        <div className={styles.page}>
          <p role="status" className={styles.standing}>
            <span className={kit.status} data-tone={stateWords[run.state].tone}>
              {stateWords[run.state].word}
            </span>{" "}
            <span>{standing(run)}</span>
          </p>
          {run.state === "running" && <Progress run={run} />}
          {run.state === "outdated" && <Changes run={run} />}
          {mayEdit && ["planned", "cancelled", "outdated", "failed"].includes(run.state) && (
            <Button component={Link} href={form} className={styles.back}>
              {run.state === "outdated" ? "Back to the list, to check again" : "Back to the list"}
            </Button>
          )}
          {(run.state === "done" || run.state === "undone" || run.rejected > 0) && <Report run={run} />}
          <Facts run={run} />
        </div>
      )}
    </Page>
  );
}

function standing({ state, error, undone, changed }: ImportRecord): string {
  switch (state) {
    case "planned":
      return "This list was checked, and nobody was added.";
    case "running":
      return "You may close this page: the run goes on, and its address shows how it stands.";
    case "done":
      return "";
    case "cancelled":
      return "Nobody was added, and nobody was mailed.";
    case "outdated":
      return `Between the check and the run ${changed === 1 ? "1 line" : `${count(changed)} lines`} became something else, so nobody was added and nobody was mailed.`;
    case "failed":
      return error ?? "Nobody was added, and nobody was mailed.";
    default:
      return undoneWords(undone);
  }
}

function undoneWords(undone: ImportRecord["undone"]): string {
  if (!undone) return "";
  const { people: taken, stayed, mails } = undone;
  const stay = stayed > 0 ? ` ${people(stayed)} stayed, because they have done something since.` : "";
  const unsent =
    mails > 0
      ? ` ${count(mails)} mail${mails === 1 ? "" : "s"} that had not left ${mails === 1 ? "was" : "were"} taken back.`
      : "";
  return `${people(taken)} ${taken === 1 ? "was" : "were"} taken off the list again.${stay}${unsent}`;
}

function Progress({ run }: { run: ImportRecord }) {
  const { newsletterId, mayEdit } = useViewer();
  const utils = api.useUtils();
  const cancel = api.imports.cancel.useMutation({
    onSuccess: (ended) => utils.imports.get.setData({ newsletterId, importId: run.id }, ended),
    onError: notifyError,
  });
  const share = run.rows > 0 ? run.written / run.rows : 0;
  return (
    <div className={styles.progress}>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label="Rows written"
        aria-valuenow={run.written}
        aria-valuemin={0}
        aria-valuemax={run.rows}
        aria-valuetext={`${count(run.written)} of ${count(run.rows)}`}
      >
        <span style={{ transform: `scaleX(${share})` }} />
      </div>
      <p>
        <b>{count(run.written)}</b> of {count(run.rows)}
      </p>
      {mayEdit && (
        <Button
          variant="default"
          loading={cancel.isPending || cancel.isSuccess}
          onClick={() => cancel.mutate({ newsletterId, importId: run.id })}
        >
          Cancel
        </Button>
      )}
    </div>
  );
}

const outcomeWords = {
  new_active: "new, as active",
  new_pending: "new, as pending",
  already_active: "here already, as active",
  already_pending: "here already, as pending",
  unsubscribed: "unsubscribed",
  suppressed: "not to be mailed",
};

function Changes({ run }: { run: ImportRecord }) {
  return (
    <table className={styles.changes}>
      <caption className="sr">What has changed since the check</caption>
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Who</th>
          <th scope="col">Was</th>
          <th scope="col">Is</th>
        </tr>
      </thead>
      <tbody>
        {run.changes.map(({ line, email, was, is }) => (
          <tr key={`${line} ${email}`}>
            <td>{count(line)}</td>
            <td>{email}</td>
            <td>{outcomeWords[was]}</td>
            <td>{outcomeWords[is]}</td>
          </tr>
        ))}
      </tbody>
      {run.changed > run.changes.length && (
        <tfoot>
          <tr>
            <td colSpan={4}>and {count(run.changed - run.changes.length)} more</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function Facts({ run }: { run: ImportRecord }) {
  return (
    <section aria-label="About this run">
      <h2>About this run</h2>
      <dl className={styles.facts}>
        <dt>By</dt>
        <dd>
          {run.by ?? "Somebody who is gone"}, <Time at={run.startedAt ?? run.createdAt} />
        </dd>
        <dt>List</dt>
        <dd>{run.fileName ?? "Pasted"}</dd>
        {run.consent && (
          <>
            <dt>Agreed at</dt>
            <dd>{run.consent.source}</dd>
          </>
        )}
        {run.consent?.wording && (
          <>
            <dt>In these words</dt>
            <dd className={styles.wording}>{run.consent.wording}</dd>
          </>
        )}
        <dt>New people</dt>
        <dd>{run.defaultStatus === "active" ? "Active at once" : "Pending, asked to confirm"}</dd>
        {run.undoUntil && (
          <>
            <dt>Take-back ends</dt>
            <dd>
              <Time at={run.undoUntil} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
