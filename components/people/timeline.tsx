import Link from "next/link";
import type { ReactNode } from "react";
import { useViewer } from "../shell/viewer";
import type { Outputs } from "../trpc";
import { Time } from "../ui/time";
import styles from "./person.module.css";
import { sourceWords } from "./view-state";

type Activity = Outputs["people"]["get"]["activities"][number];

const words: Record<string, { what: string; tone?: "active" | "pending" | "failed" }> = {
  created: { what: "Added" },
  confirmed: { what: "Confirmed", tone: "active" },
  changed: { what: "Changed" },
  named: { what: "Name filled in" },
  unnamed: { what: "Name taken back" },
  unsubscribed: { what: "Unsubscribed" },
  put_back: { what: "Put back as before" },
  "status.active": { what: "Made active", tone: "active" },
  "status.pending": { what: "Made pending", tone: "pending" },
  "status.unsubscribed": { what: "Unsubscribed" },
  "mail.asked": { what: "Confirmation asked for" },
  "mail.waiting": { what: "Confirmation is about to leave", tone: "pending" },
  "mail.deferred": { what: "Confirmation deferred", tone: "pending" },
  "mail.logged": { what: "Confirmation logged only, since no mail is sent" },
  "mail.sending": { what: "Confirmation is leaving", tone: "pending" },
  "mail.sent": { what: "Confirmation sent" },
  "mail.delayed": { what: "Their mail server asks to come again later", tone: "pending" },
  "mail.delivered": { what: "Confirmation delivered", tone: "active" },
  "mail.bounced": { what: "Confirmation bounced", tone: "failed" },
  "mail.complained": { what: "Confirmation marked as spam", tone: "failed" },
  "mail.failed": { what: "Confirmation failed", tone: "failed" },
  "mail.uncertain": { what: "Confirmation may not have arrived", tone: "failed" },
  "mail.cancelled": { what: "Confirmation cancelled" },
  "mail.expired": { what: "Its link expired" },
};

const fields: Record<string, string> = { email: "Email", name: "Name" };

const actors: Record<string, string> = {
  key: "API",
  staff: "staff",
  link: "their own link",
  operator: "the command line",
  api: "API",
  dashboard: "staff",
  import: "an import",
  public: "the sign-up page",
};

function by(activity: Activity, newsletterId: string): ReactNode {
  if (!activity.by) return null;
  const { kind, name, id } = activity.by;
  if (kind === "import" && name && id) {
    return (
      <>
        with <Link href={`/n/${newsletterId}/imports/${id}`}>{name}</Link>
      </>
    );
  }
  if (kind === "key" || kind === "api")
    return name ? `through the API with the key ${name}` : "through the API";
  if (kind === "link") return activity.address ? `by themselves, from ${activity.address}` : "by themselves";
  return `by ${name ?? actors[kind] ?? sourceWords[kind] ?? kind}`;
}

/** What happened to a person, newest first. */
export function Timeline({ activities }: { activities: Activity[] }) {
  const { newsletterId } = useViewer();
  return (
    <ol className={styles.line}>
      {activities.map((activity) => {
        const { what, tone } = words[activity.kind] ?? { what: activity.kind };
        const who = by(activity, newsletterId);
        const { mail, changes } = activity;
        return (
          <li key={activity.id + activity.kind} data-tone={tone}>
            {mail ? <Link href={`/n/${newsletterId}/mails?mail=${mail.id}`}>{what}</Link> : what} {who}
            <p>
              <Time at={activity.at} />
            </p>
            {mail?.reason && <p className={styles.reason}>{mail.reason}</p>}
            {changes &&
              Object.entries(changes).map(([field, [from, to]]) => (
                <p key={field} className={styles.change}>
                  {from === "" ? (
                    <>
                      {fields[field] ?? field}: <b>{to}</b>
                    </>
                  ) : (
                    <>
                      {fields[field] ?? field}: <s>{from}</s> → <b>{to || "none"}</b>
                    </>
                  )}
                </p>
              ))}
            {mail?.deferredUntil && (
              <p>
                It leaves <Time at={mail.deferredUntil} />.
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}
