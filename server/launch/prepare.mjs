// Prepares what every command needs: packages, generated sources, and the build of the product. Runs in the checkout's
// folder.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { quietly, StepFailed } from "./steps.mjs";

const GENERATED = "server/platform/db/generated";
const GENERATED_FROM = ["prisma/schema.prisma", "prisma/generate.cjs", "package-lock.json"];
const BUILT = ".build/stamp";
const BUILT_FROM = [
  "server",
  "prisma",
  "app",
  "components",
  "public",
  "next.config.mjs",
  "package-lock.json",
];
const NOT_BUILT = /\.test\.tsx?$|^server\/(?:test|platform\/db\/generated)\//;
const DAY_MS = 86_400_000;

/**
 * Installs, generates and builds what is missing or outdated. Takes about 50 ms when nothing is.
 * @param {{ write(text: string): unknown }} out
 * @param {{ build: boolean }} wanted `build`: build the product; then only its runtime packages are needed
 */
export async function prepare(out, { build }) {
  const built = build && isBuilt();
  const withTools = !built;
  const packages = isInstalled({ withTools });
  if (built ? packages : !build && packages && isGenerated()) return;
  const lock = takeLock();
  try {
    if (!packages) {
      out.write("Installing packages (npm ci) …\n");
      install({ withTools });
    }
    if (built) return;
    if (!isGenerated()) {
      out.write("Generating the database client …\n");
      generate();
    }
    if (!build) return;
    out.write("Building the dashboard and the server …\n");
    await buildProduct();
  } finally {
    rmSync(lock, { force: true });
  }
}

/**
 * Takes the lock that allows one launcher at a time to install, generate or build. @returns the lock file, to be
 * removed
 */
function takeLock() {
  const lock = resolve(".build/lock");
  try {
    mkdirSync(".build", { recursive: true });
    if (existsSync(lock) && !isAlive(Number(readFileSync(lock, "utf8")))) rmSync(lock, { force: true });
    writeFileSync(lock, String(process.pid), { flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") {
      throw new StepFailed(
        `${resolve(".build")} can't be written (${error.code}). Nothing was changed. Start Rollcall as the user who ` +
          "owns this checkout, or hand it over: sudo chown -R USER .",
      );
    }
    throw new StepFailed(
      `Another Rollcall (process ${readFileSync(lock, "utf8")}) is installing or building in this checkout. ` +
        `Wait until it is done, then run the same command again. (If there is none, delete ${lock}.)`,
    );
  }
  return lock;
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

const packagesIn = (file) => JSON.parse(readFileSync(file, "utf8")).packages;

/** Whether npm's record, which it writes last, matches the lock file. `npm ci --omit=dev` omits the tools. */
function isInstalled({ withTools }) {
  const record = "node_modules/.package-lock.json";
  if (!existsSync(record)) return false;
  const installed = packagesIn(record);
  return Object.entries(packagesIn("package-lock.json")).every(
    ([name, { version, optional, dev, devOptional }]) =>
      name === "" || optional || (!withTools && (dev || devOptional)) || installed[name]?.version === version,
  );
}

function install({ withTools }) {
  const npm = process.env.npm_execpath?.endsWith("npm-cli.js")
    ? [process.execPath, process.env.npm_execpath]
    : ["npm"];
  // With NODE_ENV=production npm would omit the packages that the build and the tests need.
  const tools = withTools ? "--include=dev" : "--omit=dev";
  quietly([...npm, "ci", tools, "--include=optional", "--no-audit", "--no-fund"], {
    fix:
      "The packages could not be installed; npm's own words are above. Check the network and the npm registry, " +
      "then run the same command again.",
  });
}

const isGenerated = () => stampOf(`${GENERATED}/.stamp`) === hashOf(GENERATED_FROM);

function generate() {
  const hash = hashOf(GENERATED_FROM);
  quietly([process.execPath, "prisma/generate.cjs"], {
    fix: "The database client could not be generated from prisma/schema.prisma; see above.",
  });
  writeFileSync(`${GENERATED}/.stamp`, hash);
}

const isBuilt = () =>
  stampOf(BUILT) === hashOf(BUILT_FROM) && existsSync(".build/main.mjs") && existsSync(".next/BUILD_ID");

/** Builds .next (the dashboard) and .build/*.mjs (our processes). */
async function buildProduct() {
  const hash = hashOf(BUILT_FROM);
  rmSync(BUILT, { force: true }); // removed first, so that an interrupted build is repeated
  quietly([process.execPath, "node_modules/next/dist/bin/next", "build"], {
    fix: "The build failed; see above. What was built before is replaced, so nothing can be started until it works.",
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
  compressStatic();
  const fresh = ".build/fresh";
  rmSync(fresh, { recursive: true, force: true });
  const { bundleInto } = await import("./bundle.mjs");
  bundleInto(fresh);
  // A running process may still load parts of the previous build.
  for (const name of readdirSync(".build").filter((one) => /\.mjs(\.map)?$/.test(one))) {
    if (Date.now() - statSync(`.build/${name}`).mtimeMs > DAY_MS) rmSync(`.build/${name}`);
  }
  for (const name of readdirSync(fresh)) renameSync(join(fresh, name), `.build/${name}`);
  rmSync(fresh, { recursive: true });
  writeFileSync(BUILT, hash);
}

/** Compresses the dashboard's scripts and styles once. compressed-files.ts sends the results. */
function compressStatic() {
  for (const name of filesBelow(".next/static").filter((one) => /\.(js|css)$/.test(one)))
    writeFileSync(`${name}.br`, brotliCompressSync(readFileSync(name)));
}

const stampOf = (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

/**
 * Returns a hash of the names and contents of the product's files below these paths. Modification times are not used,
 * because git changes them. Reading the whole source takes about 20 ms.
 */
function hashOf(paths) {
  const hash = createHash("sha256");
  for (const name of paths.flatMap(filesBelow)) {
    const content = readFileSync(name);
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((name) => !NOT_BUILT.test(name))
    .sort();
}
