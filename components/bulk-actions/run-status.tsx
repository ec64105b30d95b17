"use client";
import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { BulkAction } from "@/server/contract/bulk-actions";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import { notifyError } from "../ui/notify";
import { count } from "../ui/numbers";
import styles from "./runs.module.css";
import { useRefreshPeople, useUndo } from "./use-run";
import { doing, summary } from "./words";

const WHILE_RUNNING_MS = 700;
const ELSE_MS = 10_000;

const isOpen = ({ state }: BulkAction) => state === "running" || state === "undoing";

/** What is being done to many people, wherever one is; at its end what came of it, and the way back. */
export default function RunStatus() {
  const { newsletterId } = useViewer();
  const refresh = useRefreshPeople();
  const current = api.bulkActions.current.useQuery(
    { newsletterId },
    { refetchInterval: ({ state }) => (state.data?.some(isOpen) ? WHILE_RUNNING_MS : ELSE_MS) },
  );
  const runs = current.data ?? [];

  // What a list shows is as it was until a run has ended.
  const wereOpen = useRef(new Set<string>());
  useEffect(() => {
    const open = new Set((current.data ?? []).filter(isOpen).map(({ id }) => id));
    const ended = [...wereOpen.current].some((id) => !open.has(id));
    wereOpen.current = open;
    if (ended) void refresh();
  }, [current.data, refresh]);

  return (
    <section className={styles.runs} aria-label="Under way" data-any={runs.length > 0 || undefined}>
      {/* Read out when something begins and when it ends, not at every step. */}
      <p className="sr" aria-live="polite">
        {runs.map((run) => (isOpen(run) ? `${doing(run)}.` : summary(run))).join(" ")}
      </p>
      {runs.map((run) => (isOpen(run) ? <Open key={run.id} run={run} /> : <Ended key={run.id} run={run} />))}
    </section>
  );
}

function Open({ run }: { run: BulkAction }) {
  const { newsletterId, mayEdit } = useViewer();
  const utils = api.useUtils();
  const cancel = api.bulkActions.cancel.useMutation({
    onSettled: () => utils.bulkActions.current.invalidate(),
    onError: notifyError,
  });
  const undoing = run.state === "undoing";
  const whole = undoing ? run.done : run.total;
  const seen = undoing ? run.undone : run.done + Object.values(run.left).reduce((sum, n) => sum + n, 0);
  return (
    <div className={styles.run}>
      <p>
        {doing(run)}
        {!run.mine && run.by && <span className={styles.by}> for {run.by}</span>}
      </p>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={doing(run)}
        aria-valuemin={0}
        aria-valuemax={whole}
        aria-valuenow={seen}
      >
        <div style={{ width: `${whole === 0 ? 100 : Math.min(100, (seen / whole) * 100)}%` }} />
      </div>
      <p className={styles.facts}>
        <span>
          {count(seen)} of {count(whole)}
        </span>
        {mayEdit && !undoing && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ newsletterId, runId: run.id })}
          >
            Stop
          </Button>
        )}
      </p>
    </div>
  );
}

function Ended({ run }: { run: BulkAction }) {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const undo = useUndo();
  const dismiss = api.bulkActions.dismiss.useMutation({
    onSettled: () => utils.bulkActions.current.invalidate(),
  });
  return (
    <div className={styles.run} data-failed={run.state === "failed" || undefined}>
      <p>{summary(run)}</p>
      <p className={styles.facts}>
        {run.undoUntil && (
          <Button variant="default" size="compact-xs" onClick={() => undo(run)}>
            Undo
          </Button>
        )}
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<icons.close />}
          onClick={() => dismiss.mutate({ newsletterId, runId: run.id })}
        >
          Put away
        </Button>
      </p>
    </div>
  );
}
