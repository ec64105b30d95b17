import { Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { isUnderWay } from "@/server/kernel/work-progress";
import { nounOf } from "../mail/mailing-words";
import { LeavingMails, useOpenMailings } from "../mail/open-mailings";
import { useViewer } from "../shell/viewer";
import { api, fetchAgain } from "../trpc";
import { icons } from "../ui/icons";
import { notifyError } from "../ui/notify";
import { Progress, pollWhileUnderWay } from "../ui/progress";
import styles from "./bulk-actions.module.css";
import { type BulkAction, progressOf } from "./summary";
import { useSummary, useUndo } from "./use-bulk-action";

const POLL_IDLE_MS = 10_000;

const isOpen = ({ state }: BulkAction) => isUnderWay(state);

/** Shows cancellable emails and running bulk actions on every page. A finished action shows its summary and undo. */
export default function BulkActionStatus() {
  const t = useTranslations("bulkActions.status");
  const tSummary = useTranslations("bulkActions.summary");
  const tLeaving = useTranslations("mails.leaving");
  const summary = useSummary();
  const { newsletterId } = useViewer();
  const client = useQueryClient();
  const mailings = useOpenMailings();
  const { data = [] } = api.bulkActions.current.useQuery(
    { newsletterId },
    { refetchInterval: pollWhileUnderWay((actions) => actions, POLL_IDLE_MS) },
  );

  // While an action's emails can be cancelled, their notice replaces the action's.
  const actions = data.filter(({ id }) => !mailings.some((mailing) => mailing.id === id));
  const any = actions.length + mailings.length > 0;

  // The lists are refetched when a bulk action ends.
  const wereOpen = useRef("");
  const open = data.filter(isOpen).map(({ id }) => id);
  useEffect(() => {
    const ended = wereOpen.current.split(" ").some((id) => id && !open.includes(id));
    wereOpen.current = open.join(" ");
    if (ended) void fetchAgain(client);
  });

  return (
    <section className={styles.actions} aria-label={t("label")} data-any={any || undefined}>
      {/* Screen readers announce the start and the end only. */}
      <p className="sr" aria-live="polite">
        {[
          ...mailings.map(({ kind, mails }) => tLeaving(`announcement.${nounOf(kind)}`, { n: mails })),
          ...actions.map((action) =>
            isOpen(action) ? t("announced", { progress: progressOf(action, tSummary) }) : summary(action),
          ),
        ].join(" ")}
      </p>
      {mailings.map((mailing) => (
        <LeavingMails key={mailing.id} mailing={mailing} />
      ))}
      {actions.map((action) =>
        isOpen(action) ? (
          <OpenAction key={action.id} action={action} />
        ) : (
          <EndedAction key={action.id} action={action} />
        ),
      )}
    </section>
  );
}

function OpenAction({ action }: { action: BulkAction }) {
  const t = useTranslations("bulkActions.status");
  const progress = progressOf(action, useTranslations("bulkActions.summary"));
  const { newsletterId, mayEdit } = useViewer();
  const cancel = api.bulkActions.cancel.useMutation({ onError: notifyError });
  const undoing = action.state === "undoing";
  return (
    <div className={styles.action}>
      <p>
        {action.mine || !action.by
          ? progress
          : t.rich("startedBy", {
              progress,
              name: action.by,
              quiet: (chunks) => (
                <Text component="span" fz="sm" c="dimmed">
                  {chunks}
                </Text>
              ),
            })}
      </p>
      <Progress label={progress} {...action.progress}>
        {mayEdit && !undoing && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ newsletterId, id: action.id })}
          >
            {t("stop")}
          </Button>
        )}
      </Progress>
    </div>
  );
}

function EndedAction({ action }: { action: BulkAction }) {
  const t = useTranslations("bulkActions.status");
  const summary = useSummary()(action);
  const { newsletterId } = useViewer();
  const undo = useUndo();
  const dismiss = api.bulkActions.dismiss.useMutation({ onError: notifyError });
  return (
    <div className={styles.action} data-failed={action.state === "failed" || undefined}>
      <p>{summary}</p>
      <Group gap={4} mt="xs">
        {action.undoUntil && (
          <Button variant="default" size="compact-xs" onClick={() => undo(action)}>
            {t("undo")}
          </Button>
        )}
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<icons.close />}
          onClick={() => dismiss.mutate({ newsletterId, id: action.id })}
        >
          {t("dismiss")}
        </Button>
      </Group>
    </div>
  );
}
