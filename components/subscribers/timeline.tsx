import Link from "next/link";
import { type CSSProperties, Fragment, type ReactNode } from "react";
import { useLocale, useTranslations } from "use-intl";
import type { StoredEvidence } from "@/server/imports/schema/imports";
import type { ActivityType } from "@/server/subscribers/schema/activities";
import { useViewer } from "../shell/viewer";
import { bold } from "../texts/bold";
import { fromServer } from "../texts/server-sentences";
import type { Texts } from "../texts/texts";
import type { Outputs } from "../trpc";
import { ClockTime, Time, useDateText, useDayName } from "../ui/time";
import { useFields, useFieldText } from "./attribute-text";
import { evidenceTexts } from "./evidence-text";
import styles from "./people.module.css";
import { fieldNames } from "./person-fields";

type Activity = Outputs["people"]["get"]["activities"][number];

type TimelineTexts = Texts<"people.timeline">;
type Tone = "active" | "pending" | "failed";
type Words = { what: string; tone?: Tone };

const tones: Partial<Record<ActivityType, Tone>> = {
  delayed: "pending",
  delivered: "active",
  bounced: "failed",
  complained: "failed",
  failed: "failed",
  uncertain: "failed",
  confirmed: "active",
};

/** Emails with words of their own for each event, by their text keys. */
const mailKinds: Record<string, string> = {
  reminder: "reminder",
  welcome: "welcome",
  preferences: "preferences",
  new_address: "newAddress",
};
/** States of a requested email that waits. */
const waits = ["waiting", "deferred", "sending"] as const;

/** Narrows a text to an entry of the list; undefined for any other text. */
const among = <T extends string>(list: readonly T[], one: string | undefined): T | undefined =>
  list.find((known) => known === one);

function mailWords({ type, mail }: Activity, t: TimelineTexts): string | null {
  const kind = mailKinds[mail?.kind ?? ""];
  // Not every email and not every event has its own words.
  const isKnown = kind && t.has(`${kind}.${type}` as "welcome.sent");
  return isKnown ? t(`${kind}.${type}` as "welcome.sent") : null;
}

/** The source or target of people that an earlier version copied or moved. */
function routeWords({ type, evidence }: Activity, t: TimelineTexts): string | null {
  const { copied, copiedTo } = evidence ?? {};
  if (copied) return t(copied.moved ? "movedFrom" : "copiedFrom", { newsletter: copied.newsletter });
  return copiedTo ? t(type === "copied" ? "copiedTo" : "copyUndone", { newsletter: copiedTo }) : null;
}

function wordsFor(activity: Activity, t: TimelineTexts): Words {
  const { type, status, mail, through } = activity;
  const route = routeWords(activity, t);
  if (route !== null) return { what: route };
  if (through?.kind === "pause")
    return status ? { what: t("backFromBreak"), tone: "active" } : { what: t("onBreak") };
  const moved = among(["active", "pending"] as const, status ?? undefined);
  if (moved) return { what: t(`status.${moved}`), tone: moved };
  if (type === "updated" && through?.kind === "merge") return { what: t("merged") };
  const wait = type === "asked" && among(waits, mail?.state);
  if (wait) return { what: t(`waits.${wait}`), tone: "pending" };
  return { what: mailWords(activity, t) ?? t(`event.${type}`), tone: tones[type] };
}

function withActor(activity: Activity, event: string, newsletterId: string, t: TimelineTexts): ReactNode {
  const { by: actor, type, through, importedBy: by } = activity;
  if (!actor) return event;
  const { kind, name, id } = actor;
  switch (kind) {
    case "import": {
      const known = name && id ? { import: fromServer(name), event } : null;
      const link = (chunks: ReactNode) => <Link href={`/n/${newsletterId}/imports/${id}`}>{chunks}</Link>;
      if (known)
        return by
          ? t.rich("by.importBy", { ...known, link, name: by })
          : t.rich("by.import", { ...known, link });
      return by ? t("by.unknownImportBy", { event, name: by }) : t("by.unknownImport", { event });
    }
    case "api_key":
      return name ? t("by.key", { event, name }) : t("by.api", { event });
    case "staff":
      return name ? t("by.staff", { event, name }) : t("by.unknownStaff", { event });
    case "operator":
      return t("by.operator", { event });
    case "page":
      return t("by.page", { event });
    case "person":
      if (through?.kind === "complaint") return t("by.complaint", { event });
      return type === "confirmed" ? t("by.themselves", { event }) : t("by.themselvesByLink", { event });
  }
}

