import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { projectRoot } from "../server/kernel/project-root";

const packages = ["next", "@prisma/client", "@prisma/adapter-pg", "pg", "fastify", "zod"];

/** The machine and this commit, as [name, value] lines. */
export function describeMachine(): [string, string][] {
  const processors = cpus();
  return [
    ["Processor", `${processors.length} × ${processors[0]?.model ?? "unknown"}`],
    ["Memory", `${(totalmem() / 2 ** 30).toFixed(1)} GiB`],
    ["System", `${type()} ${release()}`],
    ["Node", process.version],
    ["Commit", commit()],
  ];
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: projectRoot(),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  try {
    return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain") && " and changes not committed"}`;
  } catch {
    return "unknown"; // no git, or a release without its folder
  }
}

/** What a report of the bench begins with, as a Markdown list. */
export async function describeRun(database: pg.Client): Promise<string> {
  const settings = await database.query<{ name: string; setting: string }>(
    `SELECT name, current_setting(name) AS setting
       FROM unnest('{server_version,fsync,synchronous_commit,full_page_writes,shared_buffers}'::text[]) AS name`,
  );
  const [version, ...durability] = settings.rows;
  const lines = [
    ["Date", new Date().toISOString().replace(/\.\d+Z$/, "Z")],
    ...describeMachine(),
    [
      "PostgreSQL",
      `${version?.setting} (${durability.map(({ name, setting }) => `${name} ${setting}`).join(", ")})`,
    ],
    ["Packages", packages.map((name) => `${name} ${versionOf(name)}`).join(", ")],
  ];
  return lines.map(([name, value]) => `- ${name}: ${value}`).join("\n");
}

/** Read as a file, because not every package exports its package.json. */
function versionOf(name: string): string {
  return JSON.parse(readFileSync(join(projectRoot(), "node_modules", name, "package.json"), "utf8")).version;
}
