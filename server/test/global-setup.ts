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
    /** The throwaway cluster's main database, for creating others. */
    clusterUrl: string;
    /** The folder for records of raw statements; see record-statements.ts. */
    statementsFolder: string;
  }
}

/** The migrated database that test databases copy. */
export const TEMPLATE = "rollcall_template";

/** Runs once per `vitest run`: starts a cluster with a migrated template, and removes both at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startThrowawayCluster();
  // On a signal, Vitest ends without its teardown, and PostgreSQL would keep running.
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
      // Vitest only prints the errors of a teardown.
      const code = process.exitCode;
      process.exitCode = 1;
      // A path or a name on the command line selects only some tests. Vitest's types don't show where it stores the
      // paths.
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
