import { existsSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./steps.mjs";

/** Runs what was built, in this very process: Ctrl-C and SIGTERM reach the product itself, and no process stays behind. */
export async function run(file, args, mode) {
  checkOpenFiles();
  enter(file, args, mode);
  nodeModule.enableCompileCache?.(join(root, ".build", "compile-cache")); // Node 22 and newer
  await import(pathToFileURL(join(root, file)).href);
}

const LEAST_FILES = 256;

/** Its modules are many files, read side by side: with too few, Node says that one of them is not there. */
function checkOpenFiles() {
  const limits = existsSync("/proc/self/limits") ? readFileSync("/proc/self/limits", "utf8") : "";
  const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? LEAST_FILES);
  if (limit >= LEAST_FILES) return;
  console.error(
    `This process may open ${limit} files, and Rollcall needs some 500 and one for each connection. Nothing was changed. ` +
      "Raise the limit: `ulimit -n 65536` in a shell, LimitNOFILE=65536 in a systemd unit.",
  );
  process.exit(1);
}

export async function runSource(file, args, mode) {
  enter(file, args, mode);
  const { register } = await import("tsx/esm/api");
  register();
  await import(pathToFileURL(join(root, file)).href);
}

function enter(file, args, mode) {
  process.argv = [process.execPath, join(root, file), ...args];
  if (mode === "development") process.env.NODE_ENV = mode;
  else process.env.NODE_ENV ||= mode;
  // What is set for this process wins over the file.
  if (existsSync(".env")) process.loadEnvFile(".env");
}
