import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./steps.mjs";

/**
 * Runs a built file in this process, so that Ctrl-C and SIGTERM reach the product itself and no process is left over.
 */
export async function run(file, args, mode) {
  enter(file, args, mode);
  nodeModule.enableCompileCache?.(join(root, ".build", "compile-cache")); // Node 22 and newer
  await import(pathToFileURL(join(root, file)).href);
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
  // Variables of this process take precedence over the file.
  if (existsSync(".env")) process.loadEnvFile(".env");
}
