import { setTimeout as sleep } from "node:timers/promises";
import { kill9 } from "../process/pids";
import { until } from "../process/site";
import { isAcknowledged, startLoad } from "./load";
import { add, countRound, type GoesOn, most, playOn, type Tally } from "./tally";

const blowsPerLoad = 10;

/** Kills PostgreSQL under a running server repeatedly, while clients go on. */
export async function playDatabaseKills(tally: Tally, random: () => number, goesOn: GoesOn): Promise<void> {
  await playOn(tally, { database: "own" }, async (site) => {
    do {
      const load = startLoad([site.first], site.key, {
        prefix: `blow${tally.rounds}`,
        clients: 8,
        persistent: true,
      });
      let blows = 0;
      for (; blows < blowsPerLoad && (blows === 0 || goesOn(blows)); blows++) {
        await sleep(300 + random() * 700);
        const killed = site.postgresPids();
        const [postmaster = 0] = killed;
        // In half of the kills only the postmaster: its children then end by themselves.
        kill9(random() < 0.5 ? [postmaster] : killed);
        const before = load.writes.length;
        const struckAt = performance.now();
        await until(
          "a write after the outage",
          () => load.writes.slice(before).some((write) => isAcknowledged(write)),
          60,
        );
        const outageMs = performance.now() - struckAt;
        tally.longestOutageMs = Math.max(tally.longestOutageMs, outageMs);
        if (outageMs > 10_000) tally.stranded.push(`blow ${tally.rounds + blows}: away for ${outageMs} ms`);
        add(tally, "sum of outages, in seconds", outageMs / 1000);
        const waits = load.writes.slice(before).filter(({ answer }) => answer?.status === 503);
        add(tally, "answers 503", waits.length);
        add(
          tally,
          "of them 503 without Retry-After",
          waits.filter(({ answer }) => !answer?.headers["retry-after"]).length,
        );
      }
      await load.stop();
      // A write whose answer was under way when PostgreSQL was killed is no sign that it is back.
      const isBack = () =>
        site.sql("SELECT 1").then(
          () => true,
          () => false,
        );
      await until("PostgreSQL to be back", isBack, 60);
      for (let i = 1; i < blows; i++) await countRound(tally, "PostgreSQL is killed", site);
      await countRound(tally, "PostgreSQL is killed", site, load);
      most(tally, "most processes of PostgreSQL left", site.postgresPids().length);
    } while (goesOn());
  });
}
