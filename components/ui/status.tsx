import styles from "./kit.module.css";

/** How a state looks: its word, and the tone of its colour. */
export type StatusLook = { word: string; tone: "active" | "pending" | "off" | "failed" };

const looks: Record<string, StatusLook> = {
  active: { word: "Active", tone: "active" },
  pending: { word: "Pending", tone: "pending" },
  unsubscribed: { word: "Unsubscribed", tone: "off" },
  waiting: { word: "Waiting", tone: "pending" },
  deferred: { word: "Deferred", tone: "pending" },
  logged: { word: "Logged only", tone: "off" },
  sending: { word: "Sending", tone: "pending" },
  sent: { word: "Sent", tone: "active" },
  delivered: { word: "Delivered", tone: "active" },
  delayed: { word: "Delayed", tone: "pending" },
  bounced: { word: "Bounced", tone: "failed" },
  complained: { word: "Marked as spam", tone: "failed" },
  failed: { word: "Failed", tone: "failed" },
  uncertain: { word: "Uncertain", tone: "failed" },
  cancelled: { word: "Cancelled", tone: "off" },
  live: { word: "Live", tone: "active" },
  expired: { word: "Expired", tone: "off" },
  revoked: { word: "Revoked", tone: "off" },
};

export const statusWord = (status: string) => looks[status]?.word ?? status;

/** A state of a person, mail or key by its name, or of anything else by its look. Pending is a ring not yet filled. */
export function Status({ status }: { status: string | StatusLook }) {
  const { word, tone } =
    typeof status === "string" ? (looks[status] ?? { word: status, tone: "off" }) : status;
  return (
    <span className={styles.status} data-tone={tone}>
      {word}
    </span>
  );
}
