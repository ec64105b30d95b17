import { Button } from "@mantine/core";
import type { AuditAction } from "@/server/contract/audit-actions";
import type { Outputs } from "../trpc";
import styles from "./kit.module.css";
import { addresses, counted, people } from "./numbers";
import { Time } from "./time";

export type AuditEntry = Outputs["account"]["auditLog"][number];
type Entry = AuditEntry;

const number = (entry: Entry) => people(Number(entry.detail?.people ?? 1));
const named = (entry: Entry) => (typeof entry.detail?.name === "string" ? ` ${entry.detail.name}` : "");

const paste = (entry: Entry) => `Paste #${entry.detail?.number ?? "?"}`;

/** Where an earlier version copied people; each of the two newsletters has an entry, which names the other one. */
const route = ({ detail, newsletter }: Entry) =>
  ` from ${detail?.from ?? newsletter} to ${detail?.to ?? newsletter}`;

const messages = (entry: Entry) => counted(Number(entry.detail?.messages ?? 1), "message");

const addedWith = (entry: Entry) => {
  const unsubscribed = Number(entry.detail?.unsubscribed ?? 0);
  return unsubscribed > 0 ? `${number(entry)} and ${counted(unsubscribed, "opt-out")}` : number(entry);
};

const undoneOptOuts = ({ detail }: Entry) => {
  if (detail?.optOutsKept) return `, kept ${counted(Number(detail.optOutsKept), "opt-out")} as suppressions`;
  return detail?.optOutsRemoved ? ` and ${counted(Number(detail.optOutsRemoved), "opt-out")}` : "";
};

/** Settings by what staff call them. */
const settingNames: Record<string, string> = {
  name: "name",
  sender: "sender",
  replyTo: "replies to",
  language: "language",
  timeZone: "time zone",
  domainMailsPerDay: "confirmations a day to one domain",
  mailsPerDay: "confirmations a day",
  sendDelaySeconds: "seconds before mails leave",
  confirmSubject: "subject",
  confirmIntro: "text",
  confirmNextUrl: "page after the confirmation",
};

/** What was changed, from what to what; of long texts and older entries only that it was. */
function changes({ detail }: Entry): string {
  const { changed, was, now } = (detail ?? {}) as Partial<{
    changed: string[];
    was: Record<string, string>;
    now: Record<string, string>;
  }>;
  const quoted = (text: string | undefined) => (text ? `“${text}”` : "nothing");
  const parts = (Array.isArray(changed) ? changed : []).map((name) => {
    const title = settingNames[name] ?? name;
    const isKnown = was?.[name] !== undefined && now?.[name] !== undefined;
    return isKnown ? `${title} from ${quoted(was[name])} to ${quoted(now[name])}` : title;
  });
  return parts.length > 0 ? `: ${parts.join(", ")}` : "";
}

/** What was done, in the past tense, to follow a name. */
function newMailService(detail: Entry["detail"]): string {
  if (detail?.newKey) return "set a new key for the email provider";
  return detail?.newWebhookSecret ? "set the signing secret of the provider’s webhook" : "changed the sender";
}

