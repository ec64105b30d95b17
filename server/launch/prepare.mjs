// What every command needs before its own work: packages, the generated sources, and for the product its build.
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
import { join, relative } from "node:path";
import { bundleInto } from "./bundle.mjs";
import { quietly, root, StepFailed, step } from "./steps.mjs";

/** @typedef {{ write(text: string): unknown }} Out */

const INSTALLED = "node_modules/.rollcall-installed";
const GENERATED = "server/db/generated";
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
const DAY_MS = 86_400_000;
/**
 * Installs, generates and builds what is missing or out of date; nothing, in some 50 ms, when all is well.
 * @param {Out} out
 * @param {{ build: boolean }} wanted `build`: the product, which then needs no packages but those it runs with
 */
export async function prepare(out, { build }) {
  const built = build && isBuilt();
  const packages = isInstalled({ withTools: !built });
  if (built ? packages : !build && packages && isGenerated()) return;
  const lock = takeLock();
  try {
    if (!packages) await step(out, "Installing packages (npm ci)", () => install({ withTools: !built }));
    if (built) return;
    if (!isGenerated()) await step(out, "Generating the database client", generate);
    if (build) await step(out, "Building the dashboard and the server", buildProduct);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** One launcher at a time installs, generates or builds in a checkout. @returns the lock's file, to be removed */
function takeLock() {
  const lock = path(".build/lock");
  try {
    mkdirSync(path(".build"), { recursive: true });
    if (existsSync(lock) && !isAlive(Number(readFileSync(lock, "utf8")))) rmSync(lock, { force: true });
    writeFileSync(lock, String(process.pid), { flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") {
      throw new StepFailed(
        `${path(".build")} can't be written (${error.code}). Nothing was changed. Start Rollcall as the user who ` +
          "owns this checkout, or hand it over: sudo chown -R USER .",
      );
    }
    throw new StepFailed(
      `Another Rollcall (process ${readFileSync(lock, "utf8")}) is installing or building in this checkout. ` +
        `Wait until it is done, then run the same command again. (If there is none, delete ${lock}.)`,
    );
  }
  process.once("exit", () => rmSync(lock, { force: true }));
  return lock;
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

const installedStamp = (withTools) => hashOf(["package-lock.json"]) + (withTools ? " with tools" : "");

/**
 * Whether node_modules holds what the lock file names; `npm ci --omit=dev` leaves out the tools. Looked at once for each
 * lock file: the stamp remembers it.
 */
function isInstalled({ withTools }) {
  const stamp = stampOf(INSTALLED);
  if (stamp === installedStamp(true) || (!withTools && stamp === installedStamp(false))) return true;
  // npm writes its own record last: without it the installation was cut short.
  if (!existsSync(path("node_modules/.package-lock.json"))) return false;
  const { packages } = JSON.parse(readFileSync(path("package-lock.json"), "utf8"));
  const complete = Object.entries(packages).every(
    ([name, { version, optional, dev, devOptional }]) =>
      name === "" || optional || (!withTools && (dev || devOptional)) || versionOf(name) === version,
  );
  if (complete) remember(installedStamp(withTools));
  return complete;
}

function remember(stamp) {
  try {
    writeFileSync(path(`${INSTALLED}.${process.pid}`), stamp);
    renameSync(path(`${INSTALLED}.${process.pid}`), path(INSTALLED));
  } catch {
    // An installation that this user may only read is looked at each time.
  }
}

function versionOf(folder) {
  const manifest = path(`${folder}/package.json`);
  // Some write "v1.2.3", which npm takes for 1.2.3.
  return existsSync(manifest)
    ? JSON.parse(readFileSync(manifest, "utf8")).version.replace(/^v/, "")
    : undefined;
}

async function install({ withTools }) {
  const npm = process.env.npm_execpath?.endsWith("npm-cli.js")
    ? [process.execPath, process.env.npm_execpath]
    : ["npm"];
  // With NODE_ENV=production npm would leave out what the build and the tests need.
  const tools = withTools ? "--include=dev" : "--omit=dev";
  await quietly([...npm, "ci", tools, "--include=optional", "--no-audit", "--no-fund"], {
    fix:
      "The packages could not be installed; npm's own words are above. Check the network and the npm registry, " +
      "then run the same command again: it continues from here.",
  });
  remember(installedStamp(withTools));
}

const isGenerated = () => stampOf(`${GENERATED}/.stamp`) === hashOf(GENERATED_FROM);

async function generate() {
  const hash = hashOf(GENERATED_FROM);
  await quietly([process.execPath, "prisma/generate.cjs"], {
    fix: "The database client could not be generated from prisma/schema.prisma; see above.",
  });
  writeFileSync(path(`${GENERATED}/.stamp`), hash);
}

const isBuilt = () =>
  stampOf(BUILT) === hashOf(BUILT_FROM) &&
  existsSync(path(".build/main.mjs")) &&
  existsSync(path(".next/BUILD_ID"));

/** .next (the dashboard) and .build/*.mjs (our processes). */
async function buildProduct() {
  const hash = hashOf(BUILT_FROM);
  rmSync(path(BUILT), { force: true }); // first, so that an interrupted build is done again
  await quietly([process.execPath, "node_modules/next/dist/bin/next", "build"], {
    fix: "The build failed; see above. What was built before is replaced, so nothing can be started until it works.",
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
  await bundle();
  writeFileSync(path(BUILT), hash);
}

async function bundle() {
  const fresh = path(".build/fresh");
  rmSync(fresh, { recursive: true, force: true });
  await bundleInto(fresh);
  // A process that runs may still load parts of the build before.
  for (const name of readdirSync(path(".build")).filter((one) => /\.mjs(\.map)?$/.test(one))) {
    if (Date.now() - statSync(path(`.build/${name}`)).mtimeMs > DAY_MS) rmSync(path(`.build/${name}`));
  }
  for (const name of readdirSync(fresh)) renameSync(join(fresh, name), path(`.build/${name}`));
  rmSync(fresh, { recursive: true });
}

const path = (name) => join(root, name);

function stampOf(file) {
  return existsSync(path(file)) ? readFileSync(path(file), "utf8") : undefined;
}

/**
 * Hash over names and contents of the files of the product below these paths (absent ones count as empty). Contents
 * and not times: git sets times as it likes, and the whole source is read in some 20 ms.
 */
function hashOf(paths) {
  const hash = createHash("sha256");
  for (const file of paths.flatMap((name) => filesBelow(path(name)))) {
    const name = relative(root, file);
    if (/\.test\.tsx?$/.test(name)) continue;
    const content = readFileSync(file);
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function filesBelow(folder) {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [folder];
  if (folder === path(GENERATED) || folder === path("server/test")) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => filesBelow(join(folder, name)));
}
