import { setTimeout as sleep } from "node:timers/promises";
import { type Product, runProgram } from "../../server/test/product";
import { ask, BULK } from "../contract/client";
import type { Fault } from "../fixtures/fake-resend";
import { type Staff, staffAt } from "../fixtures/staff";
import { kill9 } from "../process/pids";
import { type Site, until } from "../process/site";
import { type Load, startLoad } from "./load";
import { add, countRound, type GoesOn, playOn, type Tally } from "./tally";

/** A site under the rounds of one series, with what they need of it. */
type Stage = {
  site: Site;
  staff: Staff;
  product: Product;
  round: number;
  /** Numbers in [0, 1), the same in every run. */
  random: () => number;
  imports: string[];
};

/** Does what the moment is about and kills the server in it; what clients were told meanwhile is in the load. */
type Moment = (stage: Stage) => Promise<Load | undefined>;

/** Kills in the very moment of an answer; another number of answers in each round, so that it falls on other work. */
const underLoad =
  (strike: (stage: Stage) => unknown): Moment =>
  async (stage) => {
    const { site, product, round, random } = stage;
    const blowAfter = 40 + Math.floor(random() * 200);
    let struck: unknown;
    const load = startLoad([product], site.key, {
      prefix: `crash${round}`,
      onAnswer: (_, count) => {
        if (count === blowAfter) struck = strike(stage);
      },
    });
    await until("the blow", () => struck !== undefined);
    await struck;
    await product.kill9();
    await load.stop();
    return load;
  };

/** Kills while the provider has a request and has not answered it. */
const whileSending =
  (fault: Fault): Moment =>
  async ({ site, product, round }) => {
    const { fake, key } = site;
    const before = new Set(fake.requests.map((request) => request.key));
    fake.fault(fault);
    const [single, ...bulk] = Array.from({ length: 5 }, (_, i) => ({
      email: `held${round}-${i}@lovelace.org`,
      status: "pending",
    }));
    await ask(product, { key, json: single });
    await ask(product, { key, json: bulk, path: BULK });
    await until("a request at the provider", () => fake.requests.some((one) => !before.has(one.key)));
    await product.kill9();
    fake.heal();
    return undefined;
  };

const importSize = 3_000;

async function beginImport({ site, staff, product, round, imports }: Stage) {
  const { newsletterId } = site;
  const { trpc, addList } = staff.at(product.url);
  const rows = Array.from({ length: importSize }, (_, i) => ({
    email: `i${i}.round${round}@list.example`,
    name: `Reader ${i}`,
  }));
  const importId = await addList(newsletterId, rows);
  imports.push(importId);
  return { importId, trpc };
}

/** Resolves when the import has written `share` of its people. */
const written = ({ site }: Stage, importId: string, share: number) =>
  until("an import's progress", async () => {
    const [one] = await site.sql<{ state: string; written: number }>(
      "SELECT state, written::int FROM imports WHERE id = $1",
      [importId],
    );
    return one?.state === "done" || (one?.written ?? 0) >= share * importSize;
  });

const duringImport =
  (share: (random: () => number) => number): Moment =>
  async (stage) => {
    const { importId } = await beginImport(stage);
    await written(stage, importId, share(stage.random));
    await stage.product.kill9();
    return undefined;
  };

const duringUndo: Moment = async (stage) => {
  const { importId, trpc } = await beginImport(stage);
  const { newsletterId } = stage.site;
  await until("the import's end", async () => {
    const { state } = await trpc.imports.get.query({ newsletterId, importId });
    return state === "done";
  });
  await trpc.imports.undo.mutate({ newsletterId, importId });
  await sleep(stage.random() * 250);
  await stage.product.kill9();
  return undefined;
};

/** Ends the server as an operator does, starts it, and kills that start wherever it is. */
const duringStart: Moment = async ({ site, product, random }) => {
  await product.stop();
  const { port } = new URL(product.url);
  const program = runProgram([process.execPath, "server/launch.mjs", "start"], { ...site.env, PORT: port });
  await sleep(random() * 2_500);
  program.child.kill("SIGKILL");
  await program.ended;
  return undefined;
};

const duringStop: Moment = async (stage) => {
  const strike = async ({ product, random }: Stage) => {
    process.kill(product.pid, "SIGTERM");
    await sleep(random() * 1_200);
  };
  return underLoad(strike)(stage);
};

/** Kills the process of one connection, in whatever statement it is. */
const oneBackend = async ({ site }: Stage) => {
  const rows = await site.sql<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'rollcall' AND state = 'active' LIMIT 1",
  );
  kill9(rows.map(({ pid }) => pid));
};

