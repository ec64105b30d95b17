"use client";
import Link from "next/link";
import { useTranslations } from "use-intl";
import { api } from "../trpc";
import styles from "./shell.module.css";
import { useViewer } from "./viewer";

/** A notice on every page while no emails are sent: the number of stored emails, and their retention. */
export function MailNotice() {
  const t = useTranslations("shell.mailNotice");
  const { newsletterId, sends } = useViewer();
  const kept = api.mails.kept.useQuery({ newsletterId }, { enabled: !sends, refetchInterval: 10_000 });
  if (sends) return null;
  const n = kept.data ?? 0;
  const link = (chunks: React.ReactNode) => <Link href={`/n/${newsletterId}/mails`}>{chunks}</Link>;
  return (
    <p className={styles.mailNotice} role="status">
      {n > 0 ? t.rich("notSetUpAndStored", { n, link }) : t.rich("notSetUp", { link })}
    </p>
  );
}
