import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** A failed step. Its message is complete and printed without a stack. */
export class StepFailed extends Error {}

/**
 * Runs a program without output. Throws StepFailed with its output when it fails.
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
