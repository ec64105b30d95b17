// Commands read and write passwords and keys through stdin and files. Every user of the machine can see arguments,
// which also stay in the shell's history.
import { rmSync, statSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { OperatorError } from "../kernel/errors";
import type { Options, VerbOption } from "./options";

const MOST_BYTES = 4096;

/** A verb with this option gets a password, typed or read from stdin. */
export const passwordOption: VerbOption = [
  "--password <password>",
  "not recommended: leave it out to be asked, or use - to read it from stdin",
];
export const keyFileOption: VerbOption = [
  "--key-file <file>",
  "writes the key to this file instead of the screen",
];

/**
 * Reads a password from `--password`, with a warning, or from stdin, if the option is missing or `-`. A terminal does
 * not show the password.
 * @throws OperatorError
 */
export async function readPassword({ password }: Options): Promise<string> {
  if (typeof password === "string" && password !== "-") {
    console.error(
      "Other users of this machine can see --password, and it stays in the shell's history. Leave it out and enter the password when asked, or pass it by stdin (< FILE).",
    );
    return password;
  }
  return process.stdin.isTTY ? askTwice() : withoutLineEnd(await readStdin(), "on stdin");
}

async function readStdin(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += chunk;
    if (text.length > MOST_BYTES) break;
  }
  return text;
}

function withoutLineEnd(text: string, place: string): string {
  const password = text.replace(/\r?\n$/, "");
  if (password === "") throw new OperatorError(`The password ${place} is empty. Nothing was changed.`);
  if (password.length > MOST_BYTES || /[\r\n]/.test(password))
    throw new OperatorError(`The password ${place} must be one line. Nothing was changed.`);
  return password;
}

async function askTwice(): Promise<string> {
  // The terminal shows readline's output, so this output discards everything.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  const cancelled = new AbortController();
  terminal.on("SIGINT", () => cancelled.abort());
  terminal.on("close", () => cancelled.abort());
  const ask = async (question: string) => {
    process.stderr.write(question);
    const typed = await terminal.question("", { signal: cancelled.signal }).catch(() => {
      throw new OperatorError("\nNothing was changed.");
    });
    process.stderr.write("\n");
    return typed;
  };
  try {
    const password = withoutLineEnd(await ask("Password (not shown): "), "you typed");
    if ((await ask("Repeat the password: ")) !== password)
      throw new OperatorError("The passwords do not match. Nothing was changed.");
    return password;
  } finally {
    terminal.close();
  }
}

/**
 * Creates the `--key-file` file, readable by this user only, before the key is made. So a failed write can't lose the
 * key.
 * @returns a function that removes the empty file if the command fails
 * @throws OperatorError when the file exists already or can't be written
 */
export function reserveKeyFile({ keyFile: file }: Options): () => void {
  if (typeof file !== "string") return () => {};
  try {
    writeFileSync(file, "", { mode: 0o600, flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      code === "EEXIST"
        ? `${file} already exists. Nothing was changed.`
        : `${file} can't be written (${message}). Nothing was changed.`,
    );
  }
  // The file holds the only copy of the key, so a written file stays even after a failure.
  return () => void (statSync(file).size === 0 && rmSync(file));
}

/** Outputs a new key once: writes it to the reserved file, or returns the line to print. */
export function outputKey<Key extends { secret: string }>(key: Key, { keyFile: file }: Options) {
  if (typeof file !== "string") return { shown: key, line: `${key.secret}   shown only once; keep it safe` };
  writeFileSync(file, `${key.secret}\n`);
  const { secret: _, ...rest } = key;
  return { shown: { ...rest, file }, line: `written to ${file}, readable by you only` };
}
