// How the launcher reports: a line per step, and a program's own output only when it failed.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** A step that did not work. Its message is complete; it is printed without a stack. */
export class StepFailed extends Error {}

const TICK_MS = 10_000;

/**
 * Runs `work` under a line of its own, and another every ten seconds, so that it is seen to go on.
 * @param {{ write(text: string): unknown }} out
 * @param {string} title
 * @param {() => Promise<void>} work
 */
export async function step(out, title, work) {
  const began = Date.now();
  const show = (text) => out.write(`${title} … ${text}\n`.replace(" \n", "\n"));
  const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`;
  show("");
  const tick = setInterval(() => show(seconds()), TICK_MS);
  try {
    await work();
    if (Date.now() - began >= TICK_MS) show(`done in ${seconds()}`);
  } catch (error) {
    show(`failed after ${seconds()}`);
    throw error;
  } finally {
    clearInterval(tick);
  }
}

/**
 * Runs a program to its end, quietly. Throws StepFailed with all its output when it fails. A signal to us ends it, and
 * then us.
 * @param {string[]} command
 * @param {{ fix: string, env?: Record<string, string> }} options `fix`: what to do when it fails
 */
export async function quietly([program, ...args], { fix, env = {} }) {
  let output = "";
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const { code, interrupted } = await ended(child, (signal) => child.kill(signal));
  if (interrupted) process.exit(130);
  if (code !== 0) throw new StepFailed(`${output.trimEnd()}\n\n${fix}`);
}

/**
 * Runs a Node script that writes to `out`; resolves to its exit code (130 when a signal ended it). A signal
 * to us goes on to it, and we outlive it.
 * @param {string[]} args
 * @param {{ write(text: string): unknown }} out
 * @param {Record<string, string>} [env]
 * @returns {Promise<number>}
 */
export async function openly(args, out, env = {}) {
  // Vitest colours what it writes into a file or a CI log, too; through a pipe neither it nor Playwright sees a terminal.
  const colors = process.stdout.isTTY || process.env.FORCE_COLOR ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" };
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...colors, ...env },
    stdio: ["inherit", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text) => out.write(text));
  }
  // From a terminal Ctrl-C reaches the child by itself: a second one would cut its tidying short.
  const { code } = await ended(child, (signal) => signal === "SIGTERM" && child.kill(signal));
  return code ?? 130;
}

/** @returns {Promise<{ code: number | null, interrupted: boolean }>} */
async function ended(child, onSignal) {
  let interrupted = false;
  const pass = (signal) => {
    interrupted = true;
    onSignal(signal);
  };
  const signals = ["SIGINT", "SIGTERM"];
  for (const signal of signals) process.on(signal, pass);
  try {
    const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
    return { code, interrupted };
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}
