import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import type pg from "pg";

const packages = ["next", "@prisma/client", "@prisma/adapter-pg", "pg", "fastify", "zod"];

/** The machine and versions, as [name, value] lines. @param root the checkout */
export async function describeMachine(root: string, database: pg.Client): Promise<[string, string][]> {
  const processors = cpus();
  const settings = await database.query<{ name: string; setting: string }>(
    `SELECT name, current_setting(name) AS setting
       FROM unnest('{server_version,fsync,synchronous_commit,full_page_writes,shared_buffers}'::text[]) AS name`,
  );
  const [version, ...durability] = settings.rows.map(({ name, setting }) => ({ name, setting }));
  return [
    ["Date", new Date().toISOString().replace(/\.\d+Z$/, "Z")],
    ["Processor", `${processors.length} × ${processors[0]?.model ?? "unknown"}`],
    ["Memory", `${(totalmem() / 2 ** 30).toFixed(1)} GiB`],
    ["System", `${type()} ${release()}`],
    ["Node", process.version],
    [
      "PostgreSQL",
      `${version?.setting} (${durability.map((row) => `${row.name} ${row.setting}`).join(", ")})`,
    ],
    ["Packages", packages.map((name) => `${name} ${versionOf(root, name)}`).join(", ")],
    ["Commit", commitOf(root)],
  ];
}

/** Read as a file: not every package exports its package.json. */
function versionOf(root: string, name: string): string {
  return JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;
}

function commitOf(root: string): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    const changed = git("status", "--porcelain") !== "";
    return `${git("rev-parse", "--short", "HEAD")}${changed ? " and changes not committed" : ""}`;
  } catch {
    return "not told by git";
  }
}
