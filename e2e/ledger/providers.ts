import { setTimeout as sleep } from "node:timers/promises";
import { ask, BULK } from "../contract/client";
import type { Fault } from "../fixtures/fake-resend";
import { until } from "../process/site";
import { add, countRound, type GoesOn, most, playOn, type Tally } from "./tally";

/** Together they strike 30 % of all requests. */
const faults: Fault[] = [
  { kind: "error" },
  { kind: "error", after: true },
  { kind: "error", status: 503 },
  { kind: "reset" },
  { kind: "reset", after: true },
  { kind: "garbage" },
  { kind: "garbage", after: true },
  { kind: "silence", ms: 25_000 },
  { kind: "silence", after: true, ms: 25_000 },
  { kind: "slow", ms: 2_000 },
  { kind: "rate", seconds: 1 },
  { kind: "daily", seconds: 2 },
].map((fault) => ({ ...(fault as Fault), share: 0.3 / 12 }));

const bulk = 100;
/** So many wait at most: the pace of the provider, 200 mails a second, decides how many there are. */
const waiting = 2_000;
const leastPeople = 600;

/** Adds pending people as fast as they are mailed, to a provider that fails in twelve ways. */
export async function playProviderFaults(tally: Tally, _random: () => number, goesOn: GoesOn): Promise<void> {
  await playOn(tally, { database: "own" }, async (site) => {
    site.fake.fault(...faults);
    let people = 0;
    while (people < leastPeople || goesOn()) {
      if (people - site.fake.mails.length > waiting) {
        await sleep(200);
        continue;
      }
      const json = Array.from({ length: bulk }, (_, i) => ({
        email: `p${people + i}@lovelace.org`,
        status: "pending",
      }));
      const { status } = await ask(site.first, { key: site.key, path: BULK, json });
      if (status !== 201) tally.breaches.strange.push(`a bulk was answered ${status}`);
      people += bulk;
      await countRound(tally, "a bulk of 100 pending people", site);
      tally.acknowledged++;
    }
    const began = performance.now();
    await until("the last mail", () => site.fake.mails.length >= people, 600);
    add(tally, "pending people", people);
    const { requests } = site.fake;
    add(tally, "requests to the provider", requests.length);
    const failed = requests.filter(({ status }) => status !== 200).length;
    add(tally, "of them not answered 200, in percent", (100 * failed) / requests.length);
    most(tally, "seconds from the last person to the last mail", (performance.now() - began) / 1000);
  });
}
