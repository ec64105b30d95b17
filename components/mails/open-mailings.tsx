"use client";
import { Button, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { OpenMailing } from "@/server/contract/mailings";
import styles from "../bulk-actions/bulk-actions.module.css";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { cancelledText, delayText, mailsOf } from "./mailing-words";

const POLL_OPEN_MS = 1_000;
const POLL_IDLE_MS = 10_000;

/** A mailing, and when it leaves by this browser's clock. */
type Leaving = OpenMailing & { at: number };

/** Mails to many people that can still be cancelled; those whose time is over are not among them. */
export function useOpenMailings(): Leaving[] {
  const { newsletterId } = useViewer();
  const { data = [], dataUpdatedAt } = api.mailings.open.useQuery(
    { newsletterId },
    { refetchInterval: ({ state }) => (state.data?.length ? POLL_OPEN_MS : POLL_IDLE_MS) },
  );
  const [now, setNow] = useState(0);
  const any = data.length > 0;
  useEffect(() => {
    if (!any) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [any]);
  return data
    .map((mailing) => ({ ...mailing, at: dataUpdatedAt + mailing.dueInMs }))
    .filter(({ at, mails }) => mails > 0 && at > now);
}

/** What is read out of it, once. */
export const announcementOf = ({ kind, mails }: OpenMailing) =>
  `${mailsOf(kind, mails)} can still be cancelled.`;

/** Mails that are about to leave, and the one click that cancels all of them. */
export function LeavingMails({ mailing: { id, kind, mails, by, at } }: { mailing: Leaving }) {
  const { newsletterId, mayEdit, sends } = useViewer();
  const cancel = api.mailings.cancel.useMutation({
    onSuccess: (done) =>
      notify(
        `${mailsOf(done.kind, done.mails)} cancelled before they were sent. ${cancelledText[done.kind]}`,
      ),
    onError: notifyError,
  });
  const some = mailsOf(kind, mails);
  const seconds = Math.max(1, Math.ceil((at - Date.now()) / 1000));
  const leave = sends
    ? mails === 1
      ? "is sent"
      : "are sent"
    : `${mails === 1 ? "is" : "are"} stored, not sent,`;
  return (
    <div className={styles.action}>
      <p>
        <b>{some}</b> {leave} in {delayText(seconds)}
        {by && (
          <Text component="span" fz="sm" c="dimmed">
            {" "}
            for {by}
          </Text>
        )}
      </p>
      {mayEdit && (
        <Button
          mt="xs"
          fullWidth
          h="auto"
          py={6}
          styles={{ label: { whiteSpace: "normal" } }}
          loading={cancel.isPending}
          onClick={() => cancel.mutate({ newsletterId, id })}
        >
          Cancel {some}
        </Button>
      )}
    </div>
  );
}