const words: Record<AuditAction, (entry: Entry) => string> = {
  "account.created": () => "made the account",
  "newsletter.created": (entry) => `made the newsletter ${entry.newsletter ?? ""}`,
  "newsletter.changed": (entry) =>
    `changed the settings of ${entry.newsletter ?? "a newsletter"}${changes(entry)}`,
  "newsletter.archived": (entry) => `archived the newsletter${named(entry)}`,
  "newsletter.deleted": (entry) => `deleted the newsletter${named(entry)}`,
  "newsletter.reopened": (entry) => `brought the newsletter${named(entry)} back`,
  "newsletter.removed": (entry) =>
    `removed the newsletter${named(entry)} with its people, 30 days after it was deleted`,
  "newsletter.confirmation_changed": (entry) =>
    `changed the confirmation mail of ${entry.newsletter ?? "a newsletter"}${changes(entry)}`,
  "newsletter.welcome_changed": ({ newsletter, detail }) => {
    const { changed } = { changed: [] as unknown[], ...detail };
    const switched = Array.isArray(changed) && changed.includes("welcomeOn");
    return `${switched ? `switched the welcome mail ${detail?.on ? "on" : "off"} for` : "changed the welcome mail of"} ${newsletter ?? "a newsletter"}`;
  },
  "newsletter.pending_changed": ({ newsletter, detail }) =>
    `decided for pending people of ${newsletter ?? "a newsletter"}: ${detail?.reminder ? "one reminder" : "no reminder"}, ${detail?.days ? `removed after ${detail.days} days` : "never removed"}`,
  "newsletter.sign_up_page_changed": ({ newsletter, detail }) =>
    `${detail?.isOn === true ? "switched on" : detail?.isOn === false ? "switched off" : "changed"} the sign-up page of ${newsletter ?? "a newsletter"}`,
  "webhook.created": (entry) => `made the webhook to${named(entry)}`,
  "webhook.changed": (entry) => `changed the webhook to${named(entry)}`,
  "webhook.on": (entry) => `switched the webhook to${named(entry)} on`,
  "webhook.off": (entry) => `switched the webhook to${named(entry)} off`,
  "webhook.failed": (entry) => `switched the webhook to${named(entry)} off, which failed for too long`,
  "webhook.rotated": (entry) => `made a new secret for the webhook to${named(entry)}`,
  "webhook.removed": (entry) => `removed the webhook to${named(entry)}`,
  "webhook.repeated": (entry) => `sent ${messages(entry)} to${named(entry)} again`,
  "webhook.skipped": (entry) => `skipped ${messages(entry)} to${named(entry)}`,
  "field.created": ({ detail }) => `defined the field ${detail?.name ?? ""}`,
  "field.changed": ({ detail }) => `changed the field ${detail?.name ?? ""}`,
  "field.deleted": ({ detail }) => `deleted the field ${detail?.name ?? ""}`,
  "segment.created": ({ detail }) => `saved the segment ${detail?.name ?? ""}`,
  "segment.changed": ({ detail }) => `changed the segment ${detail?.name ?? ""}`,
  "segment.deleted": ({ detail }) => `deleted the segment ${detail?.name ?? ""}`,
  "mails.retried": (entry) => {
    const mails = Number(entry.detail?.mails ?? 0);
    return `asked for ${mails === 1 ? "1 mail" : `${mails.toLocaleString("en")} mails`} again`;
  },
  "mails.released": (entry) =>
    `released ${counted(Number(entry.detail?.mails ?? 0), "confirmation")}${entry.detail?.domain ? ` to ${entry.detail.domain}` : ""}`,
  "mails.taken_back": (entry) =>
    `cancelled ${counted(Number(entry.detail?.mails ?? 0), "mail")} before they left`,
  "mails.paused": () => "paused all mails",
  "mails.resumed": ({ detail }) =>
    `let mails leave again${detail?.cancelled ? `, and cancelled ${counted(Number(detail.cancelled), "mail")} of the backup` : ""}`,
  "mail.test": () => "asked for a test mail",
  "mail_service.set": ({ detail }) =>
    `${newMailService(detail)}; emails are sent as ${detail?.sender ?? "another sender"}`,
  "mail_service.removed": () => "removed the key of the email provider, so that no emails are sent",
  "api_key.created": (entry) => `made the key${named(entry)}`,
  "api_key.revoked": (entry) => `revoked the key${named(entry)}`,
  "api_key.rotated": (entry) => `rotated the key${named(entry)}`,
  "api_key.lockout_lifted": (entry) => `lifted the lockout of the key${named(entry)}`,
  "api_access.on": () => "switched the API on",
  "api_access.off": () => "switched the API off",
  "people.confirm": (entry) => `asked for confirmations to ${number(entry)}`,
  "people.activate": (entry) => `made ${number(entry)} active`,
  "people.unsubscribe": (entry) => `unsubscribed ${number(entry)}`,
  "people.tag": (entry) => `added tags to ${number(entry)}`,
  "people.untag": (entry) => `removed tags from ${number(entry)}`,
  "people.set_field": (entry) => `set a field of ${number(entry)}`,
  "people.merge": (entry) => `merged ${number(entry)} who were listed twice`,
  "people.copy": (entry) => `copied ${number(entry)}${route(entry)}`,
  "people.move": (entry) => `moved ${number(entry)}${route(entry)}`,
  "people.undone": (entry) => {
    if (entry.detail?.kind === "copy") return `undid a copy${route(entry)}: ${number(entry)} removed`;
    return entry.detail?.kind === "confirm"
      ? `cancelled confirmations to ${number(entry)}`
      : `put ${number(entry)} back as before`;
  },
  "import.done": (entry) => `added ${addedWith(entry)} with ${paste(entry)}`,
  "import.cancelled": (entry) => `cancelled ${paste(entry)}`,
  "import.undone": (entry) => `undid ${paste(entry)}: removed ${number(entry)}${undoneOptOuts(entry)}`,
  "people.erase": (entry) => `erased ${number(entry)}`,
  "people.forget": (entry) => `erased and forgot ${number(entry)}`,
  "people.expired": (entry) => `removed ${number(entry)} who were asked to confirm and never answered`,
  "people.reminded": (entry) => `reminded ${number(entry)} who were asked to confirm`,
  "people.exported": (entry) => `exported ${number(entry)}`,
  "suppressions.added": (entry) => `suppressed ${addresses(Number(entry.detail?.people ?? 1))}`,
  "suppression.removed": ({ detail }) =>
    `let an address be written to again (${detail?.reason})${detail?.why ? `: “${detail.why}”` : ""}`,
  "subscriber.exported": () => "exported all that is kept about a person",
  "subscriber.address_changed": () => "changed a person’s address",
  "subscriber.note_changed": () => "changed the note on a person",
  "people.link_read": () => "copied a confirmation link that was not mailed",
  "people.mail_allowed": () => "let an address be written to again that had bounced",
  "subscriber.denied": () => "said “this wasn't me” and was removed",
  "staff.signed_in": () => "signed in",
  "staff.signed_out": () => "signed out",
  "staff.sign_in_locked": ({ detail }) =>
    `failed to sign in ${detail?.failures ?? "many"} times, last as ${detail?.email ?? "nobody"}, and has to wait`,
  "staff.sign_in_failures": ({ detail }) =>
    `typed ${detail?.failures ?? "several"} wrong passwords for ${detail?.name ?? "a staff member"}, and has to wait`,
  "staff.new_device": () => "signed in on a new device",
  "staff.password_changed": () => "changed their password",
  "staff.renamed": ({ detail }) => `is called ${detail?.name ?? "something else"} from now on`,
  "staff.email_asked": ({ detail }) => `wants to sign in as ${detail?.email ?? "somebody else"}`,
  "staff.email_changed": ({ detail }) =>
    `changed the address ${detail?.from ?? ""} to ${detail?.to ?? "another"}`,
  "staff.reset_mailed": ({ detail }) =>
    `asked for a mail to reset the password of ${detail?.name ?? "a staff member"}`,
  "staff.password_reset": ({ detail }) => `reset the password of ${detail?.name ?? "a staff member"}`,
  "staff.app_added": () => "set up an authenticator app",
  "staff.app_removed": () => "removed their authenticator app",
  "staff.recovery_codes_made": () => "made new recovery codes",
  "staff.passkey_added": () => "added a passkey",
  "staff.passkey_removed": () => "removed a passkey",
  "staff.factors_removed": ({ detail }) =>
    `removed the second factors of ${detail?.email ?? "a staff member"}`,
  "second_factor.required": () => "made a second factor obligatory",
  "second_factor.optional": () => "made the second factor optional",
  "staff.session_ended": ({ detail }) =>
    `signed themselves out of ${counted(Number(detail?.sessions ?? 1), "other session")}`,
  "staff.invited": (entry) =>
    `invited ${entry.detail?.email ?? "somebody"} as ${entry.detail?.role ?? "staff"}`,
  "staff.invited_again": (entry) => `renewed the invitation of ${entry.detail?.email ?? "somebody"}`,
  "staff.invitation_withdrawn": ({ detail }) =>
    detail?.email ? `withdrew the invitation of ${detail.email} as ${detail.role}` : "withdrew an invitation",
  "staff.joined": ({ detail }) => `joined the staff${detail?.role ? ` as ${detail.role}` : ""}`,
  "staff.role": (entry) => `made a staff member ${entry.detail?.to ?? "something else"}`,
  "staff.removed": (entry) => `removed ${entry.detail?.email ?? "a staff member"} from the staff`,
};

