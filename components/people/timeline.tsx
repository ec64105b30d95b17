import Link from "next/link";
import type { CSSProperties, ReactNode } from "react";
import { useViewer } from "../shell/viewer";
import type { Outputs } from "../trpc";
import { Time } from "../ui/time";
import styles from "./people.module.css";
import { type FieldName, personFields, sourceWords } from "./person-fields";

type Activity = Outputs["people"]["get"]["activities"][number];

const words: Record<string, { what: string; tone?: "active" | "pending" | "failed" }> = {
  created: { what: "Added" },
  confirmed: { what: "Confirmed", tone: "active" },
  changed: { what: "Changed" },
  unsubscribed: { what: "Unsubscribed" },
  put_back: { what: "Put back as before" },
  "status.active": { what: "Made active", tone: "active" },
  "status.pending": { what: "Made pending", tone: "pending" },
  "status.unsubscribed": { what: "Unsubscribed" },
  "mail.asked": { what: "Confirmation asked for" },
  "mail.waiting": { what: "Confirmation is waiting", tone: "pending" },
  "mail.deferred": { what: "Confirmation deferred", tone: "pending" },
  "mail.logged": { what: "Confirmation kept here: no mail left" },
  "mail.sending": { what: "Confirmation is being sent", tone: "pending" },
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

const actors: Record<string, string> = {
  staff: "staff",
  dashboard: "staff",
  operator: "the command line",
  import: "an import",
  public: "the sign-up page",
};

/** Who or what did it, to follow the word for it. */
function by({ by: actor, address }: Activity, newsletterId: string): ReactNode {
  if (!actor) return null;
  const { kind, name, id } = actor;
  switch (kind) {
    case "import":
      if (!name || !id) break;
      return (
        <>
          with <Link href={`/n/${newsletterId}/imports/${id}`}>{name}</Link>
        </>
      );
    case "key":
    case "api":
      return name ? `through the API with the key ${name}` : "through the API";
    case "link":
      return address ? `by themselves, from ${address}` : "by themselves";
  }
  return `by ${name ?? actors[kind] ?? sourceWords[kind] ?? kind}`;
}

/** What happened to a person, newest first. */
export function Timeline({ activities }: { activities: Activity[] }) {
  const { newsletterId } = useViewer();
  return (
    <ol className={styles.timeline}>
      {activities.map((activity) => {
        const { what, tone = "off" } = words[activity.kind] ?? { what: activity.kind };
        const { mail, changes } = activity;
        return (
          <li key={activity.id + activity.kind} style={{ "--tone": `var(--${tone})` } as CSSProperties}>
            {mail ? <Link href={`/n/${newsletterId}/mails?mail=${mail.id}`}>{what}</Link> : what}{" "}
            {by(activity, newsletterId)}
            <p>
              <Time at={activity.at} />
            </p>
            {mail?.reason && <p className={styles.reason}>{mail.reason}</p>}
            {Object.entries(changes ?? {}).map(([field, [from, to]]) => (
              <p key={field}>
                {personFields[field as FieldName]?.word ?? field}:{" "}
                {from !== "" && (
                  <>
                    <s>{from}</s> →{" "}
                  </>
                )}
                <b>{to || "none"}</b>
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
