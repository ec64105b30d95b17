import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createAccount, createNewsletter } from "../server/accounts/newsletters";
import { projectRoot } from "../server/kernel/project-root";
import { getOverview } from "../server/operations/overview";
import { openDatabase } from "../server/platform/db/client";
import { migrate } from "../server/platform/db/migrate";
import { startEmbeddedPostgres } from "../server/platform/postgres/embedded-postgres";
import { countMatching, listPeople } from "../server/subscribers/people";
import { flushTrigrams, indexNewest } from "../server/subscribers/queries/search-index";
import { resolvePeopleFilter } from "../server/subscribers/segments";
import { removeDataDir, throwawayDataDir } from "../server/test/throwaway-cluster";
import { begin } from "./ending";
import { connect } from "./installation";
import { quantile } from "./load";
import { describeRun } from "./machine";
import { cases, defineAttributes, fill, fillMails } from "./people-cases";

type Say = (line: string) => void;

const ROUNDS = 60;
const warmUpRounds = 5;
/** Added last, and not yet in the copy that searches read. */
const FRESH = 5_000;

const number = (value: number) => Math.round(value).toLocaleString("en");

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function quantiles(took: number[]): string {
  const sorted = took.toSorted((a, b) => a - b);
  return `${quantile(sorted, 0.5).toFixed(1)} | ${quantile(sorted, 0.95).toFixed(1)}`;
}

/** A durable PostgreSQL with the settings of a real one, and a newsletter without people. */
async function openGround(say: Say) {
  const dataDir = await begin("the data folder", throwawayDataDir, removeDataDir);
  const cluster = await begin(
    "PostgreSQL",
    () => startEmbeddedPostgres({ dataDir, durable: true, log: say }),
    (one) => one.stop(),
  );
  await migrate({ url: cluster.url, log: () => {} });
  const database = await begin(
    "the database",
    () => openDatabase({ url: cluster.url, poolSize: 4, onError: () => {} }),
    (one) => one.close(),
  );
  const ctx = { db: database.db, actor: { kind: "operator" } as const, requestId: "bench" };
  const account = await createAccount(ctx, { name: "Bench" });
  const newsletter = await createNewsletter(ctx, { accountId: account.id, name: "Bench" });
  await defineAttributes(ctx, newsletter);
  const sql = await connect(cluster.url);
  return {
    ctx,
    sql,
    newsletterId: newsletter.id,
    /** Copies everyone for searches, as the indexer does, but without its rests. @returns how many */
    async index(): Promise<number> {
      let copied = 0;
      for (let some = 1; some > 0; copied += some) some = await indexNewest(sql, newsletter.id, 0);
      await flushTrigrams(sql);
      return copied;
    },
  };
}
type Ground = Awaited<ReturnType<typeof openGround>>;

/** Adds people, all but the last of them in the copy for searches. @returns a sentence about sizes and the copying */
async function addPeople({ sql, newsletterId, index }: Ground, people: number): Promise<string> {
  const old = people - FRESH;
  for (let from = 1; from <= old; from += 250_000)
    await sql.query(fill(people, from, Math.min(from + 249_999, old)), [newsletterId]);
  let copied = 0;
  const copying = (await timed(async () => (copied = await index()))) / 1000;
  await sql.query(fillMails, [newsletterId]);
  for (const table of ["mails", "subscribers", "people_search"]) await sql.query(`VACUUM ANALYZE ${table}`);
  await sql.query(fill(people, old + 1, people), [newsletterId]);
  const { rows } = await sql.query<{ list: string; copy: string }>(
    "SELECT pg_size_pretty(pg_total_relation_size('subscribers')) AS list, pg_size_pretty(pg_total_relation_size('people_search')) AS copy",
  );
  return `${number(people)} people on one newsletter (bench/people-cases.ts says how they are drawn): ${rows[0]?.list} with all indexes,
their copy for searches ${rows[0]?.copy} more. Copying ${number(copied)} took ${number(copying)} s of work, ${number(copied / copying)} people a second;
the indexer rests twice as long as it works, 25 times as long while many are being added.`;
}

/** Times a page and a count of each case, and the overview's growth. @returns the table in Markdown */
async function measure({ ctx, newsletterId }: Ground): Promise<string> {
  const took = cases.map((one) => ({ ...one, pages: [] as number[], counts: [] as number[] }));
  const growth: number[] = [];
  const newsletter = { id: newsletterId, timeZone: "Asia/Kolkata" };
  // In turn, so that other work of the machine affects all alike.
  for (let n = 0; n < warmUpRounds + ROUNDS; n++) {
    for (const { filter, order = "newest", pages, counts } of took) {
      const filters = filter ? [filter(n)] : [];
      const asked = () => resolvePeopleFilter(ctx, { newsletterId, filter: { filters } });
      const page = { order, limit: 100, from: null };
      pages.push(await timed(async () => listPeople(ctx, { filter: await asked(), ...page })));
      counts.push(await timed(async () => countMatching(ctx, await asked())));
    }
    growth.push(await timed(() => getOverview(ctx, { newsletter, days: 365 })));
  }
  const measured = (times: number[]) => times.slice(warmUpRounds);
  return [
    "|  | page p50 | p95 | count p50 | p95 |\n| --- | ---: | ---: | ---: | ---: |",
    ...took.map(({ group, name, pages, counts }) => {
      const cells = [pages, counts].map((times) => quantiles(measured(times)));
      return `| ${group}: ${name} | ${cells.join(" | ")} |`;
    }),
    ...[...new Set(took.map(({ group }) => group))].map((group) => {
      const ones = took.filter((one) => one.group === group);
      const [pages, counts] = [ones.map((one) => one.pages), ones.map((one) => one.counts)];
      const cells = [pages, counts].map((lists) => quantiles(lists.flatMap(measured)));
      return `| **${group}, all of these alike** | ${cells.join(" | ")} |`;
    }),
    `| overview, 365 days of growth | ${quantiles(measured(growth))} | | |`,
  ].join("\n");
}

/** The People page and the overview's growth on a big list, in this process: from the call of the service to its answer. */
export async function benchPeopleList(people: number, say: Say): Promise<void> {
  const ground = await openGround(say);
  say(`Adding ${number(people)} people`);
  const sizes = await addPeople(ground, people);
  const machine = await describeRun(ground.sql);
  const first = await measure(ground);
  say(first);
  await ground.index();
  const second = await measure(ground);
  say(second);
  const file = join(projectRoot(), "bench", "PEOPLE.md");
  const command = `npm run bench -- --people ${people}`;
  writeFileSync(file, reportOf({ command, machine, sizes, first, second }));
  say(`\nWritten to ${file}`);
}

const reportOf = (texts: Record<"command" | "machine" | "sizes" | "first" | "second", string>) =>
  `# What the People page costs

Written by \`${texts.command}\`; to repeat it, run that on a machine that has nothing else to do.
In the server's process, from the call of the service to its answer: without HTTP, and without the browser.

${texts.machine}

${texts.sizes}

## All but the last few thousand are in the copy

${number(FRESH)} people were added last and are found without it. Milliseconds, ${ROUNDS} of each in turn.

${texts.first}

## All are in it

${texts.second}
`;