/** Notes on merges by an earlier version. */
const mergeNotes = { updated: "merged", unsubscribed: "mergedAway", restored: "mergeUndone" } as const;
const mailed: ActivityType[] = ["asked", "welcomed", "link_asked", "address_asked"];

/** Notes on the activity, one sentence each: the way it happened, consent and evidence. */
function notesOn(
  { type, address, through, mail, consent, evidence }: Activity,
  t: TimelineTexts,
  evidenceOf: (evidence: StoredEvidence) => string[],
): string[] {
  const notes: string[] = [];
  if (type === "confirmed" && mail)
    notes.push(t("note.linkIn", { to: mail.to, subject: mail.subject ?? "" }));
  if (mailed.includes(type) && mail?.subject)
    notes.push(t("note.mail", { to: mail.to, subject: mail.subject }));
  if (through?.kind === "link") notes.push(t("note.copiedLink"));
  if (through?.kind === "bulk_action") notes.push(t("note.bulkAction"));
  const merge = through?.kind === "merge" && mergeNotes[type as keyof typeof mergeNotes];
  if (merge) notes.push(t(`note.${merge}`));
  if (through?.kind === "suppression") notes.push(t("note.suppressed"));
  if (consent) notes.push(t("note.consent", { source: consent.source }));
  if (consent?.wording) notes.push(t("note.wording", { wording: consent.wording }));
  if (evidence) notes.push(...evidenceOf(evidence));
  if (address) notes.push(t("note.address", { address }));
  return notes;
}

/** Describes changes with old and new values. A custom field is `fields.KEY`, and a deleted field keeps its key. */
function useChangeWords() {
  const t = useTranslations("people");
  const { fields } = useFields();
  const fieldText = useFieldText();
  const dateText = useDateText();
  return (name: string, [from, to]: [string, string]): { field: string; from: string; to: string } => {
    const field = fields.find(({ key }) => name === `fields.${key}`);
    if (!field) {
      const known = among([...fieldNames, "tags"] as const, name);
      const text = (value: string) => (known === "subscribed_at" ? dateText(new Date(value)) : value);
      return { field: known ? t(`field.${known}`) : name, from: text(from), to: text(to) };
    }
    const text = (value: string) => value && fieldText(field, value);
    return { field: field.label, from: text(from), to: text(to) };
  };
}

/** Groups activities by day, in the given order. */
function byDay(activities: Activity[], dayName: (at: Date) => string) {
  const days: { day: string; activities: Activity[] }[] = [];
  for (const activity of activities) {
    const day = dayName(activity.at);
    if (days.at(-1)?.day === day) days.at(-1)?.activities.push(activity);
    else days.push({ day, activities: [activity] });
  }
  return days;
}

/** A person's activities by day, newest first. */
export function Timeline({ activities }: { activities: Activity[] }) {
  return byDay(activities, useDayName()).map((one) => (
    <Fragment key={one.activities[0]?.id}>
      <h3 className={styles.day}>{one.day}</h3>
      <Day activities={one.activities} />
    </Fragment>
  ));
}

const struck = (chunks: ReactNode) => <s>{chunks}</s>;

function Day({ activities }: { activities: Activity[] }) {
  const { newsletterId } = useViewer();
  const t = useTranslations("people.timeline");
  const evidence = { t: useTranslations("people.evidence"), language: useLocale() };
  const changeWords = useChangeWords();
  return (
    <ol className={styles.timeline}>
      {activities.map((activity) => {
        const { what, tone = "off" } = wordsFor(activity, t);
        const { id, mail, by: actor, changes, reason, until } = activity;
        return (
          <li key={id} style={{ "--tone": `var(--${tone})` } as CSSProperties}>
            {mail && !actor ? (
              <Link href={`/n/${newsletterId}/mails?mail=${mail.id}`}>{what}</Link>
            ) : (
              withActor(activity, what, newsletterId, t)
            )}
            <p>
              <ClockTime at={activity.at} />
            </p>
            {notesOn(activity, t, (stored) => evidenceTexts(stored, evidence)).map((note) => (
              <p key={note}>{note}</p>
            ))}
            {reason && <p className={styles.reason}>{fromServer(reason)}</p>}
            {Object.entries(changes ?? {}).map(([name, change]) => {
              const { field, from, to } = changeWords(name, change);
              const values = { field, to: to || t("none"), b: bold, s: struck };
              return (
                <p key={name}>
                  {from === "" ? t.rich("changed", values) : t.rich("changedFrom", { ...values, from })}
                </p>
              );
            })}
            {until && <p>{t.rich("nextTry", { time: () => <Time at={until} /> })}</p>}
          </li>
        );
      })}
    </ol>
  );
}
