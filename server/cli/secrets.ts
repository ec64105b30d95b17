// Passwords and keys of commands come and go through stdin and files: arguments are seen by every user of the machine, and
// stay in the shell's history.
import { rmSync, statSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { OperatorError } from "../kernel/operator-error";
import { type Options, readGiven } from "./options";

const MOST_BYTES = 4096;

/**
 * A password from `--password-file FILE`, from stdin (`--password -`, or neither option; typed without being shown where
 * stdin is a terminal), or from `--password`, which warns.
 * @throws OperatorError
 */
export async function readPassword({ password, passwordFile: file }: Options): Promise<string> {
  if (password !== undefined && file !== undefined)
    throw new OperatorError("Use either --password or --password-file. Nothing was changed.");
  if (typeof password === "string" && password !== "-") {
    console.error(
      "Other users of this machine can see --password, and it stays in the shell's history. Leave it out to be asked, or use --password-file FILE.",
    );
    return password;
  }
  if (typeof file === "string" && file !== "-")
    return withoutLineEnd(readGiven(file).toString("utf8"), `in ${file}`);
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
  // The terminal shows what readline writes, and this writes nothing.
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
 * Makes the file of `--key-file`, for this user alone, before there is a key to lose.
 * @returns what removes it again, should the command fail
 * @throws OperatorError when there is such a file already, or it can't be written
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
  // A key that was written is the only one of it, whatever failed afterwards.
  return () => void (statSync(file).size === 0 && rmSync(file));
}

/** Hands a new key over, once: into the file that was reserved for it, or to be printed. */
export function handOverKey<Key extends { secret: string }>(key: Key, { keyFile: file }: Options) {
  if (typeof file !== "string") return { shown: key, line: `${key.secret}   shown only once; keep it safe` };
  writeFileSync(file, `${key.secret}\n`);
  const { secret: _, ...rest } = key;
  return { shown: { ...rest, file }, line: `written to ${file}, readable by you only` };
}
