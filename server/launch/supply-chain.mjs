// Reads the installed packages and their licences.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, StepFailed } from "./steps.mjs";

/**
 * Licences that allow us to redistribute packages, by the names that packages use. Includes file- and library-level
 * copyleft, for unchanged packages.
 */
const ALLOWED = new Set([
  ...["MIT", "MIT-0", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "Unlicense", "CC0-1.0"],
  ...["BlueOak-1.0.0", "Zlib", "OFL-1.1", "CC-BY-4.0"],
  ...["MPL-2.0", "LGPL-3.0-or-later"],
]);

/** Whether allowed licences satisfy an SPDX expression, which may join licences by AND or OR. */
export function isAllowed(expression) {
  const text = (expression ?? "").replace(/^\((.*)\)$/, "$1");
  if (text === "" || /[()]/.test(text)) return false;
  return text.split(" OR ").some((all) => all.split(" AND ").every((one) => ALLOWED.has(one.trim())));
}

/** Lists the packages of the lock file, for all platforms. `dev`: a tool, which is not redistributed. */
export function lockedPackages(file = join(root, "package-lock.json")) {
  const { packages } = JSON.parse(readFileSync(file, "utf8"));
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, entry]) => ({ ...entry, path, name: path.slice(path.lastIndexOf("node_modules/") + 13) }));
}

/**
 * Prints for `npm run licences` every runtime package, its licence, and the licence text if the package is installed.
 */
export function printLicences(print = console.log) {
  const packages = lockedPackages().filter(({ dev }) => !dev);
  const refused = packages.filter(({ license }) => !isAllowed(license));
  if (refused.length > 0) {
    const names = refused.map(
      ({ name, version, license }) => `  ${name} ${version}: ${license ?? "none named"}`,
    );
    throw new StepFailed(
      `These licences are not on the list in server/launch/supply-chain.mjs:\n${names.join("\n")}`,
    );
  }
  for (const { path, name, version, license } of packages) {
    print(`${name} ${version}: ${license}`);
    for (const text of textsIn(join(root, path))) print(`${text.replace(/^/gm, "    ")}\n`);
  }
}

function textsIn(folder) {
  if (!existsSync(folder)) return []; // a package for another platform
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && /^(?:licen[cs]e|copying|notice)/i.test(entry.name),
  );
  return files.map(({ name }) => readFileSync(join(folder, name), "utf8").trimEnd());
}
