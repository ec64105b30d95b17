import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { Client } from "pg";
import { createAccount, createNewsletter } from "../server/accounts/newsletters";
import { DAY_MS } from "../server/kernel/time";
import { getOverview } from "../server/operations/overview";
import { openDatabase } from "../server/platform/db/client";
import { migrate } from "../server/platform/db/migrate";
import { startEmbeddedPostgres } from "../server/platform/postgres/embedded-postgres";
import { countMatching as count, listPeople as page } from "../server/subscribers/people";
import { BATCH, flushTrigrams, indexNext } from "../server/subscribers/queries/search-index";
import type { Condition, Filter } from "../server/subscribers/schema/filter";
import type { PeopleOrder } from "../server/subscribers/schema/people-list";
import { resolvePeopleFilter } from "../server/subscribers/segments";
import { removeDataDir } from "../server/test/throwaway-cluster";
import { describeMachine } from "./machine";
import { all, attributeColumns, benchSegments, defineAttributes, fillMails } from "./people-segments";

const ROUNDS = 60;
/** Added last, and not yet in the copy that searches read. */
const FRESH = 5_000;

const given =
  "Ada Maria Grace Anna John James Li Wei Mohammed Fatima Olga Ivan Chloe Emma Noah Liam Sofia Lucas Mia Leon Emil Nora Omar Aisha Priya Arjun Kenji Yuki Diego Carmen Pedro Ingrid Lars Freya Tomas Eva Jan Katja Milan Zoe Amara Bo Chidi Dagny Emre Farah Goran Hanna Ines Jun".split(
    " ",
  );
const starts = "Ok Lin Mar Nov Od Pet Quis Rah Sa Tam Bra Cor Del Fer Gre Hop Iva Jo Kov Lov".split(" ");
const ends = "afor dqvist chetti ak uya rov pe man to m elace per gado ghi gor nsen ic as ton berg".split(
  " ",
);
const list = (words: string[]) => `ARRAY[${words.map((word) => `'${word}'`).join()}]`;

/**
 * People over two years: fifty first names, the common ones far more often; four hundred family names; three in ten at
 * gmail.com, four in ten at one of ten thousand firms.
 */
const fill = (people: number, from: number, to: number) => `
  INSERT INTO subscribers (newsletter_id, id, email, email_canonical, first_name, last_name, status, source, created_at, confirmed_at, unsubscribed_at, fields, tags)
  SELECT $1::uuid, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
      || '8000' || lpad(to_hex(n), 12, '0'))::uuid, email, email, first, last,
    CASE WHEN r1 < 0.8 THEN 'active' WHEN r1 < 0.9 THEN 'pending' ELSE 'unsubscribed' END,
    CASE WHEN r2 < 0.7 THEN 'api' WHEN r2 < 0.9 THEN 'import' WHEN r2 < 0.97 THEN 'public' ELSE 'dashboard' END, at,
    CASE WHEN r2 >= 0.7 AND r1 < 0.8 THEN at + interval '50 hours' * r1 END, CASE WHEN r1 >= 0.9 THEN at + interval '1 hour' END,
    ${attributeColumns}
  FROM (
    SELECT *, lower(first || '.' || last || n || '@' || CASE WHEN r3 < 0.3 THEN 'gmail.com' WHEN r3 < 0.4 THEN 'yahoo.com'
      WHEN r3 < 0.5 THEN 'outlook.com' WHEN r3 < 0.6 THEN 'example.org' ELSE 'firm' || floor(r3 * 25000)::int || '.example' END) AS email
    FROM (
      SELECT n, now() - interval '730 days' * (1 - n / ${people}::float8) AS at, random() AS r1, random() AS r2, random() AS r3,
        (${list(given)})[1 + floor(${given.length} * power(random(), 2))::int] AS first,
        (${list(starts)})[1 + floor(${starts.length} * random())::int] || (${list(ends)})[1 + floor(${ends.length} * random())::int] AS last
      FROM generate_series(${from}, ${to}) AS n
    ) AS drawn
  ) AS people`;

type Case = {
  group: string;
  name: string;
  filter?: (n: number) => Filter;
  order?: PeopleOrder;
};

