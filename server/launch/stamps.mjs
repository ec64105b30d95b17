// What was done for which inputs: a step is skipped when its stamp holds the hash of today's inputs.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./steps.mjs";

/**
 * Hash over names and contents of files and folders of the project (absent ones count as empty). Contents
 * and not times: git sets times as it likes, and the whole source is read in some 20 ms.
 * @param {string[]} paths relative to the project
 * @param {(path: string) => boolean} [wanted] asked for each file, with its path relative to the project
 */
export function hashOf(paths, wanted = () => true) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of filesBelow(join(root, path))) {
      const name = relative(root, file);
      if (!wanted(name)) continue;
      const content = readFileSync(file);
      hash.update(`${name}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

function filesBelow(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [path];
  if (path === join(root, "server", "db", "generated")) return [];
  const names = readdirSync(path).sort();
  return names.flatMap((name) => filesBelow(join(path, name)));
}

/** @param {string} file relative to the project */
export function readStamp(file) {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
}

/** @param {string} file @param {string} value */
export function writeStamp(file, value) {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, value);
  renameSync(`${path}.${process.pid}`, path);
}

/** Before the work begins, so that an interrupted one is done again. @param {string} file */
export function removeStamp(file) {
  rmSync(join(root, file), { force: true });
}