/** What an entry says of who did it. An entry of a newer version may have no words. */
export const whoOf = ({ by }: Pick<Entry, "by">) => by.name ?? actors[by.kind] ?? by.kind;
export const wordsOf = (entry: Entry) =>
  (words as Partial<Record<string, (entry: Entry) => string>>)[entry.action]?.(entry) ?? entry.action;

const actors: Record<string, string> = {
  staff: "Somebody who is gone",
  key: "The API",
  operator: "The command line",
  link: "Somebody with a link",
  visitor: "Somebody",
  system: "Rollcall",
};

type Props = {
  entries: Entry[];
  withAddress?: boolean;
  /** Offered beside what can be undone. */
  onUndo?(bulkAction: { id: string; newsletterId: string }): void;
};

/** What staff and others did: who, what, when and from where. */
export function AuditLog({ entries, withAddress = false, onUndo }: Props) {
  if (entries.length === 0) return <p className={styles.quiet}>Nothing has happened yet.</p>;
  return (
    <ul className={styles.rows}>
      {entries.map((entry) => {
        const { id, undoIn } = entry;
        return (
          <li key={id}>
            <span className={styles.entry}>
              <b>{whoOf(entry)}</b> {wordsOf(entry)}
            </span>
            {onUndo && undoIn && (
              <Button
                variant="default"
                size="compact-xs"
                onClick={() => onUndo({ id, newsletterId: undoIn })}
              >
                Undo
              </Button>
            )}
            {withAddress && <span className={styles.quiet}>{entry.address}</span>}
            <span className={styles.quiet}>
              <Time at={entry.at} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
