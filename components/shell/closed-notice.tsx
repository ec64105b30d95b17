"use client";
import { Button } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { api } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { Time } from "../ui/time";
import styles from "./shell.module.css";
import { useViewer } from "./viewer";

/** A notice on every page of an archived or deleted newsletter: the meaning, and the button to restore it. */
export function ClosedNotice() {
  const t = useTranslations("shell.closed");
  const { newsletterId, newsletter, isOwner } = useViewer();
  const { name, archivedAt, removeAt } = newsletter;
  const router = useRouter();
  const reopen = api.newsletters.reopen.useMutation({
    onSuccess: () => {
      notify(t("restored", { name }));
      router.refresh();
    },
    onError: notifyError,
  });
  if (archivedAt === null) return null;
  return (
    <p className={`${styles.mailNotice} ${styles.closedNotice}`} role="status">
      <span>
        {removeAt ? t.rich("deleted", { name, time: () => <Time at={removeAt} /> }) : t("archived", { name })}
      </span>
      {isOwner ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={reopen.isPending}
          onClick={() => reopen.mutate({ newsletterId })}
        >
          {t("restore")}
        </Button>
      ) : (
        <span>{t("ownerCanRestore")}</span>
      )}
    </p>
  );
}
