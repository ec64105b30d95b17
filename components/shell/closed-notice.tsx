"use client";
import { Button } from "@mantine/core";
import { useRouter } from "next/navigation";
import { api } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { Time } from "../ui/time";
import styles from "./shell.module.css";
import { useViewer } from "./viewer";

/** On every page of a newsletter that is archived or deleted: what that means, and the way back. */
export function ClosedNotice() {
  const { newsletterId, newsletter, isOwner } = useViewer();
  const { name, archivedAt, removeAt } = newsletter;
  const router = useRouter();
  const reopen = api.newsletters.reopen.useMutation({
    onSuccess: () => {
      notify(`${name} is active again. Cancelled emails stay cancelled.`);
      router.refresh();
    },
    onError: notifyError,
  });
  if (archivedAt === null) return null;
  return (
    <p className={`${styles.mailNotice} ${styles.closedNotice}`} role="status">
      <span>
        {removeAt ? (
          <>
            {name} is deleted. It and its people are removed for good: <Time at={removeAt} />.
          </>
        ) : (
          `${name} is archived: it is read-only and sends no email.`
        )}
      </span>
      {isOwner ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={reopen.isPending}
          onClick={() => reopen.mutate({ newsletterId })}
        >
          Restore
        </Button>
      ) : (
        <span>An owner can restore it.</span>
      )}
    </p>
  );
}
