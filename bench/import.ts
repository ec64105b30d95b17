import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { ListUpload } from "../components/imports/reading/upload-list";
import { type Staff, staffAt } from "../e2e/fixtures/staff";
import { projectRoot } from "../server/kernel/project-root";
import { runAdmin, startProduct } from "../server/test/product";
import { buildProcesses } from "./build-processes";
import { Child } from "./child";
import { peakRssBytes, resetPeakRss } from "./process-stats";
import type { TrafficOrder, TrafficResult, Waited } from "./traffic";

const PEOPLE = 100_000;
const staff = { email: "bench@example.org", password: "a long enough password" };

/** People whose addresses are in no order, as pasted lists are. */
function rowsOf(status: "active" | "pending", prefix: string) {
  return Array.from({ length: PEOPLE }, (_, n) => ({
    line: n + 1,
    email: `${(Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(36)}.${prefix}@letters${n % 40}.org`,
    name: `Reader ${n} of ${PEOPLE}`,
    status,
  }));
}

/** Requests to the API, until they are told to stop. */
function startTraffic(module: string, order: TrafficOrder) {
  const child = Child.start("the traffic", module);
  child.send(order);
  return async () => {
    const result = child.next<TrafficResult>();
    child.send("stop");
    const { singles, bulks } = await result;
    await child.stop();
    return `  singles ${show(singles)}\n  bulks ${show(bulks)}`;
  };
}

const show = ({ answers, rejected, p50Ms, p99Ms, mostMs }: Waited) =>
  `${answers} (${rejected} rejected), p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)}, most ${mostMs.toFixed(1)} ms`;

/** One import, start to end, as a browser would do it. */
async function measure(
  { trpc, progress }: Staff,
  pid: number,
  newsletterId: string,
  rows: ReturnType<typeof rowsOf>,
  say: (line: string) => void,
): Promise<string> {
  resetPeakRss(pid);
  const began = performance.now();
  const plan = { rows, rejected: [], fileName: "bench.csv", statusRule: "active" as const };
  const { importId, digest, counts } = await new ListUpload(trpc.imports, { newsletterId }, plan).plan();
  const people = counts.new_active + counts.new_pending;
  say(`  planned in ${((performance.now() - began) / 1000).toFixed(2)} s; peak ${memory(pid)}`);
  resetPeakRss(pid);
  const consent = { source: "bench", wording: "", people };
  const committed = performance.now();
  await trpc.imports.commit.mutate({ newsletterId, importId, digest, consent });
  const seen: number[] = [];
  let last = "";
  for await (const run of progress(newsletterId, importId)) {
    seen.push(run.progress.done);
    last = run.state === "done" ? "done" : `${run.state}: ${run.error ?? run.changed}`;
  }
  const took = ((performance.now() - committed) / 1000).toFixed(2);
  say(`  ${last} in ${took} s; peak ${memory(pid)}; progress seen ${seen.length} times: ${seen.join(" ")}`);
  return importId;
}

function memory(pid: number): string {
  const peak = peakRssBytes(pid);
  const now = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
  return `${Math.round((peak ?? 0) / 1e6)} MB (now ${Math.round(Number(now) / 1000)})`;
}

/** Lists of 100,000 people through the dashboard's API, with requests to the API beside them. */
export async function benchImport(say: (line: string) => void): Promise<void> {
  const limits = { RATE_LIMIT: "off", RATE_LIMIT_BULK: "off", LOG_LEVEL: "warn" };
  const built = await buildProcesses(projectRoot());
  const product = await startProduct({ env: limits });
  try {
    const env = { DATA_DIR: product.dataDir, PORT: new URL(product.url).port };
    const names = ["--account", "Bench", "--newsletter", "Bench", "--email", staff.email];
    const made = await runAdmin<{ key: { secret: string }; newsletter: { id: string } }>(
      ["setup", ...names, "--password", staff.password],
      env,
    );
    const newsletterId = made.newsletter.id;
    const session = await staffAt(product.url, staff.email, staff.password);
    say(`at rest: ${memory(product.pid)}`);
    for (const status of ["active", "pending"] as const) {
      say(`${PEOPLE} ${status}, nothing beside`);
      const id = await measure(session, product.pid, newsletterId, rowsOf(status, status), say);
      const began = performance.now();
      await session.trpc.imports.undo.mutate({ newsletterId, importId: id });
      for await (const run of session.progress(newsletterId, id))
        if (run.state === "done") say(`  ${run.error}`);
      say(
        `  taken back in ${((performance.now() - began) / 1000).toFixed(2)} s; peak ${memory(product.pid)}`,
      );
    }
    const order = { url: product.url, key: made.key.secret };
    say("requests without an import");
    const quiet = startTraffic(built.traffic, { ...order, name: "before" });
    await sleep(8_000);
    say(await quiet());
    say(`${PEOPLE} active, requests beside`);
    const rows = rowsOf("active", "beside");
    const beside = startTraffic(built.traffic, { ...order, name: "beside" });
    await measure(session, product.pid, newsletterId, rows, say);
    say(await beside());
  } catch (error) {
    say(product.output());
    throw error;
  } finally {
    await product.stop();
  }
}
