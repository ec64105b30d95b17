import { useCallback } from "react";
import { useTranslations } from "use-intl";
import { deliveryStatuses, mailStates, type StatusLook } from "@/server/contract/mail-states";
import styles from "./kit.module.css";

const looks = {
  active: { word: "Active", tone: "active" },
  pending: { word: "Pending", tone: "pending" },
  unsubscribed: { word: "Unsubscribed", tone: "off" },
  live: { word: "Live", tone: "active" },
  expired: { word: "Expired", tone: "off" },
  revoked: { word: "Revoked", tone: "off" },
  ...mailStates,
  ...deliveryStatuses,
} as const satisfies Record<string, StatusLook>;
type Status = keyof typeof looks;

export const statusLooks: Record<string, StatusLook> = looks;

const isStatus = (status: string): status is Status => Object.hasOwn(looks, status);

/** Names a status in the reader's language. */
export function useStatusWord(): (status: string) => string {
  const t = useTranslations("ui");
  return useCallback((status) => (isStatus(status) ? t(`status.${status}`) : status), [t]);
}

// English, until the lists of people, emails and segments use the hook.
export const statusWord = (status: string) => statusLooks[status]?.word ?? status;

/** A state of a person, mail or key by its name, or of anything else by its look. Pending is a ring not yet filled. */
export function StatusPill({ status }: { status: string | StatusLook }) {
  const wordOf = useStatusWord();
  const { word, tone } =
    typeof status === "string" ? { word: wordOf(status), tone: statusLooks[status]?.tone ?? "off" } : status;
  return (
    <span className={styles.status} data-tone={tone}>
      {word}
    </span>
  );
}
