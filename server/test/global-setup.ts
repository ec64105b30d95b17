import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject, Vitest } from "vitest/node";
import { migrate } from "../platform/db/migrate";
import { checkRawStatements } from "./raw-statements";
import { startThrowawayCluster } from "./throwaway-cluster";

declare module "vitest" {
  export interface ProvidedContext {
    /** The throwaway cluster's own database: the place to create others from. */
    clusterUrl: string;
    /** Where the raw statements that tests run are noted; see record-statements.ts. */
    statementsFolder: string;
  }
}

/** The migrated database that test databases are copies of. */
export const TEMPLATE = "rollcall_template";

/** Once per `vitest run`: a cluster and a migrated template in it; both gone at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startThrowawayCluster();
  // Vitest ends on a signal without its teardown, and PostgreSQL would stay.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void cluster.remove().finally(() => process.exit(130)));
  }
  try {
    const client = new Client({ connectionString: cluster.url });
    await client.connect();
    await client.query(`CREATE DATABASE ${TEMPLATE}`);
    await client.end();
    const url = new URL(cluster.url);
    url.pathname = `/${TEMPLATE}`;
    await migrate({ url: url.href, log: () => {} });
    project.provide("clusterUrl", cluster.url);
    const statements = mkdtempSync(join(tmpdir(), "rollcall-statements-"));
    project.provide("statementsFolder", statements);
    return async () => {
      await cluster.remove();
      if (project.name !== "unit") return;
      // Vitest only prints what a teardown throws.
      const code = process.exitCode;
      process.exitCode = 1;
      // A path or a name on the command line leaves tests out; Vitest keeps the paths where its types do not show them.
      const { state, config, filenamePattern } = project.vitest as Vitest & { filenamePattern?: string[] };
      const complete = !filenamePattern && !config.testNamePattern && state.getCountOfFailedTests() === 0;
      const wrong = checkRawStatements(join(project.config.root, "server"), statements, complete);
      rmSync(statements, { recursive: true, force: true });
      if (wrong.length > 0)
        throw new Error(`Raw statements and their row types differ:\n${wrong.join("\n")}`);
      process.exitCode = code;
    };
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}
