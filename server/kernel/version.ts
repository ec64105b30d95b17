import { readdirSync } from "node:fs";
import { join } from "node:path";
import { projectRoot, readProjectFile } from "./project-root";

const manifest = JSON.parse(readProjectFile("package.json"));

/** Rollcall's version, from package.json. */
export const version: string = manifest.version;

const migrations = readdirSync(join(projectRoot(), "prisma", "migrations"))
  .filter((name) => /^\d{14}_/.test(name))
  .sort();

/**
 * The version and the time of its last migration, such as 1.0.0-beta.2+20261129030000. Two commits of one version may
 * have different schemas.
 */
export const fullVersion = `${version}+${migrations.at(-1)?.slice(0, 14)}`;

/** How to call the commands here: in a release, or in a checkout. */
export const startCommand = manifest.release ? "node rollcall.mjs start" : "npm start";
export const adminCommand = manifest.release ? "node rollcall.mjs admin" : "npm run admin --";