const of = <T>(values: T[], n: number) => values[n % values.length] as T;
const status = (...is: Extract<Condition, { about: "status" }>["is"]): Condition => ({ about: "status", is });
const source = (...is: Extract<Condition, { about: "source" }>["is"]): Condition => ({ about: "source", is });
const search = (value: string): Condition => ({ about: "search", value });
const time = (about: "added" | "confirmed", test: "after" | "before", daysAgo: number): Condition => {
  const at = new Date(Date.now() - daysAgo * DAY_MS);
  at.setUTCHours(0, 0, 0, 0);
  return { about, test, at: at.toISOString() };
};
const texts: Record<string, (n: number) => string> = {
  "an address in full": (n) => `${of(given, n)}.${of(starts, n)}${of(ends, n)}${n}@gmail.com`,
  "a rare name (first and last)": (n) => `${of(given.slice(30), n * 7)} ${of(starts, n)}${of(ends, n * 3)}`,
  "a common first name": (n) => of(given, n % 5),
  "a firm's domain": (n) => `firm${10_000 + n * 61}.example`,
  "gmail.com (3 in 10 people)": () => "gmail.com",
  "the middle of a word": (n) => of(["dqvis", "chett", "adgor", "ovber", "umpe"], n),
  "two letters": (n) => of(["gr", "ma", "zo", "ok", "ja"], n),
  "one letter": (n) => of(["a", "z", "q", "m", "c"], n),
  "nothing found": (n) => `xq${n}zz`,
};
const cases: Case[] = [
  { group: "list", name: "opened, newest first" },
  ...(["oldest", "email", "-email", "name", "-name", "-confirmed"] as const).map((order) => ({
    group: "list",
    name: `by ${order}`,
    order,
  })),
  { group: "filter", name: "active", filter: () => all(status("active")) },
  { group: "filter", name: "pending", filter: () => all(status("pending")) },
  { group: "filter", name: "pending or active", filter: () => all(status("pending", "active")) },
  {
    group: "filter",
    name: "pending or unsubscribed, source: import or dashboard",
    filter: () => all(status("pending", "unsubscribed"), source("import", "dashboard")),
  },
  { group: "filter", name: "source: import", filter: () => all(source("import")) },
  { group: "filter", name: "active, source: API", filter: () => all(status("active"), source("api")) },
  { group: "filter", name: "added in the last 30 days", filter: () => all(time("added", "after", 30)) },
  {
    group: "filter",
    name: "pending, added in one month of last year",
    filter: () => all(status("pending"), time("added", "after", 500), time("added", "before", 470)),
  },
  {
    group: "filter",
    name: "confirmed in the last 30 days",
    filter: () => all(time("confirmed", "after", 30)),
  },
  {
    group: "filter",
    name: "unsubscribed, dashboard, by name",
    filter: () => all(status("unsubscribed"), source("dashboard")),
    order: "name",
  },
  ...Object.entries(texts).map(([name, text]) => ({
    group: "search",
    name,
    filter: (n: number) => all(search(text(n))),
  })),
  {
    group: "search and filter",
    name: "gmail.com, pending",
    filter: () => all(search("gmail.com"), status("pending")),
  },
  {
    group: "search and filter",
    name: "a common first name, by name",
    filter: (n) => all(search(of(given, n % 5))),
    order: "name",
  },
  ...Object.entries(benchSegments).map(([name, filter]) => ({
    group: "segment",
    name,
    filter: () => filter,
  })),
];

const p = (sorted: number[], share: number) =>
  (sorted[Math.floor(sorted.length * share)] as number).toFixed(1);
const quantiles = (took: number[]) => {
  const sorted = [...took].sort((a, b) => a - b);
  return `${p(sorted, 0.5)} | ${p(sorted, 0.95)}`;
};

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Indexes everybody without pauses. @returns the number of people */
async function indexAll(sql: Client, newsletterId: string): Promise<number> {
  let people = 0;
  for (let below: string | null = null; ; ) {
    const { indexed, last } = await indexNext(sql, newsletterId, { below });
    people += indexed;
    if (indexed < BATCH) return people;
    below = last;
  }
}

