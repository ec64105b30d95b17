import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { createAccount, createNewsletter } from "../server/accounts/newsletters";
import { readLog } from "../server/events/changes";
import { toAppError } from "../server/kernel/errors";
import { LOWEST_ID } from "../server/kernel/ids";
import { projectRoot } from "../server/kernel/project-root";
import { DAY_MS, WEEK_MS } from "../server/kernel/time";
import { getOverview } from "../server/operations/overview";
import { openDatabase } from "../server/platform/db/client";
import { migrate } from "../server/platform/db/migrate";
import { startEmbeddedPostgres } from "../server/platform/postgres/embedded-postgres";
import { urlOf } from "../server/platform/postgres/sessions";
import { countMatching, listPeople } from "../server/subscribers/people";
import { findBacklogs, flushTrigrams, indexNewest } from "../server/subscribers/queries/search-index";
import { resolvePeopleFilter } from "../server/subscribers/segments";
import { listSubscribers, resolveListQuery } from "../server/subscribers/subscriber-lists";
import { removeDataDir, throwawayDataDir } from "../server/test/throwaway-cluster";
import { begin } from "./ending";
import { connect } from "./installation";
import { quantile } from "./load";
import { describeRun } from "./machine";
import { cases, defineAttributes, fill, fillMails, newest, restCases } from "./people-cases";
import { benchProcesses } from "./people-processes";
import { addSection } from "./report";

type Say = (line: string) => void;

const ROUNDS = 60;
const WARM_UP_ROUNDS = 5;
/** With many people, fewer rounds are measured and warmed up: so many as take this long. */
const MEASURE_MS = 210_000;
const WARM_UP_MS = 20_000;
/** Added last, and not yet in the copy that searches read. */
const FRESH = 5_000;
const CHUNK = 250_000;
/** Positions in the list that REST pages and the change feed start at. */
const PLACES = 100;

const number = (value: number) => Math.round(value).toLocaleString("en");

/** Counts the time up to a cancellation by the time limit of statements, too. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work().catch((error) => {
    if (toAppError(error).code !== "service_unavailable") throw error;
  });
  return performance.now() - began;
}

const sorted = (took: number[]) => took.toSorted((a, b) => a - b);
const p95 = (took: number[]) => quantile(sorted(took), 0.95).toFixed(1);
const quantiles = (took: number[]) => `${quantile(sorted(took), 0.5).toFixed(1)} | ${p95(took)}`;

/** A durable PostgreSQL with the settings of a real one, and a newsletter: without people, or the one of an earlier run. */
async function openGround(folder: string | null, say: Say) {
  const dataDir = await begin(
    "the data folder",
    () => folder ?? throwawayDataDir(),
    (one) => folder ?? removeDataDir(one),
  );
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
  const open = () => connect(urlOf(join(dataDir, "postgres"), "postgres", "rollcall"));
  const [sql, copier] = [await open(), await open()];
  const note = join(dataDir, "people.json");
  const added = existsSync(note) ? JSON.parse(readFileSync(note, "utf8")) : null;
  return { ctx, sql, copier, url: cluster.url, note, added: added as Added | null };
}
type Ground = Awaited<ReturnType<typeof openGround>>;
/** The newsletter and a sentence about the adding of its people. */
type Added = { newsletterId: string; sentence: string };

/** Frequent checkpoints would double the time that adding takes. */
const whileAdding = { max_wal_size: "8GB", checkpoint_timeout: "1h" };

/** Adds people, all but the last of them in the copy for searches, which is filled at the same time. */
async function addPeople({ ctx, sql, copier, note }: Ground, people: number): Promise<Added> {
  const account = await createAccount(ctx, { name: "Bench" });
  const newsletter = await createNewsletter(ctx, { accountId: account.id, name: "Bench" });
  await defineAttributes(ctx, newsletter);
  const newsletterId = newsletter.id;
  for (const [name, value] of Object.entries(whileAdding))
    await sql.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  await sql.query("SELECT pg_reload_conf()");
  for (const one of [sql, copier])
    await one.query(
      "SET work_mem = '256MB'; SET maintenance_work_mem = '1GB'; SET gin_pending_list_limit = '64MB'; SET synchronous_commit = off",
    );
  const began = performance.now();
  const old = people - FRESH;
  let last = LOWEST_ID;
  const addFrom = async (from: number) => {
    await sql.query(fill(people, from, Math.min(from + CHUNK - 1, old)), [newsletterId]);
    await sql.query(fillMails, [newsletterId, last]);
    last = (await sql.query(newest, [newsletterId])).rows[0].id;
  };
  await addFrom(1);
  // Without statistics, the trigger of the copy would read all emails for each person who unsubscribed.
  await sql.query("ANALYZE subscribers, mails");
  let isFilled = false;
  const add = async () => {
    for (let from = 1 + CHUNK; from <= old; from += CHUNK) await addFrom(from);
    isFilled = true;
  };
  const copy = async () => {
    for (let copied = 0, took = 0; ; ) {
      const isLast = isFilled;
      const start = performance.now();
      const some = await indexNewest(copier, newsletterId, 0, 10_000);
      copied += some;
      took += performance.now() - start;
      if (some > 0) continue;
      if (isLast) return { copied, took: took / 1000 };
      await sleep(200);
    }
  };
  const [{ copied, took }] = await Promise.all([copy(), add()]);
  await flushTrigrams(copier);
  for (const table of ["mails", "changes", "subscribers", "people_search"])
    await sql.query(`VACUUM ANALYZE ${table}`);
  await sql.query(fill(people, old + 1, people), [newsletterId]);
  await sql.query("CHECKPOINT");
  for (const name of Object.keys(whileAdding)) await sql.query(`ALTER SYSTEM RESET ${name}`);
  await sql.query("SELECT pg_reload_conf()");
  for (const one of [sql, copier]) await one.query("RESET ALL");
  const added = {
    newsletterId,
    sentence: `Adding them and their emails took ${number((performance.now() - began) / 1000)} s. Copying ${number(copied)} for searches took ${number(took)} s of that, at the same time.`,
  };
  writeFileSync(note, JSON.stringify(added));
  return added;
}

