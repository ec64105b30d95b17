import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { afterAll, it } from "vitest";
import { describeMachine } from "../../bench/machine";
import { projectRoot } from "../../server/kernel/project-root";
import { seeded } from "../../server/test/seeded";
import { playCrashes } from "./crashes";
import { playDatabaseKills } from "./databases";
import { playDeploys } from "./deploys";
import * as machines from "./machines";
import { playProviderFaults } from "./providers";
import { asItShouldBe, type GoesOn, ledgerText, type Tally, tallyOf } from "./tally";

/** `npm run ledger` plays for 100 minutes, or for LEDGER_MINUTES; `npm run test:faults` plays each kind once. */
const minutes = Number(process.env.LEDGER_MINUTES ?? 0);
const seed = Number(process.env.LEDGER_SEED ?? 20261122);
const began = new Date();
const loadBefore = loadavg()[0] ?? 0;

type Kind = {
  kind: string;
  /** Of the minutes. */
  share: number;
  promise: string;
  play: (tally: Tally, random: () => number, goesOn: GoesOn) => Promise<void>;
  /** Rounds of a long run, also when its time is over before them. */
  least?: number;
  /** Missing on this machine. */
  lacks?: string | false;
  /** Its promise is a time, which others beside it would spoil. */
  timed?: boolean;
};

const kinds: Kind[] = [
  {
    kind: "PostgreSQL killed",
    share: 0.2,
    least: 100,
    promise: "after PostgreSQL is killed, the running server answers again within 10 s and loses nothing",
    play: playDatabaseKills,
    timed: true,
  },
  {
    kind: "rolling deploys",
    share: 0.2,
    least: 20,
    promise: "two processes behind a proxy without retries restart in turn under load, and no request fails",
    play: playDeploys,
    timed: true,
  },
  {
    kind: "process killed",
    share: 0.36,
    least: 200,
    promise:
      "a server killed at a named moment and started again loses nothing, leaves nothing half done and emails each person once",
    play: playCrashes,
  },
  {
    kind: "full disk",
    share: 0.02,
    promise:
      "the server answers 503 while the disk under DATA_DIR is full, loses nothing, and accepts writes once there is space",
    play: machines.playFullDisk,
    lacks: !machines.canMount && "the right to mount a small disk",
  },
  {
    kind: "little memory",
    share: 0.02,
    promise: "a process with a heap of 192 MB loses no write of 64 clients",
    play: machines.playLittleMemory,
  },
  {
    kind: "provider faults",
    share: 0.2,
    least: 600,
    promise:
      "each pending person is emailed once while the mail provider fails 30 % of all requests in twelve ways",
    play: playProviderFaults,
  },
];

for (const { kind, share, least = 0, promise, play, lacks, timed } of kinds) {
  if (lacks) console.log(`This machine lacks ${lacks}: the rounds "${kind}" are SKIPPED.`);
  // Most of a short run is waiting for leases to end.
  const options = { timeout: 900_000 + minutes * 120_000, concurrent: minutes === 0 && !timed };
  it.skipIf(Boolean(lacks))(`${kind}: ${promise}`, options, async ({ expect }) => {
    const tally = tallyOf(kind, promise);
    const startedAt = performance.now();
    const endsAt = startedAt + share * minutes * 60_000;
    const isLong = minutes >= 60;
    const goesOn: GoesOn = (underWay = 0) =>
      performance.now() < endsAt || (isLong && tally.rounds + underWay < least);
    await play(tally, seeded(seed), goesOn);
    tally.more.set("minutes", (performance.now() - startedAt) / 60_000);
    expect({ breaches: tally.breaches, stranded: tally.stranded }).toEqual(asItShouldBe);
  });
}

afterAll(() => {
  const file = process.env.LEDGER_FILE;
  if (!file) return;
  const notPlayed = kinds.flatMap(({ kind, lacks }) => (lacks ? `${kind} (no ${lacks})` : []));
  const about: [string, string][] = [
    ["Begun", `${began.toISOString()}, ended ${new Date().toISOString()}`],
    ...describeMachine(),
    ["Load before it began", loadBefore.toFixed(1)],
    ["Seed", String(seed)],
    ["Not played", notPlayed.join(", ") || "nothing"],
  ];
  writeFileSync(join(projectRoot(), file), ledgerText(about));
});
