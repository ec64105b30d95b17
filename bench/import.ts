import { performance } from "node:perf_hooks";
import { ListUpload } from "../components/imports/reading/upload-list";
import { staffAt } from "../e2e/fixtures/staff";
import type { ImportRecord } from "../server/imports/schema/imports";
import { owner, startInstallation } from "./installation";
import { peakRssBytes, resetPeakRss, rssBytes } from "./process-stats";

const PEOPLE = 100_000;

/** Rows with addresses in no order, as in pasted lists. */
function rowsOf(status: "active" | "pending") {
  return Array.from({ length: PEOPLE }, (_, n) => ({
    line: n + 1,
    email: `${(Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(36)}.${status}@letters${n % 40}.org`,
    name: `Reader ${n} of ${PEOPLE}`,
    status,
  }));
}

/** Imports lists of 100,000 people through the dashboard's API, and undoes each. */
export async function benchImport(say: (line: string) => void): Promise<void> {
  const { product, newsletterId } = await startInstallation();
  const { pid, url } = product;
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  const memory = () => `peak ${megabytes(peakRssBytes(pid))} MB (now ${megabytes(rssBytes(pid))})`;
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    resetPeakRss(pid);
    const began = performance.now();
    const result = await work();
    say(`  ${name} in ${((performance.now() - began) / 1000).toFixed(2)} s; ${memory()}`);
    return result;
  };
  try {
    const { trpc, progress } = await staffAt(url, owner.email, owner.password);
    const endAs = async (state: ImportRecord["state"], importId: string) => {
      let last: ImportRecord | undefined;
      for await (const record of progress(newsletterId, importId)) last = record;
      if (last?.state !== state)
        throw new Error(`The import is ${last?.state}, not ${state}: ${last?.error}`);
    };
    say(`at rest: ${memory()}`);
    for (const status of ["active", "pending"] as const) {
      say(`${PEOPLE} ${status}`);
      const plan = {
        ...{ rows: rowsOf(status), rejected: [], fileName: "bench.csv" },
        statusRule: "active" as const,
      };
      const { importId, digest, counts } = await timed("planned", () =>
        new ListUpload(trpc.imports, { newsletterId }, plan).plan(),
      );
      const consent = { source: "bench", wording: "", people: counts.new_active + counts.new_pending };
      await timed("done", async () => {
        await trpc.imports.commit.mutate({ newsletterId, importId, digest, consent });
        await endAs("done", importId);
      });
      await timed("undone", async () => {
        await trpc.imports.undo.mutate({ newsletterId, importId });
        await endAs("undone", importId);
      });
    }
  } catch (error) {
    say(product.output());
    throw error;
  }
}
