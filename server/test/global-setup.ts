import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "../db/migrate";
import { startThrowawayCluster } from "./throwaway-cluster";

declare module "vitest" {
  export interface ProvidedContext {
    /** The throwaway cluster's own database: the place to create others from. */
    clusterUrl: string;
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
    return () => cluster.remove();
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}
