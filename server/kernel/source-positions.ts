import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Kept as long as memory allows. Node's own source map support keeps the maps of all packages in memory, about 35 MB.
 */
const maps = new Map<string, WeakRef<SourceMap>>();

function mapBeside(file: string): SourceMap | undefined {
  const known = maps.get(file)?.deref();
  if (known || file.includes("node_modules") || !existsSync(`${file}.map`)) return known;
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
  maps.set(file, new WeakRef(map));
  return map;
}

/**
 * Finds the source of a place in a bundle, by the source map beside it.
 * @param place line and column from 0
 * @returns the source relative to the checkout, line and column from 0; undefined without a source map
 */
function findInSource(file: string, place: { line: number; column: number }) {
  const entry = mapBeside(file)?.findEntry(place.line, place.column);
  if (!entry || !("originalSource" in entry) || !entry.originalSource) return undefined;
  const { originalSource, originalLine, originalColumn } = entry;
  return { source: originalSource.replace(/^(\.\.\/)+/, ""), line: originalLine, column: originalColumn };
}

const PLACE = /(file:\/\/\/[^\s()]+?\.mjs):(\d+):(\d+)/g;

/** Returns an error's stack with source positions instead of bundle positions. */
export function stackInSource(stack: string): string {
  return stack.replace(PLACE, (place, url: string, line: string, column: string) => {
    const found = findInSource(fileURLToPath(url), { line: Number(line) - 1, column: Number(column) - 1 });
    return found ? `${found.source}:${found.line + 1}:${found.column + 1}` : place;
  });
}
