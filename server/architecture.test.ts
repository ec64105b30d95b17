import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|(?:^|[^.\w])import\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g;

type Arrow = { from: string; to: string; typeOnly: boolean };

/** Every source file below these folders, tests and generated code left out. */
function sources(...folders: string[]): string[] {
  return folders
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
        .map((name) => join(folder, name))
        .filter(
          (name) =>
            /\.(ts|tsx|mjs)$/.test(name) && !/\.test\.tsx?$|-fixture|generated|server\/test\//.test(name),
        ),
    );
}

/** What a file imports: files of ours by path from the root, packages by name. */
function arrows(file: string): Arrow[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(IMPORT)].map((match) => {
    const spec = (match[1] ?? match[2] ?? match[3]) as string;
    const to = spec.startsWith(".")
      ? relative(ROOT, resolve(ROOT, dirname(file), spec))
      : spec.startsWith("@/")
        ? spec.slice(2)
        : spec;
    return { from: file, to, typeOnly: /^\s*(import|export)\s+type\s/.test(match[0]) };
  });
}

const all = sources("app", "components", "server").flatMap(arrows);
const within = (folder: string) => (path: string) => path === folder || path.startsWith(`${folder}/`);
const offenders = (bad: (arrow: Arrow) => boolean) =>
  all.filter(bad).map(({ from, to }) => `${from} → ${to}`);

/** Which folder of server/ may import which others; a folder may always import itself. */
const mayImport: Record<string, string[]> = {
  domain: [],
  contract: ["domain"],
  limits: [],
  db: ["domain", "errors", "operator-error", "project-root"],
  auth: ["db", "domain", "errors", "contract", "config", "operator-error", "app"],
  mail: ["db", "domain", "errors", "auth", "contract"],
  services: ["db", "domain", "contract", "errors", "context", "auth", "mail"],
  rest: [
    "services",
    "auth",
    "limits",
    "contract",
    "domain",
    "db",
    "errors",
    "context",
    "app",
    "project-root",
  ],
  webhooks: ["services", "auth", "contract", "domain", "errors", "context", "app", "rest"],
  public: ["services", "auth", "contract", "domain", "errors", "context", "app", "rest"],
  trpc: ["services", "auth", "contract", "domain", "errors", "context", "app", "limits", "rest"],
};

describe("the arrows between folders", () => {
  it.each(Object.entries(mayImport))("server/%s imports only what stands below it", (folder, allowed) => {
    const inside = within(`server/${folder}`);
    const permitted = [folder, ...allowed].map((name) => within(`server/${name}`));
    expect(
      offenders(({ from, to, typeOnly }) => {
        if (!inside(from) || !to.startsWith("server/") || permitted.some((ok) => ok(to))) return false;
        // A type is erased: it ties nothing together at run time.
        return !typeOnly;
      }),
    ).toEqual([]);
  });

  it("only server/db imports Prisma and pg", () => {
    const database = /^(@prisma\/|pg$|.*\/generated\/)/;
    expect(offenders(({ from, to }) => database.test(to) && !within("server/db")(from))).toEqual([]);
  });

  it("only server/mail/resend.ts imports Resend", () => {
    expect(offenders(({ from, to }) => to === "resend" && from !== "server/mail/resend.ts")).toEqual([]);
  });

  it("only server/limits imports Upstash and Redis", () => {
    expect(
      offenders(({ from, to }) => /^(@upstash\/|ioredis)/.test(to) && !within("server/limits")(from)),
    ).toEqual([]);
  });

  it("the browser's components import server/contract, server/domain and the router's type, nothing else of server/", () => {
    const open = ["server/contract", "server/domain"].map(within);
    expect(
      offenders(
        ({ from, to, typeOnly }) =>
          within("components")(from) &&
          to.startsWith("server/") &&
          !open.some((ok) => ok(to)) &&
          !(typeOnly && within("server/trpc")(to)),
      ),
    ).toEqual([]);
  });

  it("only server/config.ts reads the environment, but for the launcher that runs before it", () => {
    const readers = sources("app", "components", "server").filter((file) =>
      /process\.env\b/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    // The manual shows callers how to read theirs.
    const known = /^server\/(config\.ts|launch|rest\/manual\.ts)/;
    expect(readers.filter((file) => !known.test(file))).toEqual([]);
  });
});
