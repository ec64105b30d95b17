// Processes of the product beside a big list: restart, creates and backup.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type pg from "pg";
import { runAdmin, type Settings, startProduct } from "../server/test/product";
import { removeDataDir, throwawayDataDir } from "../server/test/throwaway-cluster";
import { begin } from "./ending";
import { compile, connect, setUp, withoutLimits } from "./installation";
import { newest } from "./people-cases";
import { median, show } from "./report";

type Ground = { sql: pg.Client; url: string; newsletterId: string };

const ROUNDS = 5;
const WINDOW_MS = 3_000;
const kinds = [
  { name: "singles", path: "/api/v1/subscribers", batch: undefined },
  { name: "bulks of 100", path: "/api/v1/subscribers/bulk", batch: 100 },
];

async function secondsOf<T>(work: () => Promise<T>): Promise<[T, string]> {
  const began = performance.now();
  const result = await work();
  return [result, show((performance.now() - began) / 1000, 1)];
}

/** A process on this database, started for the second time. @returns also the seconds that the second start took */
async function startAgain(url: string, makeKey: (env: Settings) => Promise<string>) {
  const dataDir = await begin("the data folder", throwawayDataDir, removeDataDir);
  mkdirSync(dataDir);
  const secret = "a secret of the bench that is used nowhere else";
  const env = { ...withoutLimits, DATA_DIR: dataDir, DATABASE_URL: url, AUTH_SECRET: secret };
  const first = await startProduct({ env });
  const key = await makeKey(env);
  await first.stop();
  const start = () => startProduct({ env });
  const [product, seconds] = await secondsOf(() => begin("the product", start, (one) => one.stop()));
  return { product, key, seconds, env };
}

/** Restarts a process, compares its creates with those of a process on an empty database, and makes a backup. */
export async function benchProcesses(
  { sql, url, newsletterId }: Ground,
  say: (line: string) => void,
): Promise<{ creates: string; sentences: string }> {
  await sql.query("DROP DATABASE IF EXISTS bench_empty WITH (FORCE)");
  await sql.query("CREATE DATABASE bench_empty OWNER rollcall");
  const emptyUrl = url.replace("/rollcall?", "/bench_empty?");
  const big = await startAgain(url, async (env) => {
    const args = ["keys", "create", "--newsletter", newsletterId, "--name", "Bench"];
    return (await runAdmin<{ key: { secret: string } }>(args, env)).key.secret;
  });
  const empty = await startAgain(emptyUrl, setUp);
  const emptySql = await connect(emptyUrl);
  const [last] = (await sql.query(newest, [newsletterId])).rows;
  const load: typeof import("./load") = await import(await compile("load"));
  const measured = kinds.map((kind) => ({ ...kind, big: [] as number[], empty: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++)
    for (const { path, batch, ...rates } of measured)
      for (const [name, server] of [["big", big] as const, ["empty", empty] as const]) {
        await emptySql.query("TRUNCATE subscribers CASCADE");
        await sql.query("CHECKPOINT");
        const to = { url: server.product.url + path, key: server.key };
        const result = await load.runLoad({
          ...to,
          connections: 16,
          batch,
          windowMs: WINDOW_MS,
          expected: 201,
        });
        rates[name].push(result.requestsPerSecond);
      }
  // A later run on the same folder begins with the same people.
  await sql.query("DELETE FROM subscribers WHERE newsletter_id = $1 AND id > $2", [newsletterId, last?.id]);
  const creates = measured.map((kind) => {
    const ratio = median(kind.big.map((rate, i) => rate / (kind.empty[i] as number)));
    return `${kind.name} ${show(ratio, 2)} (${show(median(kind.big), 0)} and ${show(median(kind.empty), 0)} a second)`;
  });
  say(creates.join("\n"));
  const file = join(big.product.dataDir, "bench.tar.gz");
  const [, backup] = await secondsOf(() => runAdmin(["backup", file], big.env));
  const sentences = `Creates: 16 connections, medians of ${ROUNDS} interleaved rounds of ${WINDOW_MS / 1000} s, in one PostgreSQL.
A restart of the process takes ${big.seconds} s, and ${empty.seconds} s on an empty database.
A backup takes ${backup} s and is ${show(statSync(file).size / 1e6, 0)} MB large.`;
  say(sentences);
  return { creates: creates.join("; "), sentences };
}
