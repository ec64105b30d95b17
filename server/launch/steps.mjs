import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** A step that did not work. Its message is complete; it is printed without a stack. */
export class StepFailed extends Error {}

/**
 * Runs a program to its end, quietly. Throws StepFailed with all its output when it fails.
 * @param {string[]} command
 * @param {{ fix: string, env?: Record<string, string> }} options `fix`: what to do when it fails
 */
export function quietly([program, ...args], { fix, env }) {
  const { status, signal, error, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (signal) process.exit(130);
  if (status !== 0) throw new StepFailed(`${error?.message ?? `${stdout}${stderr}`.trimEnd()}\n\n${fix}`);
}
