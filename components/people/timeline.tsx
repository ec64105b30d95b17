import Link from "next/link";
import { type CSSProperties, Fragment, type ReactNode } from "react";
import type { ActivityType } from "@/server/contract/activities";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { ClockTime, Time, useDayName } from "../ui/time";
import { type Field, fieldText } from "./attribute-text";
import { evidenceTexts } from "./evidence-text";
import styles from "./people.module.css";
import { type FieldName, personFields } from "./person-fields";

type Activity = Outputs["people"]["get"]["activities"][number];

const words: Record<ActivityType, { what: string; tone?: "active" | "pending" | "failed" }> = {
  created: { what: "Added" },
  asked: { what: "Confirmation requested" },
  kept: { what: "Confirmation email not sent: no provider was configured" },
  sent: { what: "Confirmation sent" },
  delayed: { what: "Delivery delayed by the recipient’s server. Retrying.", tone: "pending" },
  delivered: { what: "Confirmation delivered", tone: "active" },
  bounced: { what: "Confirmation bounced", tone: "failed" },
  complained: { what: "Confirmation marked as spam", tone: "failed" },
  failed: { what: "Confirmation failed", tone: "failed" },
  uncertain: { what: "Confirmation may not have arrived", tone: "failed" },
  cancelled: { what: "Confirmation cancelled" },
  expired: { what: "Confirmation link expired" },
  signed_up: { what: "Signed up again" },
  confirmed: { what: "Confirmed", tone: "active" },
  welcomed: { what: "Welcome email requested" },
  link_asked: { what: "Requested a link to their preferences" },
  address_asked: { what: "Entered a new address; confirmation requested there" },
  updated: { what: "Changed" },
  status_changed: { what: "Changed" },
  unsubscribed: { what: "Unsubscribed" },
  restored: { what: "Restored" },
  copied: { what: "Copied" },
};

const statusWords: Record<string, (typeof words)[ActivityType]> = {
  active: { what: "Made active", tone: "active" },
  pending: { what: "Made pending", tone: "pending" },
};

/** Of a mail that was asked for: what it waits for. */
const waits: Record<string, (typeof words)[ActivityType]> = {
  waiting: { what: "Confirmation requested; the email is queued", tone: "pending" },
  deferred: { what: "Confirmation requested; the email is delayed", tone: "pending" },
  sending: { what: "Confirmation requested; the email is being sent", tone: "pending" },
};

/** What becomes of a mail that has no link to confirm by. @param mail what it is called, at the beginning of a sentence */
const ofMail = (mail: string): Partial<typeof words> => ({
  kept: { what: `${mail} not sent: no provider was configured` },
  sent: { what: `${mail} sent` },
  delivered: { what: `${mail} delivered`, tone: "active" },
  bounced: { what: `${mail} bounced`, tone: "failed" },
  complained: { what: `${mail} marked as spam`, tone: "failed" },
  failed: { what: `${mail} failed`, tone: "failed" },
  uncertain: { what: `${mail} may not have arrived`, tone: "failed" },
  cancelled: { what: `${mail} cancelled` },
});

const wordsOfKind: Partial<Record<NonNullable<Activity["mail"]>["kind"], Partial<typeof words>>> = {
  reminder: {
    asked: { what: "Reminder requested" },
    sent: { what: "Reminder sent" },
    delivered: { what: "Reminder delivered", tone: "active" },
  },
  welcome: ofMail("Welcome"),
  preferences: ofMail("Link to their preferences"),
  new_address: ofMail("Email to the new address"),
};

/** Of people whom an earlier version copied or moved: from where, or to where. */
const routeWords = ({ type, evidence }: Activity) => {
  if (evidence?.copied)
    return { what: `${evidence.copied.moved ? "Moved" : "Copied"} from ${evidence.copied.newsletter}` };
  if (!evidence?.copiedTo) return null;
  return {
    what: type === "copied" ? `Copied to ${evidence.copiedTo}` : `The copy to ${evidence.copiedTo} undone`,
  };
};

const wordsFor = (activity: Activity): (typeof words)[ActivityType] => {
  const { type, status, mail, through } = activity;
  return (
    routeWords(activity) ||
    (through?.kind === "pause" &&
      (status ? { what: "Back from a break", tone: "active" } : { what: "Unsubscribed for a break" })) ||
    (status && statusWords[status]) ||
    (type === "updated" && through?.kind === "merge" && { what: "Merged" }) ||
    (type === "asked" && mail && waits[mail.state]) ||
    (mail && wordsOfKind[mail.kind]?.[type]) ||
    words[type]
  );
};

