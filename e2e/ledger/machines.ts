import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, throwawayDataDir } from "../../server/test/throwaway-cluster";
import { mountOf, openSite, type Site, until } from "../process/site";
import { isAcknowledged, repeatUnacknowledged, startLoad } from "./load";
import { strandedMails } from "./outbox";
import { add, countRound, type GoesOn, most, type Tally } from "./tally";

type Play = (tally: Tally, random: () => number, goesOn: GoesOn) => Promise<void>;

const healthOf = async (site: Site & { first: { url: string } }) =>
  (await fetch(`${site.first.url}/api/health`)).json();

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

/** The disk under DATA_DIR fills up while clients write, and is freed again. */
export const playFullDisk: Play = async (tally, _random, goesOn) => {
  const disk = throwawayDataDir();
  mkdirSync(disk);
  if (!mount(disk)) throw new Error("The small disk could not be mounted.");
  const dataDir = join(disk, "data");
  try {
    const site = await openSite({ database: "own", dataDir });
    const filler = join(disk, "filler");
    try {
      do {
        const load = startLoad([mountOf(site.first)], site.key, {
          prefix: `disk${tally.rounds}`,
          persistent: true,
        });
        const full = () => load.writes.filter(({ answer }) => answer?.status === 503).length;
        // PostgreSQL frees space of its own as it goes, old WAL at a checkpoint: filled once, the disk may not stay full.
        const staysFull = (isOver: () => boolean) => () => {
          fillDisk(filler);
          return isOver();
        };
        await until(
          "the full disk to show",
          staysFull(() => full() > 50),
          120,
        );
        const shownAt = performance.now();
        await until(
          "a second more",
          staysFull(() => performance.now() > shownAt + 1_000),
        );
        if ((await healthOf(site)).status === "ok") tally.stranded.push("health says ok on a full disk");
        rmSync(filler);
        const freedAt = performance.now();
        const before = load.writes.length;
        await until("writes again", () => load.writes.slice(before).some(isAcknowledged), 90);
        tally.longestOutageMs = Math.max(tally.longestOutageMs, performance.now() - freedAt);
        await load.stop();
        add(tally, "answers 503", full());
        await countRound(tally, "the disk is full", site, load);
        tally.stranded.push(...(await repeatUnacknowledged(mountOf(site.first), site.key, load)).wrong);
      } while (goesOn());
      tally.stranded.push(...(await strandedMails(site)));
    } finally {
      await site.close();
    }
  } finally {
    spawnSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true, force: true });
  }
};

/** The resident memory of a process, in MB. */
export const residentMb = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) / 1024;

/** The server at rest has 144 MB in use. */
const heapMb = 192;

/** Sixty-four clients at a process that may use little memory. */
export const playLittleMemory: Play = async (tally, _random, goesOn) => {
  const settings = { NODE_OPTIONS: `--max-old-space-size=${heapMb}` };
  const site = await openSite({ database: "own", settings });
  try {
    do {
      const load = startLoad([mountOf(site.first)], site.key, {
        prefix: `memory${tally.rounds}`,
        clients: 64,
        persistent: true,
      });
      for (let i = 0; i < 20; i++) {
        await sleep(250);
        most(tally, "most resident memory, in MB", residentMb(site.first.pid));
      }
      await load.stop();
      await countRound(tally, `a heap of ${heapMb} MB`, site, load);
      tally.stranded.push(...(await repeatUnacknowledged(mountOf(site.first), site.key, load)).wrong);
    } while (goesOn());
    tally.stranded.push(...(await strandedMails(site)));
    // One that has run out of memory ends with V8's words.
    if (!isAlive(site.first.pid))
      tally.stranded.push(`the server has ended: ${site.first.output().slice(-1_000)}`);
  } finally {
    await site.close();
  }
};