/** What each table takes on the disk, with its indexes. */
async function sizesOf({ sql }: Ground, people: number): Promise<string> {
  const { rows } = await sql.query<{ name: string; table: number; all: number }>(
    `SELECT relname AS name, pg_table_size(oid)::float8 AS table, pg_total_relation_size(oid)::float8 AS all FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_total_relation_size(oid) > 1e7 ORDER BY 3 DESC`,
  );
  const perMillion = (bytes: number) => number((bytes / people) * 1e6 * 2 ** -20);
  const tables = rows.map(
    ({ name, table, all }) => `| \`${name}\` | ${perMillion(table)} | ${perMillion(all - table)} |`,
  );
  const all = rows.reduce((sum, row) => sum + row.all, 0);
  const head = "| MB per million people | table | indexes |\n| --- | ---: | ---: |";
  return `${head}\n${tables.join("\n")}\n| all: ${perMillion(all)} | | |`;
}

type Timed = {
  group: string;
  name: string;
  page(n: number): Promise<unknown>;
  count?(n: number): Promise<unknown>;
};

/** What is timed: pages and counts of the dashboard, pages of REST, the change feed and the overview's growth. */
async function timedCases({ ctx, sql }: Ground, newsletterId: string, people: number): Promise<Timed[]> {
  const ofPeople = cases.map(({ group, name, filter, order = "newest" }): Timed => {
    const asked = (n: number) =>
      resolvePeopleFilter(ctx, { newsletterId, filter: { filters: filter ? [filter(n)] : [] } });
    const page = { order, limit: 100, from: null };
    return {
      group,
      name,
      page: async (n) => listPeople(ctx, { filter: await asked(n), ...page }),
      count: async (n) => countMatching(ctx, await asked(n)),
    };
  });
  const { rows } = await sql.query<{ id: string; email: string; time: string }>(
    `SELECT p.id, p.email, p.time FROM generate_series(1, ${PLACES}) AS n CROSS JOIN LATERAL (
       SELECT id, lower(email) AS email, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS time FROM subscribers
       WHERE newsletter_id = $1 AND id > uuid_at(now() - interval '730 days' * n / ${PLACES}) ORDER BY id LIMIT 1) AS p
     ORDER BY n * 37 % ${PLACES}`,
    [newsletterId],
  );
  const at = <T>(places: T[], n: number) => places[n % places.length] as T;
  const rest = restCases(people).map(({ name, query = {}, order = "newest", value, page }): Timed => {
    const position = (n: number) => {
      if (page) return { page };
      const place = at(rows, n);
      return { after: { id: place.id, value: value ? place[value] : null } };
    };
    return {
      group: "REST",
      name,
      async page(n) {
        const filter = await resolveListQuery(ctx, { newsletterId, query });
        return listSubscribers(ctx, { filter, order, limit: 100, position: position(n) });
      },
    };
  });
  const { rows: places } = await sql.query<{ id: string; xid: string }>(
    "SELECT subscriber_id AS id, xid::text AS xid FROM changes WHERE newsletter_id = $1 AND subscriber_id = ANY ($2::uuid[])",
    [newsletterId, rows.map(({ id }) => id)],
  );
  const { epoch } = (await readLog(ctx, { newsletterId, after: null, limit: 1 })).next;
  const feed = (name: string, after: (n: number) => Parameters<typeof readLog>[1]["after"]): Timed => ({
    group: "feed",
    name,
    page: (n) => readLog(ctx, { newsletterId, after: after(n), limit: 100 }),
  });
  const newsletter = { id: newsletterId, timeZone: "Asia/Kolkata" };
  const own = { week: new Date(Date.now() - WEEK_MS), month: new Date(Date.now() - 30 * DAY_MS) };
  return [
    ...ofPeople,
    ...rest,
    feed("100 changes, anywhere", (n) => ({ epoch, ...at(places, n) })),
    feed("the present position", () => "now"),
    {
      group: "overview",
      name: "365 days of growth",
      page: () => getOverview(ctx, { newsletter, days: 365, own }),
    },
  ];
}

