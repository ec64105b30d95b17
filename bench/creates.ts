import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../server/kernel/project-root";
import { compile } from "./installation";
import type { LoadOrder, LoadResult } from "./load";
import { describeRun } from "./machine";
import type { Options } from "./options";
import { cpuMicros, peakRssBytes, resetPeakRss } from "./process-stats";
import { type Cell, conclusionOf, type Kind, kinds, show, tableOf } from "./report";
import { createdStatus, pathOf, type Server, startServers } from "./servers";

type Say = (line: string) => void;
type Run = { server: Server; kind: Kind; connections: number; windowMs: number };

const connectionCounts = [1, 16, 64];
/** RESULTS.md has the medians of at least so many. */
const leastRounds = 5;
const titles = { single: "Single creates", bulk: "Bulks of 100" };
const peopleInBulk = 100;
const warmUpMs = 2000;

/** Measures creates of the product beside those of other servers, on one PostgreSQL; a whole run writes bench/RESULTS.md. */
export async function benchCreates(options: Options, say: Say): Promise<void> {
  const servers = await startServers(options.peer);
  const about = await describeRun((servers[0] as Server).database);
  say(about);
  const cells = await measureRounds(options, servers, say);
  const tables = kinds.map((kind) => `## ${titles[kind]}\n\n${tableOf(kind, cells)}`).join("\n\n");
  const conclusion = conclusionOf(cells);
  say(`\nMedians of ${options.rounds}\n\n${tables}\n\n${conclusion}`);
  if (options.rounds < leastRounds)
    return say(`\nbench/RESULTS.md is left as it was: only a run of ${leastRounds} rounds writes it.`);
  const file = join(projectRoot(), "bench", "RESULTS.md");
  // The section at the end is written by hand.
  const goals = readFileSync(file, "utf8").match(/^## Goals\n[\s\S]*/m)?.[0];
  const report = reportOf(options, { about, servers, conclusion, tables });
  writeFileSync(file, goals ? `${report}\n${goals}` : report);
  say(`\nWritten to ${file}`);
}

/** Measures every server once in turn under each load, and that as often as there are rounds. */
async function measureRounds(options: Options, servers: Server[], say: Say): Promise<Cell[]> {
  const load: typeof import("./load") = await import(await compile("load"));
  const { rounds, windowMs } = options;
  for (const server of servers) await checkAnswers(server);
  for (const kind of kinds) {
    say(`Warming up: ${titles[kind].toLowerCase()}`);
    for (const server of servers)
      await measure(load.runLoad, { server, kind, connections: 16, windowMs: warmUpMs });
  }
  const loads = kinds.flatMap((kind) => connectionCounts.map((connections) => ({ kind, connections })));
  const cells = loads.flatMap((one) =>
    servers
      .filter(({ isPeer }) => !(isPeer && one.kind === "bulk" && one.connections === 64))
      .map((server) => ({ ...one, server, rounds: [] as Cell["rounds"] })),
  );
  say(`Measuring ${servers.map(({ name }) => name).join(", ")}, in requests/s:`);
  for (let round = 1; round <= rounds; round += 1) {
    let line = `${round} of ${rounds} `;
    for (const { rounds: measured, ...cell } of cells) {
      const one = await measure(load.runLoad, { ...cell, windowMs });
      measured.push(one);
      if (cell.server === servers[0]) line += ` | ${cell.kind} ${cell.connections}:`;
      line += ` ${show(one.requestsPerSecond, 0)}`;
    }
    say(line);
  }
  return cells.map(({ server, ...cell }) => ({ ...cell, server: server.name }));
}

/**
 * Puts one server under load once. Starts from an empty table and a finished checkpoint, so that no server pays for
 * rows of another, and counts the rows afterwards: an answer without its row fails the bench.
 */
async function measure(
  runLoad: (order: LoadOrder) => Promise<LoadResult>,
  { server, kind, connections, windowMs }: Run,
): Promise<Cell["rounds"][number]> {
  const { name, pid, key, database } = server;
  await clear(server);
  await database.query("CHECKPOINT");
  resetPeakRss(pid);
  const cpuBefore = cpuMicros(pid);
  const batch = kind === "bulk" ? peopleInBulk : undefined;
  const url = new URL(pathOf(server, kind), server.url).href;
  const result = await runLoad({ url, key, expected: createdStatus(server), connections, batch, windowMs });
  const cpuAfter = cpuMicros(pid);
  const people = result.accepted * (batch ?? 1);
  const { rows } = await database.query<{ people: number }>(
    "SELECT count(*)::int AS people FROM subscribers",
  );
  if (rows[0]?.people !== people)
    throw new Error(`${name} acknowledged ${people} people, and the table has ${rows[0]?.people}`);
  return {
    ...result,
    serverMicros: (cpuAfter - cpuBefore) / result.accepted,
    peakRssBytes: peakRssBytes(pid),
  };
}

/** Checks the answers to one request of each kind, and the emails of those who must confirm. */
async function checkAnswers(server: Server): Promise<void> {
  await clear(server);
  const person = { email: "Ada.Check@example.org", name: " Ada  King Lovelace ", status: "pending" };
  checkRecord(server, await post(server, "single", person), person.email);
  const second = { email: "second@example.org", status: "pending" };
  const data = await post(server, "bulk", [second]);
  const [record] = server.isPeer ? (data as unknown[]) : (data as { created: unknown[] }).created;
  checkRecord(server, record, second.email);
  if (!server.queuesMail) return;
  const { rows } = await server.database.query<{ mails: number }>("SELECT count(*)::int AS mails FROM mails");
  if (rows[0]?.mails !== 2) throw new Error(`${server.name} queued ${rows[0]?.mails} emails, not 2`);
}

const clear = ({ database }: Server) => database.query("TRUNCATE subscribers CASCADE");

async function post(server: Server, kind: Kind, body: unknown): Promise<unknown> {
  const answer = await fetch(new URL(pathOf(server, kind), server.url), {
    method: "POST",
    headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== createdStatus(server))
    throw new Error(`${server.name} answered ${answer.status}: ${text}`);
  return JSON.parse(text).data;
}

function checkRecord(server: Server, record: unknown, email: string): void {
  const { created_at: createdAt = "", ...rest } = record as Record<string, string>;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\+00:00|\.\d+Z)$/.test(createdAt);
  if (Object.keys(rest).sort().join() !== "email,id,name,status" || rest.email !== email || !isTime)
    throw new Error(`${server.name} answered with another record: ${JSON.stringify(record)}`);
}

type Findings = { about: string; servers: Server[]; conclusion: string; tables: string };

const reportOf = (
  { rounds, windowMs, peer }: Options,
  { about, servers, conclusion, tables }: Findings,
) => `# What a create costs

Written by \`npm run bench${peer ? ` -- --peer ${peer}` : ""}\`; to repeat it, run that in a fresh clone on a machine that has nothing else to do
(about ten minutes; \`npm run bench -- --help\` for shorter ones). Everything, the load client too, shares the processors below.

${about}

${conclusion}

## The servers

All servers use one PostgreSQL (fresh, durable) and get the same requests:

${servers.map((server) => `- **${server.name}**: ${server.about}`).join("\n")}

The ratio to **by hand** shows what Rollcall's own code costs. The ratio to the floor adds the work itself and its tables.
Rate limits are off, the table is empty at each start, and every success is found as a row afterwards.
Medians of ${rounds} interleaved rounds of ${windowMs / 1000} s; the ratio is the median of each round's own. CPU is the server process's time per request,
without PostgreSQL's; peak MB the most memory it held in any round.

${tables}
`;
