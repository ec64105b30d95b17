import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parse } from "@babel/parser";

/**
 * The server's layers, from the lowest to the highest. A file may import its own module and lower layers. A name is a
 * folder of server/ with its content, a file, or `*` for any module. The longest name that matches a file decides.
 */
export const layers: string[][] = [
  ["kernel"],
  // Browsers also run these files: schemas, and rules without a database. They may import each other.
  [
    "*/schema",
    "imports/list-parser",
    "subscribers/field-values.ts",
    "subscribers/status-moves.ts",
    "staff/device-name.ts",
  ],
  ["platform"],
  ["accounts"],
  [
    "suppressions/queries",
    "suppressions/shared-queries.ts",
    "suppressions/source.ts",
    "events/queries/about-people.ts",
    "events/about-people.ts",
    "work/add-work.ts",
  ],
  ["mail"],
  ["subscribers"],
  ["suppressions", "events"],
  ["imports", "bulk-actions", "sign-up", "staff"],
  ["api-keys", "mail-log"],
  ["work"],
  ["newsletters"],
  ["operations"],
  ["config.ts", "public/pages"],
  ["app.ts"],
  ["entrance.ts"],
  ["public", "docs"],
  ["trpc"],
  ["*/router.ts", "*/*-router.ts"],
  ["trpc/router.ts"],
  ["trpc/handler.ts"],
  ["rest"],
  ["mcp"],
  ["background-jobs.ts", "http-handlers.ts"],
  ["http-server.ts", "open-database.ts"],
  ["cli"],
  ["*/cli.ts", "operations/backup/cli.ts"],
  ["cli/program.ts", "cli/main.ts", "main.ts"],
];

/** Packages that only these files import. */
export const owners: Record<string, string[]> = {
  "@prisma/adapter-pg": ["platform/db"],
  pg: ["platform/db/pg.ts"],
  resend: ["mail"],
  nodemailer: ["mail"],
  "@upstash/ratelimit": ["platform/limits"],
  "@upstash/redis": ["platform/limits"],
  ioredis: ["platform/limits"],
  "pg-boss": ["platform/jobs"],
};

export type Import = { from: string; to: string; isType: boolean };

/** Reads the imports of all product files. @returns paths relative to the checkout; a package keeps its name */
export function readImports(root: string): Import[] {
  const files = execFileSync(
    "git",
    ["ls-files", "-co", "--exclude-standard", "server", "components", "app"],
    { cwd: root, encoding: "utf8" },
  )
    .trim()
    .split("\n")
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^server\/test\/|\/testing\//.test(file))
    .filter((file) => existsSync(join(root, file)));
  return files.flatMap((file) => importsOf(root, file));
}

type Statement = {
  type: string;
  source?: { value: string } | null;
  importKind?: string;
  exportKind?: string;
  specifiers?: { importKind?: string }[];
};

function importsOf(root: string, from: string): Import[] {
  const text = readFileSync(join(root, from), "utf8");
  const { program } = parse(text, {
    sourceType: "module",
    plugins: from.endsWith("x") ? ["typescript", "jsx"] : ["typescript"],
  });
  const stated = (program.body as Statement[]).flatMap(
    ({ source, importKind, exportKind, specifiers = [] }) => {
      if (!source) return [];
      const areTypes = specifiers.length > 0 && specifiers.every((one) => one.importKind === "type");
      return { name: source.value, isType: importKind === "type" || exportKind === "type" || areTypes };
    },
  );
  const called = Array.from(text.matchAll(/\bimport\("([^"]+)"\)/g), ([, name = ""]) => ({
    name,
    isType: false,
  }));
  return [...stated, ...called].map(({ name, isType }) => ({ from, to: targetOf(root, from, name), isType }));
}

function targetOf(root: string, from: string, name: string): string {
  if (!/^\.|^@\//.test(name)) return name;
  const path = name.startsWith("@/") ? name.slice(2) : normalize(join(dirname(from), name));
  const isFile = (end: string) =>
    existsSync(join(root, path + end)) && statSync(join(root, path + end)).isFile();
  return path + (["", ".ts", ".tsx", "/index.ts", ".json"].find(isFile) ?? "");
}

/** Returns the position of a file in a list of names; -1 for none. */
function find(names: string[], file: string): number {
  const fits = names.map((name) => {
    const pattern = name.replaceAll(".", "\\.").replaceAll("*", "[^/]+");
    const depth = name.split("/").length;
    return new RegExp(`^${pattern}(/|$)`).test(file) ? depth * 1_000 + name.replaceAll("*", "").length : -1;
  });
  const longest = Math.max(...fits);
  return longest < 0 ? -1 : fits.indexOf(longest);
}

const FOR_BROWSERS = 1;
const flat = layers.flatMap((names, layer) => names.map((name) => ({ name, layer })));

/** Returns the layer of a file of server/, from 0. */
function layerOf(file: string): number {
  const found =
    flat[
      find(
        flat.map(({ name }) => name),
        file,
      )
    ];
  if (!found)
    throw new Error(`server/${file} is in no layer. Add its module to the table in server/test/borders.ts.`);
  return found.layer;
}

const moduleOf = (file: string) => (file.includes("/") ? file.slice(0, file.indexOf("/")) : file);
const inServer = (path: string) => (path.startsWith("server/") ? path.slice("server/".length) : null);
const packageOf = (name: string) =>
  name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");

/** Returns the reason why an import is forbidden, or null when it is allowed. */
export function whyForbidden({ from, to, isType }: Import): string | null {
  const target = inServer(to);
  const source = inServer(from);
  if (source === null) {
    const isPage = from.startsWith("app/");
    if (target === null || isPage || layerOf(target) <= FOR_BROWSERS) return null;
    if (isType && target.startsWith("trpc/")) return null;
    return "components import kernel, schemas and types of trpc only";
  }
  const allowed = owners[packageOf(to)];
  if (allowed && !isType && find(allowed, source) < 0)
    return `only ${allowed.join(", ")} may import ${packageOf(to)}`;
  if (to.includes("platform/db/generated") && !/^platform\/db\/|\/queries\//.test(source))
    return "only queries and platform/db import the generated client";
  if (target === null || moduleOf(source) === moduleOf(target)) {
    return target !== null && layerOf(target) > layerOf(source)
      ? "it imports a higher layer of its module"
      : null;
  }
  if (target.includes("/queries/")) return "another module's queries are private";
  const [higher, lower] = [layerOf(source), layerOf(target)];
  if (lower < higher || (lower === higher && lower === FOR_BROWSERS)) return null;
  return "it imports a layer that is not lower";
}

/** Draws the layers as a Mermaid chart for CONTRIBUTING.md, highest first. An arrow means "may import". */
export function layerChart(): string {
  const isShown = (name: string) => /^[^/]+$|^\*\//.test(name);
  const shown = layers.map((names) => names.filter(isShown)).filter((names) => names.length > 0);
  const boxes = shown.map((names, layer) => `  l${layer}["${names.join(", ")}"]`).reverse();
  const arrows = shown
    .slice(1)
    .map((_, layer) => `  l${layer + 1} --> l${layer}`)
    .reverse();
  return ["```mermaid", "flowchart TD", ...boxes, ...arrows, "```"].join("\n");
}
