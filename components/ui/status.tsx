import { deliveryStatuses, mailStates, type StatusLook } from "@/server/contract/mail-states";
import styles from "./kit.module.css";

export const statusLooks: Record<string, StatusLook> = {
  active: { word: "Active", tone: "active" },
  pending: { word: "Pending", tone: "pending" },
  unsubscribed: { word: "Unsubscribed", tone: "off" },
  live: { word: "Live", tone: "active" },
  expired: { word: "Expired", tone: "off" },
  revoked: { word: "Revoked", tone: "off" },
  ...mailStates,
  ...deliveryStatuses,
};

export const statusWord = (status: string) => statusLooks[status]?.word ?? status;

/** A state of a person, mail or key by its name, or of anything else by its look. Pending is a ring not yet filled. */
export function StatusPill({ status }: { status: string | StatusLook }) {
  const { word, tone } =
    typeof status === "string" ? (statusLooks[status] ?? { word: status, tone: "off" }) : status;
  return (
    <span className={styles.status} data-tone={tone}>
      {word}
    </span>
  );
}
