/**
 * bench: side-by-side measurements of the product and a hand-written floor, on one PostgreSQL. Nothing outside imports
 * it. `npm run bench -- --help` tells the options; this file is the run from beginning to end.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../server/kernel/project-root";
import { buildProcesses } from "./build-processes";
import { Child } from "./child";
import { Ending } from "./ending";
import { benchImport } from "./import";
import { describeMachine } from "./machine";
import { checkAnswers, measure } from "./measure";
import { isWhole, type Options, readOptions, usage } from "./options";
import { benchPeopleList } from "./people-list";
import { type Cell, show, tableOf } from "./report";
import { titles, writeResults } from "./results";
import { type Server, setUpProduct, startFloor, startGround, startRollcall } from "./servers";

const say = (line: string) => process.stdout.write(`${line}\n`);
const warmUpMs = 2000;

async function run(options: Options, ending: Ending, signal: AbortSignal): Promise<void> {
  const root = projectRoot();
  const folder = mkdtempSync(join(tmpdir(), "rollcall-bench-"));
  ending.add(folder, () => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o711); // started by root, PostgreSQL runs as another user and must pass through

  const built = await buildProcesses(root);
  signal.throwIfAborted();
  const ground = await startGround(folder, ending, say);
  const load = Child.start("the load client", built.load);
  ending.add("the load client", () => load.stop());

  const servers: Server[] = [];
  const start = async (server: Promise<Server>) => {
    servers.push(await server);
    signal.throwIfAborted();
  };
  await start(startFloor(ground, built, ending));
  say("Starting the product");
  const key = await setUpProduct(ground);
  signal.throwIfAborted();
  await start(startRollcall(key, ground, ending));
  const machine = await describeMachine(root, ground.product);
  for (const [name, value] of machine) say(`${name}: ${value}`);

  const cells = await measureRounds(options, servers, load, signal);
  for (const kind of options.kinds)
    say(`\n${titles[kind]}, medians of ${options.rounds}\n\n${tableOf(kind, cells)}`);
  if (isWhole(options)) say(`\nWritten to ${writeResults(root, { options, machine, cells })}`);
  else say("\nbench/RESULTS.md is left as it was: only a whole run writes it.");
}

/** Every server once in turn under each load, and that as often as there are rounds. */
async function measureRounds(
  options: Options,
  servers: Server[],
  load: Child,
  signal: AbortSignal,
): Promise<Cell[]> {
  const { windowMs } = options;
  for (const server of servers) await checkAnswers(server);
  for (const kind of options.kinds) {
    say(`Warming up: ${titles[kind].toLowerCase()}`);
    for (const server of servers)
      await measure(load, server, { kind, connections: 16, windowMs: warmUpMs }, signal);
  }
  const cells: Cell[] = options.kinds.flatMap((kind) =>
    options.connections.flatMap((connections) =>
      servers.map((server): Cell => ({ kind, connections, server: server.name, rounds: [] })),
    ),
  );
  say(`Measuring ${servers.map(({ name }) => name).join(", ")}, in requests/s:`);
  for (let round = 1; round <= options.rounds; round += 1) {
    let line = `${round} of ${options.rounds} `;
    for (const [i, cell] of cells.entries()) {
      const server = servers[i % servers.length] as Server;
      const measured = await measure(load, server, { ...cell, windowMs }, signal);
      cell.rounds.push(measured);
      if (i % servers.length === 0) line += ` | ${cell.kind} ${cell.connections}:`;
      line += ` ${show(measured.requestsPerSecond, 0)}`;
      if (process.stdout.isTTY) process.stdout.write(`\r${line}`);
    }
    say(process.stdout.isTTY ? "" : line);
  }
  return cells;
}

async function main(): Promise<number> {
  let options: Options | "help";
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  if (options === "help") {
    say(usage);
    return 0;
  }
  if (options.import) {
    await benchImport(say);
    return 0;
  }
  if (options.people) {
    await benchPeopleList(projectRoot(), options.people, say);
    return 0;
  }
  if (options.mutation) {
    const { benchMutation } = await import("./mutation");
    await benchMutation(projectRoot(), options.mutation, say);
    return 0;
  }
  const ending = new Ending();
  const interruption = new AbortController();
  const interrupt = (by: string) =>
    interruption.abort(new Error(`interrupted by ${by}; ending what was started`));
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => interrupt(name));
  // `npm run bench | head`: an error that nobody listens to would end this process and leave the others.
  process.stdout.on("error", () => interrupt("a closed output"));
  process.stderr.on("error", () => {});
  try {
    await run(options, ending, interruption.signal);
    return 0;
  } catch (error) {
    if (interruption.signal.aborted) {
      // Ctrl-C reaches the other processes too: what they then say of each other is not the cause.
      process.stderr.write(`\nbench: ${interruption.signal.reason.message}\n`);
      return 130;
    }
    process.stderr.write(`\nbench: ${error instanceof Error ? error.stack : error}\n`);
    return 1;
  } finally {
    await ending.run();
  }
}

process.exit(await main());
