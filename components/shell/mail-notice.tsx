"use client";
import Link from "next/link";
import { noKey } from "../mails/mail-words";
import { api } from "../trpc";
import { counted } from "../ui/numbers";
import styles from "./shell.module.css";
import { useViewer } from "./viewer";

/** On every page while no mail leaves: how many are kept, and until when. */
export function MailNotice() {
  const { newsletterId, sends } = useViewer();
  const kept = api.mails.kept.useQuery({ newsletterId }, { enabled: !sends, refetchInterval: 10_000 });
  if (sends) return null;
  const number = kept.data ?? 0;
  const sentence = noKey.charAt(0).toUpperCase() + noKey.slice(1);
  const stored = `${counted(number, "confirmation email")} ${number === 1 ? "is" : "are"} stored but not sent.`;
  return (
    <p className={styles.mailNotice} role="status">
      <Link href={`/n/${newsletterId}/mails`}>{sentence}</Link>.{number > 0 && ` ${stored}`}
    </p>
  );
}
