// One launcher at a time installs, generates or builds.
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { programs, root, StepFailed } from "./steps.mjs";

const HEARTBEAT_MS = 1000;
const SILENT_FOR_MS = 60_000;

/**
 * Runs `work` while no other launcher of this checkout runs its own. The lock names this process and the
 * program that works for it now (a build outlives a launcher that was killed). It is taken over when both
 * are gone, or after a minute of silence (in a new container the pids may be anybody's).
 * @template T
 * @param {NodeJS.WriteStream} out
 * @param {() => Promise<T>} work
 */
export async function locked(out, work) {
  const lock = join(root, ".build", "lock");
  await acquire(out, lock);
  const note = (child) => writeFileSync(lock, `${process.pid} ${child}`);
  const heartbeat = setInterval(() => {
    try {
      utimesSync(lock, new Date(), new Date());
    } catch {
      // Somebody deleted .build: the build itself will say so.
    }
  }, HEARTBEAT_MS);
  heartbeat.unref();
  const release = () => {
    if (holderOf(lock)?.pid === process.pid) rmSync(lock, { force: true });
  };
  programs.on("started", note);
  process.once("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    programs.off("started", note);
    process.off("exit", release);
    release();
  }
}

async function acquire(out, lock) {
  const mine = `${lock}.${process.pid}`;
  let told = false;
  try {
    mkdirSync(join(lock, ".."), { recursive: true });
    writeFileSync(mine, String(process.pid));
  } catch (error) {
    throw new StepFailed(
      `${join(root, ".build")} can't be written (${error.code}). Nothing was changed. Start Rollcall as the user who ` +
        "owns this checkout, or hand it over: sudo chown -R USER .",
    );
  }
  try {
    for (;;) {
      try {
        linkSync(mine, lock); // atomic, unlike looking first
        return;
      } catch (error) {
        if (error.code !== "EEXIST") throw error;
      }
      const holder = holderOf(lock);
      if (holder && isStale(holder)) await takeAway(lock, holder.pid);
      else if (holder) {
        if (!told)
          out.write(
            `Another Rollcall (process ${holder.pid}) is installing or building here: waiting for it …\n`,
          );
        told = true;
        await sleep(200);
      }
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function holderOf(lock) {
  try {
    const [pid, child] = readFileSync(lock, "utf8").split(" ").map(Number);
    return { pid, child, silentMs: Date.now() - statSync(lock).mtimeMs };
  } catch {
    return undefined;
  }
}

function isStale({ pid, child, silentMs }) {
  return pid === process.pid || silentMs > SILENT_FOR_MS || !(isAlive(pid) || (child && isAlive(child)));
}

/** A zombie, which only waits to be reaped, counts as gone. */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === "ESRCH") return false;
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true; // no /proc here
  }
}

/** Two may find the same dead lock: the second must not take away the new lock of the first. */
async function takeAway(lock, pid) {
  const aside = `${lock}.stale-${process.pid}`;
  try {
    renameSync(lock, aside);
    if (holderOf(aside)?.pid !== pid) linkSync(aside, lock);
  } catch {
    await sleep(50);
  } finally {
    rmSync(aside, { force: true });
  }
}
