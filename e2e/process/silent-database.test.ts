import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Product } from "../../server/test/product";
import { type Answer, ask } from "../contract/client";
import { breachesOf, noBreaches, startLoad } from "../ledger/load";
import { familyOf } from "./pids";
import { mountOf, type Site, siteForTest, until } from "./site";

/** Rounds in `npm test`; FAULT_ROUNDS=30 plays more. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 1);

const UNCHANGED = /othing was changed/;
const UNKNOWN = /not known whether the change was saved; repeat the request with the same Idempotency-Key/;

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** A request of each kind that needs the database. */
async function openCallers(site: Site & { first: Product }) {
  const { url } = site.first;
  const json = (body: object, headers = {}) => ({
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", Origin: url, ...headers },
  });
  const owner = { email: "ada@lovelace.org", password: "correct horse battery" };
  const signIn = () => fetch(`${url}/api/auth/sign-in/email`, json(owner));
  const cookie = (await signIn()).headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ");
  await ask(mountOf(site.first), { key: site.key, json: { email: "ask@lovelace.org", status: "pending" } });
  const mailed = await until("a confirmation", () =>
    site.fake.mails.map(({ text }) => /\/confirm\/[\w-]{92}/.exec(text ?? "")?.[0]).find(Boolean),
  );
  const bearer = { headers: { Authorization: `Bearer ${site.key}` } };
  return {
    "a create": () =>
      fetch(`${url}/api/v1/subscribers`, json({ email: "late@lovelace.org" }, bearer.headers)),
    "a list": () => fetch(`${url}/api/v1/subscribers`, bearer),
    "the dashboard": () => fetch(`${url}/api/trpc/account.staff`, { headers: { cookie } }),
    "a change in the dashboard": () =>
      fetch(`${url}/api/trpc/account.apiAccess`, json({ json: { on: true } }, { cookie })),
    "a sign-in": signIn,
    "a mail's link": () => fetch(`${url}${mailed}`),
  };
}

type Callers = Awaited<ReturnType<typeof openCallers>>;

/** Sends all requests at once. @returns status, Retry-After, ms and text of each answer */
async function askAll(callers: Callers) {
  const asked = Object.entries(callers).map(async ([who, call]) => {
    const from = performance.now();
    const answer = await call();
    const text = await answer.text();
    return {
      who,
      status: answer.status,
      wait: answer.headers.get("retry-after"),
      text,
      ms: performance.now() - from,
    };
  });
  return Promise.all(asked);
}

describe("PostgreSQL that is stopped in the middle of statements", () => {
  it(`is reported soon and correctly to every caller, ${ROUNDS} times`, async (test) => {
    const site = await siteForTest(test, { database: "own" });
    const callers = await openCallers(site);
    const said: Answer[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const onAnswer = (answer: Answer) => answer.status === 503 && said.push(answer);
      const load = startLoad([mountOf(site.first)], site.key, { prefix: `silent${round}`, onAnswer });
      await until("load", () => load.writes.filter((one) => one.answer).length > 100 + 30 * round);
      const pids = familyOf(site.postgresPids()[0] as number);
      signal(pids, "SIGSTOP");
      try {
        // Every client has a write before a database that is silent already: what had its answer while the signals
        // were sent left none under way. After that no more: they would keep this process busy with answers at once.
        await sleep(100);
        const ending = load.stop();
        const waited = await askAll(callers);
        await ending;
        const refused = await askAll(callers);
        for (const { who, status, wait } of [...waited, ...refused])
          expect({ who, status, wait }).toEqual({ who, status: 503, wait: "2" });
        // 0.8 s and a few milliseconds on a quiet machine.
        for (const { who, ms } of [...waited, ...refused])
          expect({ who, slow: ms > 15_000 }).toEqual({ who, slow: false });
        for (const { who, text } of refused) expect(`${who}: ${text}`).toMatch(UNCHANGED);
      } finally {
        signal(pids, "SIGCONT");
      }
      await until("an answer", async () => (await callers["a list"]()).status === 200);
      // Earlier statements have ended by then.
      await sleep(1_000);
      expect(await breachesOf(site, load)).toEqual(noBreaches);
    }
    expect(said.filter(({ json }) => UNKNOWN.test(json.message)).length).toBeGreaterThan(0);
    const lines = site.first
      .output()
      .split("\n")
      .filter((line) => line.includes("service_unavailable"));
    expect(lines.filter((line) => line.length > 400).length).toBeLessThan(20);
  });
});
