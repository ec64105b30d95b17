import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { rssBytes } from "../../bench/process-stats";
import { isAlive, throwawayDataDir } from "../../server/test/throwaway-cluster";
import { until } from "../process/site";
import { isAcknowledged, startLoad } from "./load";
import { add, countRound, type GoesOn, most, playOn, type Tally } from "./tally";

type Play = (tally: Tally, random: () => number, goesOn: GoesOn) => Promise<void>;

const diskBytes = 220 * 2 ** 20;

/** Whether this machine lets a small disk be made in memory: Linux, as root. */
export const canMount = process.platform === "linux" && process.getuid?.() === 0 && tryMount();

function mount(folder: string): boolean {
  return spawnSync("mount", ["-t", "tmpfs", "-o", `size=${diskBytes}`, "tmpfs", folder]).status === 0;
}

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "rollcall-mount-"));
  const isMounted = mount(folder);
  if (isMounted) spawnSync("umount", [folder]);
  rmSync(folder, { recursive: true });
  return isMounted;
}

/** Takes what is free on the disk of `file`; as others write too, there may be less than was free a moment ago. */
function fillDisk(file: string): void {
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail === 0) return;
  try {
    appendFileSync(file, Buffer.alloc(bavail * bsize));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

/** The disk under DATA_DIR fills up while clients write, and is freed again. A new disk for each round: WAL would fill it. */
export const playFullDisk: Play = async (tally, _random, goesOn) => {
  do {
    await playOneFullDisk(tally);
  } while (goesOn());
};

async function playOneFullDisk(tally: Tally): Promise<void> {
  const disk = throwawayDataDir();
  mkdirSync(disk);
  if (!mount(disk)) throw new Error("The small disk could not be mounted.");
  const filler = join(disk, "filler");
  try {
    await playOn(tally, { database: "own", dataDir: join(disk, "data") }, async (site) => {
      const load = startLoad([site.first], site.key, { prefix: "disk", persistent: true });
      const full = () => load.writes.filter(({ answer }) => answer?.status === 503).length;
      // PostgreSQL frees space of its own as it goes, old WAL at a checkpoint: filled once, the disk may not stay full.
      const staysFull = (what: string, isOver: () => boolean) =>
        until(what, () => {
          fillDisk(filler);
          return isOver();
        });
      await staysFull("the full disk to show", () => full() > 50);
      const shownAt = performance.now();
      await staysFull("a second more", () => performance.now() > shownAt + 1_000);
      const health = await (await fetch(`${site.first.url}/api/health`)).json();
      if (health.status === "ok") tally.stranded.push("health says ok on a full disk");
      rmSync(filler);
      const freedAt = performance.now();
      const before = load.writes.length;
      await until("writes again", () => load.writes.slice(before).some(isAcknowledged), 90);
      tally.longestOutageMs = Math.max(tally.longestOutageMs, performance.now() - freedAt);
      await load.stop();
      add(tally, "answers 503", full());
      await countRound(tally, "the disk is full", site, load);
    });
  } finally {
    spawnSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}

/** The server at rest has 144 MB in use. */
const heapMb = 192;

/** Sixty-four clients at a process that may use little memory. */
export const playLittleMemory: Play = async (tally, _random, goesOn) => {
  const settings = { NODE_OPTIONS: `--max-old-space-size=${heapMb}` };
  await playOn(tally, { database: "own", settings }, async (site) => {
    do {
      const prefix = `memory${tally.rounds}`;
      const load = startLoad([site.first], site.key, { prefix, clients: 64, persistent: true });
      for (let i = 0; i < 20; i++) {
        await sleep(250);
        most(tally, "most resident memory, in MB", rssBytes(site.first.pid) / 1e6);
      }
      await load.stop();
      await countRound(tally, `a heap of ${heapMb} MB`, site, load);
    } while (goesOn());
    // One that has run out of memory ends with V8's words.
    if (!isAlive(site.first.pid))
      tally.stranded.push(`the server has ended: ${site.first.output().slice(-1_000)}`);
  });
};
