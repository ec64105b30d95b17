import { useCallback } from "react";
import { useTranslations } from "use-intl";
import { deliveryStatuses, mailStates, type StatusLook } from "@/server/mail/schema/mail-states";
import styles from "./kit.module.css";

const looks = {
  active: { tone: "active" },
  pending: { tone: "pending" },
  unsubscribed: { tone: "off" },
  live: { tone: "active" },
  rotated: { tone: "pending" },
  expired: { tone: "off" },
  revoked: { tone: "off" },
  ...mailStates,
  ...deliveryStatuses,
} as const satisfies Record<string, StatusLook>;
type Status = keyof typeof looks;

const isStatus = (status: string): status is Status => Object.hasOwn(looks, status);

export function useStatusWord(): (status: string) => string {
  const t = useTranslations("ui");
  return useCallback((status) => (isStatus(status) ? t(`status.${status}`) : status), [t]);
}

type NamedLook = StatusLook & { word: string };

/** Shows the status of a person, email or key by name, or any other state by its look. Pending is an open ring. */
export function StatusPill({ status }: { status: string | NamedLook }) {
  const wordOf = useStatusWord();
  const { word, tone } =
    typeof status === "string"
      ? { word: wordOf(status), tone: isStatus(status) ? looks[status].tone : "off" }
      : status;
  return (
    <span className={styles.status} data-tone={tone}>
      {word}
    </span>
  );
}
