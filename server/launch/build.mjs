// The product out of the sources: .build/*.mjs (our processes) and .next (Next's part).
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hashOf, readStamp, removeStamp, writeStamp } from "./stamps.mjs";
import { quietly, root, step } from "./steps.mjs";

const ENTRIES = ["server/main.ts", "server/admin.ts"];
const BUNDLED = ".build/bundle.stamp";
const BUILT = ".build/next.stamp";
const SHARED = ["server", "prisma", "package-lock.json"];
const NEXT_TOO = [
  "app",
  "components",
  "public",
  "next.config.mjs",
  "postcss.config.mjs",
  "postcss.config.cjs",
];

const isProduct = (path) => !/(\.test\.tsx?|^server\/test\/.*)$/.test(path);
const bundleHash = () => hashOf(SHARED, isProduct);
const nextHash = () => hashOf([...SHARED, ...NEXT_TOO], isProduct);
// Apart, because `next build` may add to it: what counts is how the build left it.
const tsconfigHash = () => hashOf(["tsconfig.json"]);

/** Whether .build is out of date. */
export function needsBundle() {
  return (
    readStamp(BUNDLED) !== `${bundleHash()} ${tsconfigHash()}` || !existsSync(join(root, ".build/main.mjs"))
  );
}

/** Whether .next is out of date. */
export function needsNextBuild() {
  return readStamp(BUILT) !== `${nextHash()} ${tsconfigHash()}` || !existsSync(join(root, ".next/BUILD_ID"));
}

/**
 * Brings .build up to date. Call it under the lock.
 * @param {NodeJS.WriteStream} out
 */
export async function bundle(out) {
  const hash = bundleHash();
  if (!needsBundle()) return;
  await step(out, "Bundling the server", async () => {
    removeStamp(BUNDLED);
    const fresh = join(root, ".build", `fresh-${process.pid}`);
    try {
      const { build } = await import("esbuild");
      await build({
        absWorkingDir: root,
        entryPoints: ENTRIES.filter((entry) => existsSync(join(root, entry))),
        outdir: fresh,
        outExtension: { ".js": ".mjs" },
        bundle: true,
        packages: "external",
        platform: "node",
        format: "esm",
        target: "node20",
        jsx: "automatic",
        sourcemap: "linked",
        logLevel: "warning",
      });
      mkdirSync(join(root, ".build"), { recursive: true });
      // Whole files only: another process may be loading the old ones.
      for (const name of readdirSync(fresh)) renameSync(join(fresh, name), join(root, ".build", name));
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
    writeStamp(BUNDLED, `${hash} ${tsconfigHash()}`);
  });
}

/**
 * Brings .next up to date. Call it under the lock.
 * @param {NodeJS.WriteStream} out
 */
export async function buildNext(out) {
  const hash = nextHash();
  if (!needsNextBuild()) return;
  await step(out, "Building the dashboard", async () => {
    removeStamp(BUILT);
    await quietly(["node_modules/next/dist/bin/next", "build"], {
      fix: "The build failed; see above. What was built before is replaced, so nothing can be started until it works.",
      env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    });
    writeStamp(BUILT, `${hash} ${tsconfigHash()}`);
  });
}
