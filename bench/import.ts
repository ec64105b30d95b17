import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { uploadList } from "../components/imports/reading/upload-list";
import { type Staff, staffAt } from "../e2e/fixtures/staff";
import { runAdmin, startProduct } from "../server/test/product";
import { peakRssBytes, resetPeakRss } from "./process-stats";

const PEOPLE = 100_000;
const staff = { email: "bench@example.org", password: "a long enough password" };

type Say = (line: string) => void;

/** Rows with addresses in no order, as in pasted lists. */
function rowsOf(status: "active" | "pending") {
  return Array.from({ length: PEOPLE }, (_, n) => ({
    line: n + 1,
    email: `${(Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(36)}.${status}@letters${n % 40}.org`,
    name: `Reader ${n} of ${PEOPLE}`,
    status,
  }));
}

const secondsSince = (began: number) => `${((performance.now() - began) / 1000).toFixed(2)} s`;

function memory(pid: number): string {
  const now = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
  return `peak ${Math.round((peakRssBytes(pid) ?? 0) / 1e6)} MB (now ${Math.round(Number(now) / 1000)})`;
}

/** One import and its undo, as a browser would do them. */
async function measure(
  { trpc, progress }: Staff,
  pid: number,
  newsletterId: string,
  rows: ReturnType<typeof rowsOf>,
  say: Say,
): Promise<void> {
  resetPeakRss(pid);
  let began = performance.now();
  const plan = { rows, rejected: [], fileName: "bench.csv", statusRule: "active" as const };
  const { importId, digest, counts } = await uploadList(trpc.imports, { newsletterId }, plan);
  say(`  planned in ${secondsSince(began)}; ${memory(pid)}`);
  resetPeakRss(pid);
  began = performance.now();
  const consent = { source: "bench", wording: "", people: counts.new_active + counts.new_pending };
  await trpc.imports.commit.mutate({ newsletterId, importId, digest, consent });
  let last = "";
  for await (const run of progress(newsletterId, importId))
    last = run.state === "done" ? "done" : `${run.state}: ${run.error ?? run.changed}`;
  say(`  ${last} in ${secondsSince(began)}; ${memory(pid)}`);
  began = performance.now();
  await trpc.imports.undo.mutate({ newsletterId, importId });
  for await (const run of progress(newsletterId, importId)) if (run.error) say(`  ${run.error}`);
  say(`  undone in ${secondsSince(began)}; ${memory(pid)}`);
}

/** Lists of 100,000 people through the dashboard's API. */
export async function benchImport(say: Say): Promise<void> {
  const product = await startProduct({ env: { LOG_LEVEL: "warn" } });
  try {
    const env = { DATA_DIR: product.dataDir, PORT: new URL(product.url).port };
    const names = ["--account", "Bench", "--newsletter", "Bench", "--email", staff.email];
    const args = ["setup", ...names, "--password", staff.password];
    const { newsletter } = await runAdmin<{ newsletter: { id: string } }>(args, env);
    const session = await staffAt(product.url, staff.email, staff.password);
    say(`at rest: ${memory(product.pid)}`);
    for (const status of ["active", "pending"] as const) {
      say(`${PEOPLE} ${status}`);
      await measure(session, product.pid, newsletter.id, rowsOf(status), say);
    }
  } catch (error) {
    say(product.output());
    throw error;
  } finally {
    await product.stop();
  }
}
