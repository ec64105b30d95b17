import { Button } from "@mantine/core";
import type { AuditAction } from "@/server/contract/audit-actions";
import type { Outputs } from "../trpc";
import styles from "./kit.module.css";
import { addresses, counted, people } from "./numbers";
import { Time } from "./time";

export type AuditEntry = Outputs["account"]["auditLog"]["items"][number];
type Entry = AuditEntry;

const number = (entry: Entry) => people(Number(entry.detail?.people ?? 1));
const named = (entry: Entry) => (typeof entry.detail?.name === "string" ? ` ${entry.detail.name}` : "");

const paste = (entry: Entry) => `Import #${entry.detail?.number ?? "?"}`;

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
  sendDelaySeconds: "undo window of bulk emails",
  confirmSubject: "subject",
  confirmIntro: "text",
  confirmNextUrl: "page after confirming",
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
  "account.created": () => "created the account",
  "newsletter.created": (entry) => `created the newsletter ${entry.newsletter ?? ""}`,
  "newsletter.changed": (entry) =>
    `changed the settings of ${entry.newsletter ?? "a newsletter"}${changes(entry)}`,
  "newsletter.archived": (entry) => `archived the newsletter${named(entry)}`,
  "newsletter.deleted": (entry) => `deleted the newsletter${named(entry)}`,
  "newsletter.reopened": (entry) => `restored the newsletter${named(entry)}`,
  "newsletter.removed": (entry) =>
    `removed the newsletter${named(entry)} with its people, 30 days after it was deleted`,
  "newsletter.confirmation_changed": (entry) =>
    `changed the confirmation email of ${entry.newsletter ?? "a newsletter"}${changes(entry)}`,
  "newsletter.welcome_changed": ({ newsletter, detail }) => {
    const { changed } = { changed: [] as unknown[], ...detail };
    const switched = Array.isArray(changed) && changed.includes("welcomeOn");
    return `${switched ? `turned the welcome email ${detail?.on ? "on" : "off"} for` : "changed the welcome email of"} ${newsletter ?? "a newsletter"}`;
  },
  "newsletter.pending_changed": ({ newsletter, detail }) =>
    `changed the rules for pending people of ${newsletter ?? "a newsletter"}: ${detail?.reminder ? "one reminder" : "no reminder"}, ${detail?.days ? `removed after ${detail.days} days` : "never removed"}`,
  "newsletter.sign_up_page_changed": ({ newsletter, detail }) =>
    `${detail?.isOn === true ? "turned on" : detail?.isOn === false ? "turned off" : "changed"} the sign-up page of ${newsletter ?? "a newsletter"}`,
  "webhook.created": (entry) => `created the webhook to${named(entry)}`,
  "webhook.changed": (entry) => `changed the webhook to${named(entry)}`,
  "webhook.on": (entry) => `turned on the webhook to${named(entry)}`,
  "webhook.off": (entry) => `turned off the webhook to${named(entry)}`,
  "webhook.failed": (entry) => `turned off the webhook to${named(entry)} after three days of failures`,
  "webhook.rotated": (entry) => `created a new secret for the webhook to${named(entry)}`,
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
    return `requested ${mails === 1 ? "1 email" : `${mails.toLocaleString("en")} emails`} again`;
  },
  "mails.released": (entry) =>
    `released ${counted(Number(entry.detail?.mails ?? 0), "confirmation")}${entry.detail?.domain ? ` to ${entry.detail.domain}` : ""}`,
  "mails.taken_back": (entry) =>
    `cancelled ${counted(Number(entry.detail?.mails ?? 0), "email")} before they were sent`,
  "mails.paused": () => "paused all emails",
  "mails.resumed": ({ detail }) =>
    `resumed all emails${detail?.cancelled ? `, and cancelled ${counted(Number(detail.cancelled), "email")} of the backup` : ""}`,
  "mail.test": () => "requested a test email",
  "mail_service.set": ({ detail }) =>
    `${newMailService(detail)}; emails are sent as ${detail?.sender ?? "another sender"}`,
  "mail_service.removed": () => "removed the key of the email provider, so that no emails are sent",
  "api_key.created": (entry) => `created the key${named(entry)}`,
  "api_key.revoked": (entry) => `revoked the key${named(entry)}`,
  "api_key.rotated": (entry) => `rotated the key${named(entry)}`,
  "api_key.lockout_lifted": (entry) => `lifted the lockout of the key${named(entry)}`,
  "api_access.on": () => "turned on the API",
  "api_access.off": () => "turned off the API",
  "people.confirm": (entry) => `requested confirmations for ${number(entry)}`,
  "people.activate": (entry) => `made ${number(entry)} active`,
  "people.unsubscribe": (entry) => `unsubscribed ${number(entry)}`,
  "people.tag": (entry) => `added tags to ${number(entry)}`,
  "people.untag": (entry) => `removed tags from ${number(entry)}`,
  "people.set_field": (entry) => `set a field of ${number(entry)}`,
  "people.merge": (entry) => `merged ${number(entry)} listed twice`,
  "people.copy": (entry) => `copied ${number(entry)}${route(entry)}`,
  "people.move": (entry) => `moved ${number(entry)}${route(entry)}`,
  "people.undone": (entry) => {
    if (entry.detail?.kind === "copy") return `undid a copy${route(entry)}: ${number(entry)} removed`;
    return entry.detail?.kind === "confirm"
      ? `cancelled confirmations to ${number(entry)}`
      : `restored ${number(entry)}`;
  },
  "import.done": (entry) => `added ${addedWith(entry)} with ${paste(entry)}`,
  "import.cancelled": (entry) => `cancelled ${paste(entry)}`,
  "import.undone": (entry) => `undid ${paste(entry)}: removed ${number(entry)}${undoneOptOuts(entry)}`,
  "people.erase": (entry) => `erased ${number(entry)}`,
  "people.forget": (entry) => `erased and forgot ${number(entry)}`,
  "people.expired": (entry) => `removed ${number(entry)} who never confirmed`,
  "people.reminded": (entry) => `requested a reminder for ${number(entry)}`,
  "people.exported": (entry) => `exported ${number(entry)}`,
  "suppressions.added": (entry) => `suppressed ${addresses(Number(entry.detail?.people ?? 1))}`,
  "suppression.removed": ({ detail }) =>
    `lifted a suppression (${detail?.reason})${detail?.why ? `: “${detail.why}”` : ""}`,
  "subscriber.exported": () => "exported all data of a person",
  "subscriber.address_changed": () => "changed a person’s address",
  "subscriber.note_changed": () => "changed the note on a person",
  "people.link_read": () => "copied a confirmation link",
  "people.mail_allowed": () => "lifted the bounce of an address",
  "subscriber.denied": () => "said “this wasn't me” and was removed",
  "staff.signed_in": () => "signed in",
  "staff.signed_out": () => "signed out",
  "staff.sign_in_locked": ({ detail }) =>
    `failed to sign in ${detail?.failures ?? "many"} times, last as ${detail?.email ?? "an unknown address"}, and is locked out for a while`,
  "staff.sign_in_failures": ({ detail }) =>
    `typed ${detail?.failures ?? "several"} wrong passwords for ${detail?.name ?? "a staff member"}, and is locked out for a while`,
  "staff.new_device": () => "signed in on a new device",
  "staff.password_changed": () => "changed their password",
  "staff.renamed": ({ detail }) => `changed their name to ${detail?.name ?? "another name"}`,
  "staff.email_asked": ({ detail }) =>
    `asked to change their address to ${detail?.email ?? "another address"}`,
  "staff.email_changed": ({ detail }) =>
    `changed the address ${detail?.from ?? ""} to ${detail?.to ?? "another"}`,
  "staff.reset_mailed": ({ detail }) =>
    `requested an email to reset the password of ${detail?.name ?? "a staff member"}`,
  "staff.password_reset": ({ detail }) => `reset the password of ${detail?.name ?? "a staff member"}`,
  "staff.app_added": () => "set up an authenticator app",
  "staff.app_removed": () => "removed their authenticator app",
  "staff.recovery_codes_made": () => "created new recovery codes",
  "staff.passkey_added": () => "added a passkey",
  "staff.passkey_removed": () => "removed a passkey",
  "staff.factors_removed": ({ detail }) =>
    `removed the second factors of ${detail?.email ?? "a staff member"}`,
  "second_factor.required": () => "required two-factor authentication",
  "second_factor.optional": () => "made two-factor authentication optional",
  "staff.session_ended": ({ detail }) =>
    `signed out of ${counted(Number(detail?.sessions ?? 1), "other session")}`,
  "staff.invited": (entry) =>
    `invited ${entry.detail?.email ?? "a person"} as ${entry.detail?.role ?? "staff"}`,
  "staff.invited_again": (entry) => `renewed the invitation of ${entry.detail?.email ?? "a person"}`,
  "staff.invitation_withdrawn": ({ detail }) =>
    detail?.email ? `withdrew the invitation of ${detail.email} as ${detail.role}` : "withdrew an invitation",
  "staff.joined": ({ detail }) => `joined the staff${detail?.role ? ` as ${detail.role}` : ""}`,
  "staff.role": (entry) => `changed the role of a staff member to ${entry.detail?.to ?? "another role"}`,
  "staff.removed": (entry) => `removed ${entry.detail?.email ?? "a staff member"} from the staff`,
};

/** What an entry says of who did it. An entry of a newer version may have no words. */
export const whoOf = ({ by }: Pick<Entry, "by">) => by.name ?? actors[by.kind] ?? by.kind;
export const wordsOf = (entry: Entry) =>
  (words as Partial<Record<string, (entry: Entry) => string>>)[entry.action]?.(entry) ?? entry.action;

const actors: Record<string, string> = {
  staff: "Former staff member",
  key: "The API",
  operator: "The command line",
  link: "Someone with a link",
  visitor: "A visitor",
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
  if (entries.length === 0) return <p className={styles.quiet}>No activity yet</p>;
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
