import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { sourceTexts } from "./source-texts";

const MOST_WORDS = 25;

/** Sentences without a named subject. "What does "x" mean?" is a question and allowed. */
const RIDDLE = /^[“"(]?(Who|Whom|Whoever|Nobody|Nothing|What|Whatever)\b/;

/** Retired words. */
const RETIRED =
  /\b(whoever|whomever|somebody|in vain|hence|thither|whence|gone for good|is gone|asks to come again|kept here|leaves? (at once|later|in a moment)|no e?mail leaves|(?:be|is|are) written to)\b/i;

/** Allowed texts by their beginning, with the reason. */
const ALLOWED: Record<string, string> = {
  "Nothing was":
    "the promise that a failed request, command or start left no trace; contract.md has these words",
};

const quoted = /“[^”]*”|"[^"]*"/g;

/** Returns what is wrong with a text for people; null when it is fine. */
function faultOf(text: string): string | null {
  for (const sentence of text.split(/(?<=[.!?:])\s+/)) {
    if (Object.keys(ALLOWED).some((start) => sentence.startsWith(start))) continue;
    if (RIDDLE.test(sentence) && !sentence.endsWith("?") && / /.test(sentence))
      return `no subject: ${sentence}`;
    const retired = RETIRED.exec(sentence.replace(quoted, ""));
    if (retired) return `retired "${retired[0]}": ${sentence}`;
    const words = sentence.replace(quoted, "x").match(/[\p{L}\p{N}][\p{L}\p{N}'’_.-]*/gu) ?? [];
    if (words.length > MOST_WORDS) return `${words.length} words: ${sentence}`;
  }
  return null;
}

/** Matches code, markup and patterns. */
const NO_TEXT =
  /SELECT |INSERT |UPDATE |DELETE FROM|CREATE |WHERE |COPY |TRUNCATE |LOCK |[{};]\s*$|^[a-z-]+:|\(\?|\\[bsdw]|<\/?[a-z]|^\(|redis\.call|\$\d|^[a-z0-9]+( [a-z0-9]+){12}/;

const looksLikeText = (text: string) => /[A-Za-z]{2,} [A-Za-z]/.test(text) && !NO_TEXT.test(text);

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "components", "app", "server"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file))
  .filter((file) => !/\.test\.|\/testing\/|^server\/test\/|\/generated\/|\.d\.ts$/.test(file))
  // Word lists in many languages, which are never shown.
  .filter((file) => !/list-parser\/(?!list-types)|familiar-names|mail-providers/.test(file));

/** Returns a message of the catalogue with its last plural form, and x for each value. */
function withoutArguments(message: string): string {
  const plain = message.replace(/<\/?\w+>/g, "").replace(/\{\w+\}|\{\w+, number\}|#/g, "x");
  const inner = plain.replace(/\{\w+, (?:plural|select),(?:[^{}]|\{[^{}]*\})*\{([^{}]*)\}\s*\}/g, "$1");
  return inner === plain ? plain : withoutArguments(inner);
}

describe("the check of texts", () => {
  it.each(["Who is erased is gone.", "Saved. Nobody is mailed.", "Somebody changed it."])(
    "rejects %s",
    (text) => expect(faultOf(text)).not.toBeNull(),
  );

  it.each(["Erased people can't be restored.", "What does this word mean?"])("accepts %s", (text) =>
    expect(faultOf(text)).toBeNull(),
  );
});

test("every text that people read is in plain English", () => {
  const faults = files
    .flatMap((file) => sourceTexts(file, "x"))
    .filter(({ text }) => looksLikeText(text))
    .flatMap(({ place, text }) => {
      const fault = faultOf(text);
      return fault === null ? [] : [`${place} ${fault}`];
    });
  expect(faults.join("\n")).toBe("");
});

test("every text of the dashboard's catalogue is in plain English", () => {
  const folder = "components/texts/en";
  const faults = readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) =>
      [...readFileSync(`${folder}/${file}`, "utf8").matchAll(/"([\w:]+)": ("(?:[^"\\]|\\.)*")/g)].map(
        ([, key, text]) => ({ key, text: JSON.parse(text as string) as string }),
      ),
    )
    .flatMap(({ key, text }) => {
      const fault = faultOf(withoutArguments(text));
      return fault === null ? [] : [`${key}: ${fault}`];
    });
  expect(faults.join("\n")).toBe("");
});

/** Returns the sentences of a Markdown text, without code, tables, link targets and emphasis. */
const sentencesOf = (markdown: string) =>
  markdown
    .replace(/^```[\s\S]*?^```$/gm, "")
    .replace(/^\|.*$/gm, "")
    .replace(/^#+ (.*)$/gm, "$1.")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`[^`]*`/g, "x")
    .replace(/\*\*/g, "")
    .split(/\n\s*\n|\n(?=\s*(?:-|\d+\.) )/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim());

test.each([
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "clients/js/README.md",
  "server/docs/manual.md",
  "server/docs/guides.md",
  "server/docs/operators.md",
])("%s is in plain English", (file) => {
  const faults = sentencesOf(readFileSync(file, "utf8")).flatMap((text) => faultOf(text) ?? []);
  expect(faults.join("\n")).toBe("");
});
