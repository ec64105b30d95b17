import { Button, Group, Text } from "@mantine/core";
import { createPortal } from "react-dom";
import { useTranslations } from "use-intl";
import { isUnderWay } from "@/server/kernel/work-progress";
import { nounOf } from "../mail/mailing-words";
import { type LeavingMailing, LeavingMails } from "../mail/open-mailings";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import { notifyError } from "../ui/notify";
import { Progress } from "../ui/progress";
import styles from "./bulk-actions.module.css";
import type { BulkAction } from "./summary";
import { useSummary, useUndo } from "./use-bulk-action";

const isOpen = ({ state }: BulkAction) => isUnderWay(state);

type Props = {
  actions: BulkAction[];
  mailings: LeavingMailing[];
  /** The element whose text screen readers announce. */
  announcer: Element;
};

/** Cancellable emails and running bulk actions. A finished action shows its summary and undo. */
export default function BulkActionNotices({ actions, mailings, announcer }: Props) {
  const t = useTranslations("bulkActions.status");
  const tLeaving = useTranslations("mails.leaving");
  const summary = useSummary();
  // Screen readers announce the start and the end only.
  const announced = [
    ...mailings.map(({ kind, mails }) => tLeaving(`announcement.${nounOf(kind)}`, { n: mails })),
    ...actions.map((action) =>
      isOpen(action) ? t("announced", { progress: summary(action) }) : summary(action),
    ),
  ].join(" ");
  return (
    <>
      {createPortal(announced, announcer)}
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
    </>
  );
}

function OpenAction({ action }: { action: BulkAction }) {
  const t = useTranslations("bulkActions.status");
  const progress = useSummary()(action);
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
