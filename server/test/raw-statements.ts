import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Ran } from "./record-statements";
import { type Columns, rawStatements, type Site } from "./row-types";

const PRODUCT = /^(?!.*(\.test\.ts$|^test\/|generated\/)).*\.ts$/;

/**
 * Compares the executed raw statements with the source: each raw statement of server/ ran at least once, and returned
 * the columns and kinds of values of its row type.
 * @param folder of the records
 * @param complete whether all tests ran; otherwise statements may be missing
 * @returns the problems, one sentence each
 */
export function checkRawStatements(server: string, folder: string, complete: boolean): string[] {
  const sites = readdirSync(server, { recursive: true, encoding: "utf8" })
    .filter((name) => PRODUCT.test(name) && !name.startsWith("test/"))
    .flatMap((name) => rawStatements(join(server, name)));
  const ran = readRecords(folder);
  return sites.flatMap((site) => {
    const at = `${relative(join(server, ".."), site.file)}:${site.line}`;
    const rows = ran.get(site.text);
    if (!rows) return complete ? [`${at}: no test runs this statement`] : [];
    if (!site.columns) return [];
    return differences(site.columns, rows, complete).map((difference) => `${at}: ${difference}`);
  });
}

function readRecords(folder: string): Map<Site["text"], NonNullable<Ran["columns"]>[]> {
  const ran = new Map<string, NonNullable<Ran["columns"]>[]>();
  for (const name of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, name), "utf8").split("\n")) {
      if (line === "") continue;
      const { text, columns } = JSON.parse(line) as Ran;
      const known = ran.get(text) ?? [];
      ran.set(text, columns ? [...known, columns] : known);
    }
  }
  return ran;
}

function differences(wanted: Columns, rows: NonNullable<Ran["columns"]>[], complete: boolean): string[] {
  if (rows.length === 0) return complete ? ["no test gets a row from this statement"] : [];
  const found: string[] = [];
  for (const row of rows) {
    const missing = [...wanted.keys()].filter((name) => !(name in row));
    const more = Object.keys(row).filter((name) => !wanted.has(name));
    if (missing.length > 0) found.push(`its rows have no ${missing.join(", ")}`);
    if (more.length > 0) found.push(`its row type does not name ${more.join(", ")}`);
    for (const [name, kinds] of Object.entries(row)) {
      const allowed = wanted.get(name);
      if (!allowed || allowed.has("any")) continue;
      const other = kinds.filter(
        (kind) => !allowed.has(kind) && !(kind === "object" && allowed.has("array")),
      );
      if (other.length > 0)
        found.push(`${name} is ${other.join(" or ")}, its type says ${[...allowed].join(" or ")}`);
    }
  }
  return [...new Set(found)];
}
