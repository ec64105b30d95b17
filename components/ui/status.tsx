import styles from "./parts.module.css";

const words: Record<string, { word: string; tone: "active" | "pending" | "off" | "failed" }> = {
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

export const statusWord = (status: string) => words[status]?.word ?? status;

/** A state, always a word beside its colour. Pending is a ring not yet filled. */
export function Status({ status }: { status: string }) {
  return (
    <span className={styles.status} data-tone={words[status]?.tone ?? "off"}>
      {statusWord(status)}
    </span>
  );
}