type Took = { group: string; name: string; pages: number[]; counts: number[] };

/** Times all cases in turn, so that other work of the machine affects all alike. */
async function measure(timedOnes: Timed[]): Promise<Took[]> {
  const took = timedOnes.map((one) => ({ ...one, pages: [] as number[], counts: [] as number[] }));
  let n = 0;
  const runFor = async (rounds: number, ms: number) => {
    const end = performance.now() + ms;
    for (const last = n + rounds; n < last && performance.now() < end; n++)
      for (const { page, count, pages, counts } of took) {
        pages.push(await timed(() => page(n)));
        if (count) counts.push(await timed(() => count(n)));
      }
  };
  await runFor(WARM_UP_ROUNDS, WARM_UP_MS);
  for (const { pages, counts } of took) {
    pages.length = 0;
    counts.length = 0;
  }
  await runFor(ROUNDS, MEASURE_MS);
  return took;
}

function tableOf(took: Took[]): string {
  const row = (name: string, pages: number[], counts: number[]) =>
    `| ${name} | ${quantiles(pages)} | ${counts.length > 0 ? quantiles(counts) : "|"} |`;
  const groups = [...new Set(took.flatMap(({ group, counts }) => (counts.length > 0 ? group : [])))];
  const whole = groups.map((group) => {
    const ones = took.filter((one) => one.group === group);
    return row(
      `**${group}, all of these alike**`,
      ones.flatMap((one) => one.pages),
      ones.flatMap((one) => one.counts),
    );
  });
  return [
    `| ${took[0]?.pages.length} of each | page p50 | p95 | count p50 | p95 |\n| --- | ---: | ---: | ---: | ---: |`,
    ...took.map(({ group, name, pages, counts }) => row(`${group}: ${name}`, pages, counts)),
    ...whole,
  ].join("\n");
}

/** The goals and what they are measured by. */
function goalsOf(took: Took[], creates: string): string {
  const of = (group: string) => took.filter((one) => one.group === group);
  const slowest = (ones: Took[]) =>
    ones.map(({ name, pages }) => ({ name, ms: Number(p95(pages)) })).reduce((a, b) => (b.ms > a.ms ? b : a));
  const worst = (ones: Took[]) => `${slowest(ones).ms} (${slowest(ones).name})`;
  const people = took.filter(({ counts }) => counts.length > 0);
  return [
    "| Goal | Measured |\n| --- | --- |",
    `| each list ≤ 20 ms at p95 | ${worst(of("list"))} |`,
    `| People page ≤ 80 ms at p95, all cases alike | ${p95(people.flatMap(({ pages }) => pages))} |`,
    `| change feed ≤ 100 ms at p95 | ${worst(of("feed"))} |`,
    `| creates ≥ 0.9 of those on an empty table | ${creates} |`,
  ].join("\n");
}

/** The People page, REST and the change feed on a big list, in this process; then the product's own processes on it. */
export async function benchPeopleList(people: number, folder: string | null, say: Say): Promise<void> {
  const ground = await openGround(folder, say);
  if (!ground.added) say(`Adding ${number(people)} people`);
  const { newsletterId, sentence } = ground.added ?? (await addPeople(ground, people));
  say(sentence);
  const machine = await describeRun(ground.sql);
  const pending = (await findBacklogs(ground.sql))[0]?.pending ?? 0;
  const sizes = await sizesOf(ground, people);
  say("Measuring");
  const took = await measure(await timedCases(ground, newsletterId, people));
  say(tableOf(took));
  const processes = await benchProcesses({ ...ground, newsletterId }, say);
  const section = `${machine}

${sentence} ${number(pending)} of them are not in the copy yet.

${sizes}

${goalsOf(took, processes.creates)}

${processes.sentences}

${tableOf(took)}`;
  const file = join(projectRoot(), "bench", "PEOPLE.md");
  const title = `${number(people)} people`;
  writeFileSync(file, addSection(existsSync(file) ? readFileSync(file, "utf8") : "", head, title, section));
  say(`\nWritten to ${file}`);
}

const head = `# What a long list costs

\`npm run bench -- --people N\` writes the section of N people; run it on a machine that has nothing else to do.
All people are on one newsletter. \`bench/people-cases.ts\` says how they are drawn.
Times are in milliseconds, in the server's process from the call of the service to its answer: without HTTP, and without the browser.
A page has 100 people. 15,000 and more is a statement that the time limit ended. REST pages begin anywhere in the list and include the total.`;
