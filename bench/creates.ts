import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../server/kernel/project-root";
import { compile, type Server, startServers } from "./installation";
import type { LoadOrder, LoadResult } from "./load";
import { describeRun } from "./machine";
import type { Options } from "./options";
import { cpuMicros, peakRssBytes, resetPeakRss } from "./process-stats";
import { type Cell, type Kind, show, tableOf } from "./report";

type Say = (line: string) => void;
type Run = { server: Server; kind: Kind; connections: number; windowMs: number };

const kinds: Kind[] = ["single", "bulk"];
const connectionCounts = [1, 16, 64];
/** RESULTS.md has the medians of at least so many. */
const leastRounds = 5;
const titles = { single: "Single creates", bulk: "Bulks of 100" };
const paths = { single: "/api/v1/subscribers", bulk: "/api/v1/subscribers/bulk" };
const peopleInBulk = 100;
const warmUpMs = 2000;

/** Measures creates of the product beside those of the floor, on one PostgreSQL; a whole run writes bench/RESULTS.md. */
export async function benchCreates(options: Options, say: Say): Promise<void> {
  const servers = await startServers();
  const about = await describeRun((servers[0] as Server).database);
  say(about);
  const cells = await measureRounds(options, servers, say);
  const tables = kinds.map((kind) => `## ${titles[kind]}\n\n${tableOf(kind, cells)}`).join("\n\n");
  say(`\nMedians of ${options.rounds}\n\n${tables}`);
  if (options.rounds < leastRounds)
    return say(`\nbench/RESULTS.md is left as it was: only a run of ${leastRounds} rounds writes it.`);
  const file = join(projectRoot(), "bench", "RESULTS.md");
  writeFileSync(file, reportOf(options, about, tables));
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
    servers.map((server) => ({ ...one, server, rounds: [] as Cell["rounds"] })),
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
  const url = new URL(paths[kind], server.url).href;
  const result = await runLoad({ url, key, connections, batch, windowMs });
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

/** Compares the answers to one request of each kind with contract.md: all servers do the same work. */
async function checkAnswers(server: Server): Promise<void> {
  await clear(server);
  const person = { email: "Ada.Check@example.org", name: " Ada  King Lovelace " };
  checkRecord(server, await post(server, "single", person), person.email);
  const second = { email: "second@example.org", status: "active" };
  const { created } = (await post(server, "bulk", [second])) as { created: unknown[] };
  checkRecord(server, created[0], second.email);
}

const clear = ({ database }: Server) => database.query("TRUNCATE subscribers CASCADE");

async function post(server: Server, kind: Kind, body: unknown): Promise<unknown> {
  const answer = await fetch(new URL(paths[kind], server.url), {
    method: "POST",
    headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`${server.name} answered ${answer.status}: ${text}`);
  return JSON.parse(text).data;
}

function checkRecord(server: Server, record: unknown, email: string): void {
  const { created_at: createdAt = "", ...rest } = record as Record<string, string>;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/.test(createdAt);
  if (Object.keys(rest).sort().join() !== "email,id,name,status" || rest.email !== email || !isTime)
    throw new Error(`${server.name} answered with another record: ${JSON.stringify(record)}`);
}

const reportOf = ({ rounds, windowMs }: Options, about: string, tables: string) => `# What a create costs

Written by \`npm run bench\`; to repeat it, run that in a fresh clone on a machine that has nothing else to do
(about six minutes; \`npm run bench -- --help\` for shorter ones). Everything, the load client too, shares the processors below.

${about}

Two servers over one PostgreSQL (fresh, durable), each with the same requests:
**floor**, hand-written on Fastify and \`pg\` (bench/floor.ts); **REST in front**, Rollcall as \`npm start\` serves it.
Rate limits are off, the table is empty at each start, every 201 is found as a row afterwards.
Medians of ${rounds} interleaved rounds of ${windowMs / 1000} s; the ratio is the median of each round's own. CPU is the server process's time per request,
without PostgreSQL's; peak MB the most memory it held in any round.

${tables}
`;
