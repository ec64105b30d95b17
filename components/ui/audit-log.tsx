import { Button } from "@mantine/core";
import { useLocale, useTranslations } from "use-intl";
import type { AuditAction } from "@/server/accounts/schema/audit-actions";
import type { Language } from "@/server/kernel/languages";
import type { Catalogue } from "../texts/catalogue";
import type { Texts } from "../texts/texts";
import type { Outputs } from "../trpc";
import styles from "./kit.module.css";
import { Time } from "./time";

type Props = {
  entries: AuditEntry[];
  withAddress?: boolean;
  /** Adds an undo button to each undoable entry. */
  onUndo?(bulkAction: { id: string; newsletterId: string }): void;
};

/** Lists audit entries with actor, action, time and IP address. */
export function AuditLog({ entries, withAddress = false, onUndo }: Props) {
  const t = useTranslations("auditLog");
  const tVerbs = useTranslations("ui.verbs");
  const { whoOf, wordsOf } = useAuditWords();
  if (entries.length === 0) return <p className={styles.quiet}>{t("none")}</p>;
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
                {tVerbs("undo")}
              </Button>
            )}
            <span className={styles.quiet}>
              {withAddress && entry.address && `${entry.address} · `}
              <Time at={entry.at} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

export type AuditEntry = Outputs["account"]["auditLog"]["items"][number];
type AuditTexts = Texts<"auditLog">;
type AuditCatalogue = Catalogue["auditLog"];

/** The value that messages use for an absent value. */
const NONE = "none";

const text = (value: unknown) =>
  value === undefined || value === null || value === "" ? NONE : String(value);
const onOff = (isOn: unknown) => (typeof isOn === "boolean" ? (isOn ? "on" : "off") : "changed");

const changedOf = ({ detail }: AuditEntry): string[] =>
  Array.isArray(detail?.changed) ? detail.changed.map(String) : [];

/** Lists changed settings with old and new values. Long texts and older entries list only the names. */
function changesOf(entry: AuditEntry, t: AuditTexts, language: Language): string {
  const { was, now } = (entry.detail ?? {}) as Partial<Record<"was" | "now", Record<string, string>>>;
  const parts = changedOf(entry).map((name) => {
    const key = `changedSettings.${name as keyof AuditCatalogue["changedSettings"]}` as const;
    const setting = t.has(key) ? t(key) : name;
    if (was?.[name] === undefined || now?.[name] === undefined) return setting;
    return t("changedFromTo", { setting, was: text(was[name]), now: text(now[name]) });
  });
  return new Intl.ListFormat(language, { type: "unit" }).format(parts);
}

const texts = ["email", "role", "from", "to", "kind", "domain", "sender", "reason", "why", "failures"];
/** Numbers, with the value for entries without one. */
const numbers = {
  days: 0,
  people: 1,
  unsubscribed: 0,
  optOutsKept: 0,
  optOutsRemoved: 0,
  messages: 1,
  mails: 0,
  cancelled: 0,
  sessions: 1,
};

/** The values that a message may insert for an entry. */
function valuesOf(entry: AuditEntry, t: AuditTexts, language: Language) {
  const detail = entry.detail ?? {};
  const newsletter = entry.action.startsWith("newsletter.") ? entry.newsletter : null;
  const secret = detail.newWebhookSecret ? "newSecret" : "sender";
  return {
    ...Object.fromEntries(texts.map((name) => [name, text(detail[name])])),
    ...Object.fromEntries(
      Object.entries(numbers).map(([name, none]) => [name, Number(detail[name] ?? none)]),
    ),
    newsletter: text(entry.newsletter),
    name: String(detail.name ?? newsletter ?? "?"),
    member: text(detail.name),
    number: String(detail.number ?? "?"),
    changes: text(changesOf(entry, t, language)),
    welcome: changedOf(entry).includes("welcomeOn") ? onOff(Boolean(detail.on)) : "changed",
    signUpPage: onOff(detail.isOn),
    reminder: detail.reminder ? "yes" : "no",
    mailService: detail.newKey ? "newKey" : secret,
  };
}

/**
 * Describes an entry's actor, and its action in the past tense to follow the actor's name. An entry written by another
 * version may name what has no text.
 */
export const auditWords = (t: AuditTexts, language: Language) => ({
  whoOf({ by }: Pick<AuditEntry, "by">): string {
    const key = `actors.${by.kind as keyof AuditCatalogue["actors"]}` as const;
    return by.name ?? (t.has(key) ? t(key) : by.kind);
  },
  wordsOf(entry: AuditEntry): string {
    const key = `actions.${entry.action as AuditAction}` as const;
    return t.has(key) ? t(key, valuesOf(entry, t, language)) : entry.action;
  },
});

export function useAuditWords() {
  return auditWords(useTranslations("auditLog"), useLocale());
}
