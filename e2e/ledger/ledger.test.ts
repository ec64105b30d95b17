import { expect, it } from "vitest";
import { seeded } from "../process/strangers";
import { playCrashes } from "./crashes";
import { playDatabaseKills } from "./databases";
import { playDeploys } from "./deploys";
import { playProviderFaults } from "./providers";
import { playSignUps } from "./sign-ups";
import { asItShouldBe, type Tally, tallyOf } from "./tally";

/** `npm run ledger -- --minutes 100`; without it each kind is played for as short a time as it takes once. */
const minutes = Number(process.env.LEDGER_MINUTES ?? 0);
const seed = Number(process.env.LEDGER_SEED ?? 20261122);

type Play = (tally: Tally, random: () => number, endsAt: number) => Promise<void>;

/** One kind of rounds, for its share of the minutes. */
function play(kind: string, share: number, played: string, rounds: Play): void {
  it(`${kind}: ${played}`, { timeout: 600_000 + minutes * 120_000 }, async () => {
    const tally = tallyOf(kind, played);
    const began = performance.now();
    await rounds(tally, seeded(seed), began + share * minutes * 60_000);
    tally.more.set("minutes", (performance.now() - began) / 60_000);
    expect({ breaches: tally.breaches, stranded: tally.stranded }).toEqual(asItShouldBe);
  });
}

play(
  "process killed",
  0.24,
  "killed at a named moment and started again on the same data, it has lost nothing, half done nothing and mailed everybody once",
  playCrashes,
);
play(
  "PostgreSQL killed",
  0.08,
  "killed under a server that lives, it answers again within 10 s and nothing is lost",
  playDatabaseKills,
);
play(
  "rolling deploys",
  0.08,
  "two processes behind a proxy that repeats nothing are rolled under load, and no request fails",
  playDeploys,
);
play(
  "provider faults",
  0.1,
  "the mail provider fails 30 % of all requests in twelve ways, and each pending person is mailed once",
  playProviderFaults,
);
play(
  "sign-ups beside an import",
  0.01,
  "five people sign up while an import's mails leave at two requests a second; each is mailed within 5 s",
  playSignUps,
);
