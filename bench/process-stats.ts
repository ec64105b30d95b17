import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

// Linux shows these for each process in /proc. Without /proc or getconf they are NaN.

let ticksPerSecond: number | undefined;

function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

function readTicksPerSecond(): number {
  try {
    return Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "latin1" }));
  } catch {
    return Number.NaN;
  }
}

/** CPU time (user and system) that a process has used so far, in microseconds. */
export function cpuMicros(pid: number): number {
  // The second field is the name in brackets, which may contain spaces: counted from its end.
  const fields = textOf(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
  ticksPerSecond ??= readTicksPerSecond();
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
}

/** Begins a new peak for peakRssBytes, so that a measurement does not get the peak of an earlier one. */
export function resetPeakRss(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Not Linux, or not allowed: then the peak is that of the whole run.
  }
}

const memoryBytes = (pid: number, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(textOf(pid, "status"))?.[1]) * 1024;

/** The memory that a process has in use. */
export const rssBytes = (pid: number) => memoryBytes(pid, "VmRSS");

/** The most memory that a process had in use since its start or resetPeakRss. */
export const peakRssBytes = (pid: number) => memoryBytes(pid, "VmHWM");
