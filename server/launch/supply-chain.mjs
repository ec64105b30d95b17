// What is installed beside our own code, and its licences.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, StepFailed } from "./steps.mjs";

/** Licences that let us pass their packages on, as packages name them. Reciprocal ones: of files or of a library, unchanged. */
const ALLOWED = new Set([
  ...["MIT", "MIT-0", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "Unlicense", "CC0-1.0"],
  ...["BlueOak-1.0.0", "Zlib", "OFL-1.1", "CC-BY-4.0"],
  ...["MPL-2.0", "LGPL-3.0-or-later"],
]);

/** Whether an SPDX expression, which may join licences by AND or OR, is satisfied by allowed ones. */
export function isAllowed(expression) {
  const text = (expression ?? "").replace(/^\((.*)\)$/, "$1");
  if (text === "" || /[()]/.test(text)) return false;
  return text.split(" OR ").some((all) => all.split(" AND ").every((one) => ALLOWED.has(one.trim())));
}

/** The packages of the lock file, of every platform. `dev`: a tool, which is not passed on. */
export function lockedPackages(file = join(root, "package-lock.json")) {
  const { packages } = JSON.parse(readFileSync(file, "utf8"));
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, entry]) => ({ ...entry, path, name: path.slice(path.lastIndexOf("node_modules/") + 13) }));
}

/** `npm run licences`: every package that the product runs with, its licence, and the licence's own text where it is installed. */
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
  if (!existsSync(folder)) return []; // of another platform
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && /^(?:licen[cs]e|copying|notice)/i.test(entry.name),
  );
  return files.map(({ name }) => readFileSync(join(folder, name), "utf8").trimEnd());
}
