import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./project-root";

/** This Rollcall's version, which package.json alone names. */
export const version: string = JSON.parse(readFileSync(join(projectRoot(), "package.json"), "utf8")).version;
