import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./project-root";

const manifest = JSON.parse(readFileSync(join(projectRoot(), "package.json"), "utf8"));

/** This Rollcall's version, which package.json alone names. */
export const version: string = manifest.version;

/** How its commands are called where this runs: in a release, or in a checkout. */
export const startCommand = manifest.release ? "node rollcall.mjs start" : "npm start";
export const adminCommand = manifest.release ? "node rollcall.mjs admin" : "npm run admin --";
