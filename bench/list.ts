import { performance } from "node:perf_hooks";
import { Client } from "pg";
import { createAccount, createNewsletter } from "../server/accounts/newsletters";
import { createKey } from "../server/api-keys/api-keys";
import { createApp } from "../server/app";
import { loadConfig } from "../server/config";
import { makeLog } from "../server/kernel/log";
import { migrate } from "../server/platform/db/migrate";
import { handleRest } from "../server/rest/handler";
import { writeIdCursor } from "../server/subscribers/schema/list-query";
import { startThrowawayCluster } from "../server/test/throwaway-cluster";

const PEOPLE = 1_000_000;
const REQUESTS = 400;

/** How the statuses lie on a list, by how long ago a person came (0: now, 1: first). */
const layouts = {
  mixed: `CASE WHEN random() < 0.8 THEN 'active' WHEN random() < 0.75 THEN 'pending' ELSE 'unsubscribed' END`,
  // An old list whose newer half left, and an import that nobody has confirmed yet: active people are far down.
  blocks: `CASE WHEN n > ${PEOPLE} * 0.6 THEN 'unsubscribed' WHEN n > ${PEOPLE} * 0.4 THEN 'pending' ELSE 'active' END`,
} as const;

const fill = (layout: keyof typeof layouts) => `
  INSERT INTO subscribers (newsletter_id, id, email, email_canonical, first_name, last_name, status, source, unsubscribed_at)
  SELECT $1::uuid, (lpad(to_hex(1700000000000 + n), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
    'person' || n || '@example.org', 'person' || n || '@example.org', 'Ada', 'Lovelace', status, 'api',
    CASE status WHEN 'unsubscribed' THEN now() END
  FROM (SELECT n, ${layouts[layout]} AS status FROM generate_series(1, ${PEOPLE}) AS n) AS people`;

const p = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] as number;

/** Lists of a million people beside an empty newsletter's, in this process: what a page costs, wherever it is. */
export async function benchList(say: (line: string) => void): Promise<void> {
  const cluster = await startThrowawayCluster();
  const config = loadConfig({
    RATE_LIMIT: "off",
    RATE_LIMIT_BULK: "off",
    LOCKOUT_AUTH: "off",
    LOCKOUT_ERRORS: "off",
    LOG_LEVEL: "silent",
  });
  try {
    await migrate({ url: cluster.url, log: () => {} });
    const app = await createApp(
      config,
      cluster.url,
      ["a secret of more than 32 characters"],
      makeLog(config),
    );
    await app.limiter.ready;
    // Beside the product's own connections, which give up on what takes as long as this.
    const sql = new Client({ connectionString: cluster.url });
    await sql.connect();
    const ctx = { db: app.db, actor: { kind: "operator" } as const, requestId: "bench" };
    const account = await createAccount(ctx, { name: "Bench" });
    const list = async (name: string) => {
      const { id } = await createNewsletter(ctx, { accountId: account.id, name });
      return { id, key: (await createKey(ctx, { newsletterId: id, key: { name } })).secret };
    };
    const empty = await list("empty");
    const cases: { name: string; key: string; query: string; took: number[] }[] = [];
    cases.push({ name: "empty", key: empty.key, query: "", took: [] });
    for (const layout of Object.keys(layouts) as (keyof typeof layouts)[]) {
      say(`Adding ${PEOPLE} people, ${layout}`);
      const { id, key } = await list(layout);
      await sql.query(fill(layout), [id]);
      const add = (name: string, query: string) =>
        cases.push({ name: `${layout}: ${name}`, key, query, took: [] });
      const at = async (status: string | null, share: number) => {
        const { rows } = await sql.query<{ id: string }>(
          `SELECT id FROM subscribers WHERE newsletter_id = $1::uuid AND ($2::text IS NULL OR status = $2)
           ORDER BY id DESC OFFSET (SELECT floor(count(*) * $3::float8) FROM subscribers
             WHERE newsletter_id = $1::uuid AND ($2::text IS NULL OR status = $2)) LIMIT 1`,
          [id, status, share],
        );
        return writeIdCursor(rows[0]?.id as string);
      };
      for (const status of [null, "active", "pending", "unsubscribed"]) {
        const filter = status ? `status=${status}&` : "";
        add(`${status ?? "all"}, first page`, `?${filter}`);
        add(`${status ?? "all"}, middle`, `?${filter}cursor=${await at(status, 0.5)}`);
        add(`${status ?? "all"}, deep`, `?${filter}cursor=${await at(status, 0.99)}`);
      }
      add("exact email", "?email=person500000@example.org");
      add("page=1000 (by number)", "?page=1000");
    }
    await sql.query("VACUUM ANALYZE subscribers");
    await sql.end();
    const ask = async (one: (typeof cases)[0], limit: number) => {
      const joint = one.query.includes("?") ? "&" : "?";
      const request = new Request(`http://localhost/api/v1/subscribers${one.query}${joint}limit=${limit}`, {
        headers: { Authorization: `Bearer ${one.key}` },
      });
      const began = performance.now();
      const answer = await handleRest(app, request, "127.0.0.1");
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(text);
      return performance.now() - began;
    };
    for (const limit of [50, 1]) {
      for (const one of cases) one.took = [];
      // In turn, so that whatever else the machine does falls on all alike.
      for (let i = -40; i < REQUESTS; i++) {
        for (const one of cases) {
          const took = await ask(one, limit);
          if (i >= 0) one.took.push(took);
        }
      }
      for (const one of cases) one.took.sort((a, b) => a - b);
      const base = p((cases[0] as { took: number[] }).took, 0.95);
      say(`\nlimit=${limit}, ${REQUESTS} requests each in turn, ms\n`);
      say("| list | p50 | p95 | p95 beside empty |\n|---|---|---|---|");
      for (const { name, took } of cases) {
        say(
          `| ${name} | ${p(took, 0.5).toFixed(2)} | ${p(took, 0.95).toFixed(2)} | ${(p(took, 0.95) / base).toFixed(2)} |`,
        );
      }
    }
    await app.close();
  } finally {
    await cluster.remove();
  }
}
