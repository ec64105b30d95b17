import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import sentences from "../../components/texts/de/server.json";
import { serverSentencesReader, translateServerText } from "../../components/texts/server-sentences";
import { sourceTexts } from "./source-texts";

/** Files that make sentences for the dashboard. */
const SHOWN = [
  "server/{accounts,api-keys,bulk-actions,events,imports,mail,mail-log,newsletters,operations,work,sign-up,staff,subscribers,suppressions,trpc}/*.ts",
  "server/staff/sign-in/{auth-routes,password-guesses,password-hashing,recent-sign-in}.ts",
  "server/mail/delivery/reasons.ts",
  "server/api-keys/schema/new-key.ts",
  "server/bulk-actions/schema/bulk-changes.ts",
  "server/mail/schema/mail-wording.ts",
  "server/subscribers/schema/{filter,segments}.ts",
  "server/{newsletters/schema/settings,mail/schema/mail-service,subscribers/schema/pending-rules,staff/schema/staff,events/schema/webhooks,imports/schema/imports,sign-up/schema/sign-up-page}.ts",
  "server/kernel/{email,errors,name,title-and-password}.ts",
  "server/imports/list-parser/{list-types,address-fixes,attribute-cells}.ts",
  "components/{imports/reading,imports/files,sign-in}/*.ts",
];

/** Texts of the API and the command line only, and parts of sentences that are translated separately. */
const NOT_SHOWN = [
  /(changes|set-up|issues|webhook-delivery|cli)\.ts:\d+ (?!It answered|The secret)/,
  /planned over MCP|Ask staff to confirm it/,
  /sign-up-page\.ts:3\d /,
  /Unknown (newsletter|account|subscriber|segment|API key) id|Unknown result|GET \/api|`staff list`|Content-Length|on_duplicate=/,
  /This address is (in the request twice|already on the list\d)|It is also item|contains a zero byte/,
  /subscriber with this email address|be set to "unsubscribed"|Delete the subscriber instead/,
  /in it is not valid UTF-8|There are no encodings/,
  /No staff member has the address|must be (text|one of)\b|must be an? (?:object|array)|Permissions are|of \d \d already sent|external_id/,
];

test("every sentence of the server that the dashboard shows is translated", () => {
  const files = execFileSync(
    "git",
    ["ls-files", ...SHOWN.flatMap(expanded).map((path) => `:(glob)${path}`)],
    { encoding: "utf8" },
  )
    .trim()
    .split("\n");
  const all = serverSentencesReader(sentences, "de");
  const missing = files
    .filter((file) => !/\.test\.ts$|server\/mail\/messages\.ts$/.test(file))
    .flatMap((file) => sourceTexts(file, "3"))
    .filter(
      ({ text }) => /^[A-Z“].*[a-z] .*[.?]$/.test(text) && !/\b(SELECT|UPDATE|DELETE|INSERT)\b/.test(text),
    )
    .flatMap(({ place, text }) =>
      text.split(/(?<=[.?!])\s+(?=[\p{Lu}\d])/u).map((sentence) => ({ place, sentence })),
    )
    .filter(({ place, sentence }) => !NOT_SHOWN.some((one) => one.test(`${place} ${sentence}`)))
    .filter(({ sentence }) => translateServerText(sentence, all) === sentence);
  expect(missing.map(({ place, sentence }) => `${place} ${sentence}`).join("\n")).toBe("");
});

/** Expands `a/{b,c}.ts` to `a/b.ts` and `a/c.ts`. */
function expanded(pattern: string): string[] {
  const [, start = "", choices = "", end = ""] = /^(.*?)\{(.*?)\}(.*)$/.exec(pattern) ?? [];
  return choices === "" ? [pattern] : choices.split(",").flatMap((one) => expanded(start + one + end));
}
