import { createTranslator } from "use-intl/core";
import { expect, test } from "vitest";
import * as de from "../texts/de";
import * as en from "../texts/en";
import * as es from "../texts/es";
import * as fr from "../texts/fr";
import { textsInEnglish } from "../texts/testing/in-english";
import { type AuditEntry, auditWords } from "./audit-log";

const entry = (
  action: string,
  detail: Record<string, unknown> | null = null,
  newsletter: string | null = null,
) => ({ action, detail, newsletter, by: { kind: "staff", name: "Anna" } }) as unknown as AuditEntry;

const { whoOf, wordsOf } = auditWords(textsInEnglish("auditLog"), "en");

test.each<[string, Record<string, unknown> | null, string]>([
  ["people.unsubscribe", { people: 1204 }, "unsubscribed 1,204 people"],
  [
    "import.undone",
    { people: 1, number: 4, optOutsKept: 2 },
    "undid Import #4: removed 1 person, kept 2 opt-outs as suppressions",
  ],
  ["newsletter.changed", null, "changed the settings of A"],
  [
    "newsletter.changed",
    {
      changed: ["name", "replyTo", "odd"],
      was: { name: "Z", replyTo: "" },
      now: { name: "A", replyTo: "x" },
    },
    "changed the settings of A: name from “Z” to “A”, reply address from nothing to “x”, odd",
  ],
  ["newsletter.welcome_changed", { changed: ["welcomeOn"], on: true }, "turned the welcome email on for A"],
  ["newsletter.welcome_changed", { changed: ["welcomeText"], on: true }, "changed the welcome email of A"],
  [
    "newsletter.pending_changed",
    { reminder: true, days: null },
    "changed the rules for pending people of A: one reminder, never removed",
  ],
  ["newsletter.sign_up_page_changed", { changed: ["title"] }, "changed the sign-up page of A"],
  ["of.a_newer_version", null, "of.a_newer_version"],
])("describes %s of %j", (action, detail, words) => {
  expect(wordsOf(entry(action, detail, "A"))).toBe(words);
});

test("names an actor without a name by its kind", () => {
  expect(whoOf({ by: { kind: "staff", name: null } } as AuditEntry)).toBe("Former staff member");
  expect(whoOf(entry("staff.joined"))).toBe("Anna");
});

const actions = Object.entries(en.auditLog.actions).flatMap(([area, done]) =>
  Object.keys(done).map((name) => `${area}.${name}`),
);

test.each([
  ["en", en],
  ["de", de],
  ["fr", fr],
  ["es", es],
] as const)("describes every action in %s, also without details", (locale, messages) => {
  const problems: unknown[] = [];
  const t = createTranslator({
    ...{ locale, messages, namespace: "auditLog" },
    onError: (error) => problems.push(error),
  });
  const { wordsOf } = auditWords(t, locale);
  for (const action of actions)
    for (const detail of [null, { people: 2, name: "N", email: "a@b.cd", role: "owner", changed: ["name"] }])
      expect(wordsOf(entry(action, detail))).not.toMatch(/[{}]|undefined|NaN|^ui\./);
  expect(problems).toEqual([]);
});
