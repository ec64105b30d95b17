// How the launcher speaks: a line per step, and what a program said only when it failed.
import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** A step that did not work. Its message is complete; it is printed without a stack. */
export class StepFailed extends Error {}

/** Says "started" with the pid of each program that works on the checkout: it may outlive a killed launcher. */
export const programs = new EventEmitter();

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
 * Runs a Node script to its end, quietly. Throws StepFailed with everything it said when it fails. A signal
 * to us ends it, and then us.
 * @param {string[]} args the script (relative to the project or absolute) and its arguments
 * @param {{ fix: string, env?: Record<string, string> }} options `fix`: what to do when it fails
 */
export async function quietly(args, { fix, env = {} }) {
  let said = "";
  const { code, interrupted } = await run(args, env, ["ignore", "pipe", "pipe"], true, (child) => {
    programs.emit("started", child.pid);
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  });
  if (interrupted) process.exit(130);
  if (code !== 0) throw new StepFailed(`${said.trimEnd()}\n\n${fix}`);
}

/**
 * Runs a Node script with our terminal; resolves to its exit code (130 when a signal ended it). A signal
 * to us goes on to it, and we outlive it.
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<number>}
 */
export async function openly(args, env = {}) {
  // Vitest colours what it writes into a file or a CI log, too.
  const plain = process.stdout.isTTY || process.env.FORCE_COLOR ? {} : { NO_COLOR: "1" };
  // From a terminal Ctrl-C reaches the child by itself: a second one would cut its tidying short.
  const { code } = await run(args, { ...plain, ...env }, "inherit", false);
  return code ?? 130;
}

/** @returns {Promise<{ code: number | null, interrupted: boolean }>} */
function run(args, env, stdio, passInterrupt, started = (_child) => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio });
    let interrupted = false;
    const pass = (signal) => {
      interrupted = true;
      if (signal === "SIGTERM" || passInterrupt) child.kill(signal);
    };
    const signals = ["SIGINT", "SIGTERM"];
    for (const signal of signals) process.on(signal, pass);
    const over = () => {
      for (const signal of signals) process.off(signal, pass);
    };
    child.on("error", (error) => {
      over();
      reject(error);
    });
    child.on("close", (code) => {
      over();
      resolve({ code, interrupted });
    });
    started(child);
  });
}