/** The People page and the overview's growth on a big list, in this process: from the call of the service to its answer. */
export async function benchPeopleList(
  root: string,
  people: number,
  say: (line: string) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "rollcall-bench-"));
  const dataDir = join(folder, "data");
  // Durable, with the memory and the settings of a real one.
  const cluster = await startEmbeddedPostgres({ dataDir, durable: true, log: say });
  try {
    await migrate({ url: cluster.url, log: () => {} });
    const database = openDatabase({ url: cluster.url, poolSize: 4, onError: () => {} });
    const { db } = database;
    const ctx = { db, actor: { kind: "operator" } as const, requestId: "bench" };
    const account = await createAccount(ctx, { name: "Bench" });
    const newsletter = await createNewsletter(ctx, { accountId: account.id, name: "Bench" });
    await defineAttributes(ctx, newsletter);
    const sql = new Client({ connectionString: cluster.url });
    await sql.connect();
    say(`Adding ${people.toLocaleString("en")} people`);
    for (let from = 1; from <= people - FRESH; from += 250_000)
      await sql.query(fill(people, from, Math.min(from + 249_999, people - FRESH)), [newsletter.id]);
    say("Copying them for searches, as the indexer does, but without its rests");
    let copied = 0;
    const copying = await timed(async () => {
      copied = await indexAll(sql, newsletter.id);
      await flushTrigrams(sql);
    });
    await sql.query(fillMails, [newsletter.id]);
    await sql.query("VACUUM ANALYZE mails");
    await sql.query("VACUUM ANALYZE subscribers");
    await sql.query("VACUUM ANALYZE people_search");
    await sql.query(fill(people, people - FRESH + 1, people), [newsletter.id]);
    const { rows: sizes } = await sql.query<{ list: string; copy: string }>(
      "SELECT pg_size_pretty(pg_total_relation_size('subscribers')) AS list, pg_size_pretty(pg_total_relation_size('people_search')) AS copy",
    );
    const machine = await describeMachine(root, sql);

    const lines: string[] = [];
    const tell = (line: string) => {
      lines.push(line);
      say(line);
    };
    const measure = async (rounds: number) => {
      const took = cases.map(() => ({ page: [] as number[], count: [] as number[] }));
      const growth: number[] = [];
      // In turn, so that whatever else the machine does falls on all alike.
      for (let n = -5; n < rounds; n++) {
        for (const [i, { filter, order = "newest" }] of cases.entries()) {
          const filters = filter ? [filter(n + 5)] : [];
          const asked = () => resolvePeopleFilter(ctx, newsletter.id, { filters });
          const forPage = await timed(async () =>
            page(ctx, await asked(), { order, limit: 100, from: null }),
          );
          const forCount = await timed(async () => count(ctx, await asked()));
          if (n < 0) continue;
          took[i]?.page.push(forPage);
          took[i]?.count.push(forCount);
        }
        const forGrowth = await timed(() =>
          getOverview({ db }, { newsletter: { id: newsletter.id, timeZone: "Asia/Kolkata" }, days: 365 }),
        );
        if (n >= 0) growth.push(forGrowth);
      }
      tell("|  | page p50 | p95 | count p50 | p95 |\n| --- | ---: | ---: | ---: | ---: |");
      for (const [i, { group, name }] of cases.entries()) {
        const { page: pages, count: counts } = took[i] as (typeof took)[0];
        tell(`| ${group}: ${name} | ${quantiles(pages)} | ${quantiles(counts)} |`);
      }
      for (const group of new Set(cases.map((one) => one.group))) {
        const all = took.filter((_, i) => cases[i]?.group === group);
        tell(
          `| **${group}, all of these alike** | ${quantiles(all.flatMap((one) => one.page))} | ${quantiles(all.flatMap((one) => one.count))} |`,
        );
      }
      tell(`| overview, 365 days of growth | ${quantiles(growth)} | | |`);
    };

    tell("## All but the last few thousand are in the copy\n");
    tell(
      `${FRESH.toLocaleString("en")} people were added last and are found without it. Milliseconds, ${ROUNDS} of each in turn.\n`,
    );
    await measure(ROUNDS);
    await indexAll(sql, newsletter.id);
    await flushTrigrams(sql);
    tell("\n## All are in it\n");
    await measure(ROUNDS);
    await sql.end();
    await database.close();

    const head = [
      "# What the People page costs",
      "",
      `Written by \`npm run bench -- --people ${people}\`; to repeat it, run that on a machine that has nothing else to do.`,
      "In the server's process, from the call of the service to its answer: without HTTP, and without the browser.",
      "",
      ...machine.map(([name, value]) => `- ${name}: ${value}`),
      "",
      `${people.toLocaleString("en")} people on one newsletter (bench/people-list.ts says how they are drawn): ${sizes[0]?.list} with all indexes,`,
      `their copy for searches ${sizes[0]?.copy} more. Copying ${copied.toLocaleString("en")} took ${(copying / 1000).toFixed(0)} s of work, ${Math.round(copied / (copying / 1000)).toLocaleString("en")} people a second;`,
      "the indexer rests twice as long as it works, 25 times as long while many are being added.",
      "",
    ];
    const file = join(root, "bench", "PEOPLE.md");
    writeFileSync(file, `${[...head, ...lines].join("\n")}\n`);
    say(`\nWritten to ${file}`);
  } finally {
    await cluster.stop();
    await removeDataDir(dataDir);
    rmSync(folder, { recursive: true, force: true });
  }
}
