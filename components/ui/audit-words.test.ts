import { createTranslator } from "use-intl/core";
import { expect, test } from "vitest";
import * as de from "../texts/de";
import * as en from "../texts/en";
import * as es from "../texts/es";
import * as fr from "../texts/fr";
import { textsInEnglish } from "../texts/in-english";
import { type AuditEntry, auditWords } from "./audit-words";

const entry = (
  action: string,
  detail: Record<string, unknown> | null = null,
  newsletter: string | null = null,
) => ({ action, detail, newsletter, by: { kind: "staff", name: "Anna" } }) as unknown as AuditEntry;

const { whoOf, wordsOf } = auditWords(textsInEnglish("ui.auditLog"), "en");

test.each<[string, Record<string, unknown> | null, string | null, string]>([
  ["people.unsubscribe", { people: 1204 }, "News", "unsubscribed 1,204 people"],
  ["people.move", { people: 1, to: "Other" }, "News", "moved 1 person from News to Other"],
  ["people.undone", { people: 2, kind: "confirm" }, "News", "cancelled confirmations to 2 people"],
  ["import.done", { people: 3, number: 4 }, "News", "added 3 people with Import #4"],
  [
    "import.done",
    { people: 3, number: 4, unsubscribed: 1 },
    "News",
    "added 3 people and 1 opt-out with Import #4",
  ],
  [
    "import.undone",
    { people: 1, number: 4, optOutsKept: 2 },
    "News",
    "undid Import #4: removed 1 person, kept 2 opt-outs as suppressions",
  ],
  ["newsletter.changed", null, null, "changed the settings of a newsletter"],
  [
    "newsletter.changed",
    {
      changed: ["name", "replyTo", "odd"],
      was: { name: "A", replyTo: "" },
      now: { name: "B", replyTo: "c@d.ef" },
    },
    "B",
    "changed the settings of B: name from “A” to “B”, replies to from nothing to “c@d.ef”, odd",
  ],
  [
    "newsletter.welcome_changed",
    { changed: ["welcomeOn"], on: true },
    "A",
    "turned the welcome email on for A",
  ],
  [
    "newsletter.welcome_changed",
    { changed: ["welcomeText"], on: true },
    "A",
    "changed the welcome email of A",
  ],
  [
    "newsletter.pending_changed",
    { reminder: true, days: null },
    "A",
    "changed the rules for pending people of A: one reminder, never removed",
  ],
  ["newsletter.sign_up_page_changed", { changed: ["title"] }, "A", "changed the sign-up page of A"],
  ["mails.resumed", { cancelled: 0 }, null, "resumed all emails"],
  [
    "suppression.removed",
    { reason: "manual", why: "a typo" },
    "A",
    "lifted a suppression (manual): “a typo”",
  ],
  [
    "staff.invitation_withdrawn",
    { email: "a@b.cd", role: "editor" },
    null,
    "withdrew the invitation of a@b.cd as editor",
  ],
  ["staff.joined", null, null, "joined the staff"],
  ["of.a_newer_version", null, null, "of.a_newer_version"],
])("%s of %j is described", (action, detail, newsletter, words) => {
  expect(wordsOf(entry(action, detail, newsletter))).toBe(words);
});

test("what has no name is called by its kind", () => {
  expect(whoOf({ by: { kind: "staff", name: null } } as AuditEntry)).toBe("Former staff member");
  expect(whoOf(entry("staff.joined"))).toBe("Anna");
});

const actions = Object.entries(en.ui.auditLog.actions).flatMap(([area, done]) =>
  Object.keys(done).map((name) => `${area}.${name}`),
);

test.each([
  ["en", en],
  ["de", de],
  ["fr", fr],
  ["es", es],
] as const)("every action has words in %s, also where an entry says little", (locale, messages) => {
  const problems: unknown[] = [];
  const t = createTranslator({
    ...{ locale, messages, namespace: "ui.auditLog" },
    onError: (error) => problems.push(error),
  });
  const { wordsOf } = auditWords(t, locale);
  for (const action of actions)
    for (const detail of [null, { people: 2, name: "N", email: "a@b.cd", role: "owner", changed: ["name"] }])
      expect(wordsOf(entry(action, detail))).not.toMatch(/[{}]|undefined|NaN|^ui\./);
  expect(problems).toEqual([]);
});