/** Who or what did it, to follow the word for it. */
function by({ by: actor, type, through, importedBy }: Activity, newsletterId: string): ReactNode {
  if (!actor) return null;
  const { kind, name, id } = actor;
  switch (kind) {
    case "import":
      return (
        <>
          with {name && id ? <Link href={`/n/${newsletterId}/imports/${id}`}>{name}</Link> : "an import"}
          {importedBy && ` by ${importedBy}`}
        </>
      );
    case "api_key":
      return name ? `by the API key ${name}` : "through the API";
    case "staff":
      return `by ${name ?? "staff"}`;
    case "operator":
      return "by an operator";
    case "page":
      return "through the sign-up page";
    case "person":
      if (through?.kind === "complaint") return "after they reported an email as spam";
      return type === "confirmed" ? "by themselves" : "by themselves, with the link in an email";
  }
}

/** Of merges by an earlier version. */
const mergeNotes: Partial<Record<ActivityType, string>> = {
  updated: "Merged with their other address, which no longer receives email",
  unsubscribed: "Merged into their other address",
  restored: "The merge was undone",
};

/** How it was done, and what that says, a sentence each. */
function notesOn({ type, address, through, mail, consent, evidence }: Activity): string[] {
  const notes: string[] = [];
  if (type === "confirmed" && mail) notes.push(`With the link in the email to ${mail.to}: “${mail.subject}”`);
  if (["asked", "welcomed", "link_asked", "address_asked"].includes(type) && mail?.subject)
    notes.push(`“${mail.subject}” to ${mail.to}`);
  if (through?.kind === "link")
    notes.push("With a copied confirmation link, so it is not their own confirmation");
  if (through?.kind === "bulk_action") notes.push("By a bulk action");
  const merged = through?.kind === "merge" && mergeNotes[type];
  if (merged) notes.push(merged);
  if (through?.kind === "suppression") notes.push("Because the address was suppressed");
  if (consent) notes.push(`Consent: ${consent.source}`);
  if (consent?.wording) notes.push(`Wording: “${consent.wording}”`);
  if (evidence) notes.push(...evidenceTexts(evidence));
  if (address) notes.push(`From ${address}`);
  return notes;
}

/** What changed, from what to what; a custom field's is called `fields.KEY`, and keeps its key once it is deleted. */
function wordsOn(name: string, [from, to]: [string, string], fields: Field[]): [string, string, string] {
  const field = fields.find(({ key }) => name === `fields.${key}`);
  if (!field) return [personFields[name as FieldName]?.word ?? (name === "tags" ? "Tags" : name), from, to];
  const text = (value: string) => value && fieldText(field, value);
  return [field.label, text(from), text(to)];
}

/** Each day's activities, in the order given. */
function byDay(
  activities: Activity[],
  dayName: (at: Date) => string,
): { day: string; activities: Activity[] }[] {
  const days: { day: string; activities: Activity[] }[] = [];
  for (const activity of activities) {
    const day = dayName(activity.at);
    if (days.at(-1)?.day === day) days.at(-1)?.activities.push(activity);
    else days.push({ day, activities: [activity] });
  }
  return days;
}

/** Activity to a person, by day, newest first. */
export function Timeline({ activities }: { activities: Activity[] }) {
  return byDay(activities, useDayName()).map((one) => (
    <Fragment key={one.activities[0]?.id}>
      <h3 className={styles.day}>{one.day}</h3>
      <Day activities={one.activities} />
    </Fragment>
  ));
}

function Day({ activities }: { activities: Activity[] }) {
  const { newsletterId } = useViewer();
  const { data: fields = [] } = api.fields.list.useQuery({ newsletterId });
  return (
    <ol className={styles.timeline}>
      {activities.map((activity) => {
        const { what, tone = "off" } = wordsFor(activity);
        const { id, mail, by: actor, changes, reason, until } = activity;
        return (
          <li key={id} style={{ "--tone": `var(--${tone})` } as CSSProperties}>
            {mail && !actor ? <Link href={`/n/${newsletterId}/mails?mail=${mail.id}`}>{what}</Link> : what}{" "}
            {by(activity, newsletterId)}
            <p>
              <ClockTime at={activity.at} />
            </p>
            {notesOn(activity).map((note) => (
              <p key={note}>{note}</p>
            ))}
            {reason && <p className={styles.reason}>{reason}</p>}
            {Object.entries(changes ?? {}).map(([name, change]) => {
              const [word, from, to] = wordsOn(name, change, fields);
              return (
                <p key={name}>
                  {word}:{" "}
                  {from !== "" && (
                    <>
                      <s>{from}</s> →{" "}
                    </>
                  )}
                  <b>{to || "none"}</b>
                </p>
              );
            })}
            {until && (
              <p>
                Next try <Time at={until} />.
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}
