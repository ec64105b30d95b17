"use client";
import { Button, Group } from "@mantine/core";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
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
    <Group component="p" gap="4px 12px" className={styles.mailNotice} role="status">
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
    </Group>
  );
}

/** A notice on every page while no emails are sent: the number of stored emails, and their retention. */
export function MailNotice() {
  const t = useTranslations("shell.mailNotice");
  const { newsletterId, sends } = useViewer();
  const kept = api.mails.kept.useQuery({ newsletterId }, { enabled: !sends, refetchInterval: 10_000 });
  if (sends) return null;
  const n = kept.data ?? 0;
  const link = (chunks: ReactNode) => <Link href={`/n/${newsletterId}/mails`}>{chunks}</Link>;
  return (
    <p className={styles.mailNotice} role="status">
      {n > 0 ? t.rich("notSetUpAndStored", { n, link }) : t.rich("notSetUp", { link })}
    </p>
  );
}
