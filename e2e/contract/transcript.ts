import { createHash } from "node:crypto";
import { expect } from "vitest";

export interface Mount {
  name: "REST in front" | "Next";
  url: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The body as JSON, or undefined. Typed loosely on purpose: a test looks at what came, not at what should. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  json: any;
}

/** What a mount answered, by the promise that asked. */
const transcripts = new Map<Mount["name"], Map<string, string[]>>();

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const SECRET = /sk_[0-9A-Za-z]{20,}/g;
const CURSOR = /(?<=next_cursor":"|cursor=)[\w-]{22}|(?<="next":"|after=)[\w-]{60,}/g;
/** A person's own link, which is made of their id. */
const LINK = /(?<=\/unsubscribe\/)[\w-]{60,}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00/g;
/** About the connection, not the answer; or a time, an id or a count. */
const UNCOMPARED = new Set([
  "date",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "x-request-id",
]);
const NUMBERS = /^(ratelimit|retry-after|x-ratelimit-)/;

/** An answer without what may differ: ids, times, numbers of rate limits, and the connection's own headers. */
function essence({ status, headers, text }: Answer): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !UNCOMPARED.has(name))
    .map(([name, value]) => `${name}: ${NUMBERS.test(name) ? value.replace(/\d+/g, "N") : value}`)
    .sort();
  const body = text
    .replace(ID, "<id>")
    .replace(CURSOR, "<cursor>")
    .replace(LINK, "<link>")
    .replace(/http:\/\/localhost:\d+/g, "<instance>")
    .replace(TIME, "<time>")
    .replace(/"retry_after":\d+/, '"retry_after":N');
  return [status, ...lines, body].join("\n");
}

/** The running test's name, without the mount's. */
function promise(mount: Mount): string {
  return (expect.getState().currentTestName ?? "").replace(mount.name, "…");
}

const withoutSecrets = (text: string) => text.replace(SECRET, "<key>").replace(ID, "<id>");

/** Notes what is asked; call the result with the answer. */
export function note(mount: Mount, target: string, body: string | Uint8Array = ""): (answer: Answer) => void {
  const own = transcripts.get(mount.name) ?? new Map<string, string[]>();
  transcripts.set(mount.name, own);
  const name = promise(mount);
  const answers = own.get(name) ?? [];
  own.set(name, answers);
  const asked = typeof body === "string" ? withoutSecrets(body) : body;
  const digest = createHash("sha256").update(asked).digest("base64url");
  const question = `${withoutSecrets(target).replace(CURSOR, "<cursor>")} ${digest}`;
  return (answer) => answers.push(`${question}\n${essence(answer)}`);
}

/** Node's parser answers broken HTTP before any handler of ours: in our envelope on our own server only (see unparsed.ts). */
const wasParsed = (answer: string) => !/^raw .*\n(400|431)\n/.test(answer);

/** Takes what was noted under a mount's name: the next file of tests, in the same process, notes its own. */
function take({ name }: Mount): Map<string, string[]> {
  const taken = transcripts.get(name) ?? new Map<string, string[]>();
  transcripts.delete(name);
  return taken;
}

/** The promises that both mounts were asked to keep, with what each answered. Can be asked once. */
export function compare(one: Mount, other: Mount): { name: string; answers: [string[], string[]] }[] {
  const ofOther = take(other);
  return [...take(one)].flatMap(([name, answers]) => {
    const others = ofOther.get(name);
    // Sorted, since a promise may ask many things at once; each answer stands with its question.
    return others
      ? [
          {
            name,
            answers: [answers, others].map((all) => all.filter(wasParsed).sort()) as [string[], string[]],
          },
        ]
      : [];
  });
}

/** Fails with the first difference, which is easier to read than all of them. */
export function expectSame(compared: ReturnType<typeof compare>): void {
  expect(compared.length).toBeGreaterThan(0);
  for (const { name, answers } of compared) expect([name, answers[1]]).toEqual([name, answers[0]]);
}
