import type { Child } from "./child";
import type { LoadFailure, LoadOrder, LoadResult } from "./load";
import type { Kind } from "./options";
import { cpuMicros, peakRssBytes, resetPeakRss } from "./process-stats";
import type { Server } from "./servers";

export interface Measurement {
  /** Requests answered with 201, those before and after the counted window included. */
  accepted: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time of the load client per request, in microseconds. */
  clientMicros: number;
  /** CPU time of the server process (not PostgreSQL) per request, in microseconds; undefined where there is no /proc. */
  serverMicros: number | undefined;
  peakRssBytes: number | undefined;
}

export interface Task {
  kind: Kind;
  connections: number;
  windowMs: number;
}

const peopleInBulk = 100;
const rampMs = 300;

/**
 * Puts one server under load once. Starts from an empty table and a finished checkpoint, so that nobody pays for what
 * another one wrote, and afterwards counts the rows: an answer without its row fails the bench.
 */
export async function measure(
  load: Child,
  server: Server,
  task: Task,
  signal: AbortSignal,
): Promise<Measurement> {
  await clear(server);
  await server.database.query("CHECKPOINT");
  resetPeakRss(server.pid);
  const cpuBefore = cpuMicros(server.pid);

  load.send({
    url: new URL(pathOf(task.kind), server.url).href,
    key: server.key,
    connections: task.connections,
    batch: task.kind === "bulk" ? peopleInBulk : undefined,
    rampMs,
    windowMs: task.windowMs,
  } satisfies LoadOrder);
  const result = await load.next<LoadResult | LoadFailure>(signal);
  if ("failure" in result)
    throw new Error(`${server.name}, ${task.kind}, ${task.connections}: ${result.failure}`);

  const cpuAfter = cpuMicros(server.pid);
  const people = result.accepted * (task.kind === "bulk" ? peopleInBulk : 1);
  const kept = await server.database.query<{ rows: string }>("SELECT count(*) AS rows FROM subscribers");
  if (Number(kept.rows[0]?.rows) !== people) {
    throw new Error(`${server.name} acknowledged ${people} people and the table holds ${kept.rows[0]?.rows}`);
  }
  return {
    accepted: result.accepted,
    requestsPerSecond: result.requestsPerSecond,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    clientMicros: result.clientMicros,
    serverMicros:
      cpuBefore === undefined || cpuAfter === undefined
        ? undefined
        : (cpuAfter - cpuBefore) / result.accepted,
    peakRssBytes: peakRssBytes(server.pid),
  };
}

/** Sends one request of each kind by fetch and compares the answers with contract.md: all servers do the same work. */
export async function checkAnswers(server: Server): Promise<void> {
  await clear(server);
  const person = { email: "Ada.Check@example.org", name: " Ada  King Lovelace " };
  const single = await post(server, "single", person);
  checkRecord(server, single.data, person.email);
  const bulk = await post(server, "bulk", [{ email: "second@example.org", status: "active" }]);
  checkRecord(server, (bulk.data as { created?: unknown[] }).created?.[0], "second@example.org");
}

async function clear(server: Server): Promise<void> {
  await server.database.query("TRUNCATE subscribers CASCADE");
}

async function post(server: Server, kind: Kind, body: unknown): Promise<{ data: unknown }> {
  const answer = await fetch(new URL(pathOf(kind), server.url), {
    method: "POST",
    headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 201)
    throw new Error(`${server.name} answered ${answer.status}: ${text.slice(0, 600)}`);
  return JSON.parse(text);
}

function checkRecord(server: Server, record: unknown, email: string): void {
  const { created_at: createdAt = "", ...rest } = (record ?? {}) as Record<string, string>;
  const fields = Object.keys(rest).sort().join();
  const rightTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/.test(createdAt);
  if (fields !== "email,id,name,status" || rest.email !== email || !rightTime) {
    throw new Error(`${server.name} answered with another record: ${JSON.stringify(record)}`);
  }
}

function pathOf(kind: Kind): string {
  return kind === "single" ? "/api/v1/subscribers" : "/api/v1/subscribers/bulk";
}
