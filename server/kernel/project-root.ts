import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

let found: string | undefined;

/**
 * Returns the checkout's absolute path. Searches upwards from this module, because the code runs from `server/` (tsx,
 * vitest) and bundled from `.build/`.
 */
export function projectRoot(): string {
  found ??= search(dirname(fileURLToPath(import.meta.url))) ?? search(process.cwd()) ?? process.cwd();
  return found;
}

/** Reads a text file of the checkout. */
export const readProjectFile = (path: string): string => readFileSync(join(projectRoot(), path), "utf8");

function search(from: string): string | undefined {
  const manifest = join(from, "package.json");
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name === "rollcall") return from;
  return dirname(from) === from ? undefined : search(dirname(from));
}
