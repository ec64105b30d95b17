import { execFileSync } from "node:child_process";
import { isAlive } from "../../server/test/throwaway-cluster";

type Running = { pid: number; parent: number; command: string };

/** Every process of this machine. */
function allProcesses(): Running[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,command="], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return lines.split("\n").flatMap((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid ? [{ pid: Number(pid), parent: Number(parent), command }] : [];
  });
}

export const childrenOf = (pid: number): number[] =>
  allProcesses().flatMap((one) => (one.parent === pid ? [one.pid] : []));

/** A process and all that descend from it. */
export function familyOf(pid: number): number[] {
  const all = allProcesses();
  const family = [pid];
  for (const member of family) family.push(...all.flatMap((one) => (one.parent === member ? [one.pid] : [])));
  return family;
}

/** Those of them that still run, with what they run, for a test to say. */
export function stillRunning(pids: number[]): string[] {
  const commands = new Map(allProcesses().map((one) => [one.pid, one.command]));
  return pids.filter(isAlive).map((pid) => `${pid} ${commands.get(pid) ?? ""}`);
}

export function kill9(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      // The one before may have taken it along.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
