import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

// Linux tells these of any process in /proc; elsewhere the bench runs without them.

let ticksPerSecond: number | undefined;

/** CPU time (user and system) that a process has used so far, in microseconds. */
export function cpuMicros(pid: number): number | undefined {
  try {
    // The second field is the name in brackets, which may hold spaces: count from its end.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    ticksPerSecond ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "latin1" }));
    return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
  } catch {
    return undefined;
  }
}

/** Begins a new peak for peakRssBytes, so that one measurement isn't told the peak of an earlier one. */
export function resetPeakRss(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Not Linux, or not allowed: then the peak is that of the whole run.
  }
}

/** The most memory that a process held at once since its start or resetPeakRss. */
export function peakRssBytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
