// How the launcher speaks: a line per step, and what a program said only when it failed.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** A step that did not work. Its message is complete; it is printed without a stack. */
export class StepFailed extends Error {}

const PLAIN_TICK_MS = 10_000;

/**
 * Runs `work` under one line that shows that it moves: a counter of seconds on a terminal, elsewhere a
 * line every ten seconds.
 * @template T
 * @param {NodeJS.WriteStream} out
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(out, title, work) {
  const began = Date.now();
  const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`;
  const tty = out.isTTY && !process.env.CI;
  const show = (text, end) => out.write(tty ? `\r\x1b[2K${title} … ${text}${end}` : `${title} … ${text}\n`);
  if (tty) show("", "");
  else out.write(`${title} …\n`);
  const tick = setInterval(() => show(seconds(), ""), tty ? 1000 : PLAIN_TICK_MS);
  try {
    const result = await work();
    clearInterval(tick);
    if (tty || Date.now() - began >= PLAIN_TICK_MS) show(`done in ${seconds()}`, "\n");
    return result;
  } catch (error) {
    clearInterval(tick);
    show(`failed after ${seconds()}`, "\n");
    throw error;
  }
}

/**
 * Runs a Node script to its end, quietly. Throws StepFailed with everything it said when it fails.
 * @param {string[]} args the script (relative to the project or absolute) and its arguments
 * @param {{ mend: string, env?: Record<string, string> }} options `mend`: what to do when it fails
 */
export async function quietly(args, { mend, env = {} }) {
  let said = "";
  const code = await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new StepFailed(`${said.trimEnd()}\n\n${mend}`);
  return said;
}

/**
 * Runs a Node script with our terminal; resolves to its exit code (130 when a signal ended it).
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<number>}
 */
export function openly(args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: "inherit",
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 130));
  });
}