const server = ({ product }: Stage) => void process.kill(product.pid, "SIGKILL");

const moments: Record<string, Moment> = {
  "clients write: the server": underLoad((stage) => [server(stage)]),
  "clients write: the server, then PostgreSQL": underLoad((stage) => [
    server(stage),
    kill9(stage.site.postgresPids()),
  ]),
  "clients write: PostgreSQL, then the server": underLoad((stage) => [kill9(stage.site.postgresPids())]),
  "clients write: PostgreSQL, and the server while it starts that again": underLoad(async (stage) => {
    kill9(stage.site.postgresPids());
    await sleep(stage.random() * 1_500);
  }),
  "clients write: one connection in mid-statement, then the server": underLoad(oneBackend),
  "a batch is written down, and the provider has not got it": whileSending({ kind: "silence" }),
  "the provider has the mails, and has not said so": whileSending({ kind: "silence", after: true }),
  "the provider takes the mails when nobody waits any more": whileSending({ kind: "slow", ms: 3_000 }),
  "an import writes people": duringImport((random) => 0.05 + 0.8 * random()),
  "an import commits": duringImport(() => 1),
  "an import is undone": duringUndo,
  "the server starts": duringStart,
  "the server stops": duringStop,
};

/** A short run plays these alone: its time is mostly that of starts. */
const momentsOfShortRun = [
  "clients write: the server, then PostgreSQL",
  "clients write: one connection in mid-statement, then the server",
  "the provider has the mails, and has not said so",
  "an import writes people",
  "an import is undone",
  "the server starts",
  "the server stops",
];

const WHOLE = `SELECT i.id, i.state, (SELECT count(*)::int FROM subscribers s WHERE s.newsletter_id = i.newsletter_id
  AND s.source = 'import' AND s.source_id = i.id) AS people FROM imports i WHERE i.id = ANY ($1)`;

/** Imports that never end, or are there by halves. */
async function strandedImports({ site, imports }: Stage): Promise<string[]> {
  type Row = { id: string; state: string; people: number };
  const look = () => site.sql<Row>(WHOLE, [imports]);
  const isWhole = ({ state, people }: Row) =>
    state === "done" ? people === importSize || people === 0 : people === 0;
  const isOver = async () => {
    const rows = await look();
    return rows.every((row) => row.state !== "running" && isWhole(row));
  };
  await until("the imports' end", isOver, 120).catch(() => {});
  return (await look())
    .filter((row) => row.state === "running" || !isWhole(row))
    .map(({ id, state, people }) => `import ${id} is ${state} with ${people} people`);
}

/** Compares the counts of triggers with the rows. */
async function miscounts({ site }: Stage): Promise<string[]> {
  const [counts] = await site.sql<{ counted: number; there: number }>(
    "SELECT (SELECT sum(people) FROM subscriber_counts)::int AS counted, (SELECT count(*) FROM subscribers)::int AS there",
  );
  return counts?.counted === counts?.there
    ? []
    : [`${counts?.counted} are counted, ${counts?.there} are there`];
}

/** Plays each of these moments in turn on one site, until `isOver`, and then looks at what is left. */
async function playSeries(
  tally: Tally,
  names: string[],
  { random, isOver }: { random: () => number; isOver: (played: number) => boolean },
) {
  await playOn(tally, { database: "own" }, async (site) => {
    const staff = await staffAt(site.first.url, "ada@lovelace.org", "correct horse battery");
    const stage: Stage = { site, staff, product: site.first, round: 0, random, imports: [] };
    for (; stage.round < names.length * 2 && !isOver(stage.round); stage.round++) {
      const name = names[stage.round % names.length] as string;
      const load = await (moments[name] as Moment)(stage);
      const began = performance.now();
      stage.product = await site.start();
      tally.longestOutageMs = Math.max(tally.longestOutageMs, performance.now() - began);
      await countRound(tally, name, site, load);
    }
    tally.stranded.push(...(await strandedImports(stage)), ...(await miscounts(stage)));
    add(tally, "imports", stage.imports.length);
  });
}

/** Kills the server at every moment of the run at least once, then goes on until the time is over. */
export async function playCrashes(tally: Tally, random: () => number, goesOn: GoesOn): Promise<void> {
  const names = goesOn() ? Object.keys(moments) : momentsOfShortRun;
  do {
    const least = tally.rounds < names.length ? names.length : 0;
    await playSeries(tally, names, { random, isOver: (played) => played >= least && !goesOn() });
  } while (goesOn());
}
