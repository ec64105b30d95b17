import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { inject } from "vitest";
import { TEMPLATE } from "./global-setup";
import { recordStatements } from "./record-statements";

let recording = false;

export interface TestDatabase {
  /** Connection string, as the database's owner. */
  url: string;
  /** Deletes it, cutting whoever is still connected. The run's end does it too. */
  drop(): Promise<void>;
}

/**
 * A database for one test file, migrated (`empty: true`: with nothing in it), on the run's throwaway
 * PostgreSQL. Takes some 30 ms.
 */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const clusterUrl = inject("clusterUrl");
  if (!recording) recordStatements(inject("statementsFolder"));
  recording = true;
  const name = `test_${randomBytes(6).toString("hex")}`;
  await onCluster(clusterUrl, `CREATE DATABASE ${name} ${options.empty ? "" : `TEMPLATE ${TEMPLATE}`}`);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => dropPatiently(clusterUrl, name),
  };
}

/** PostgreSQL's own autovacuum may be at work in it, which only a superuser may send away; it is done in a moment. */
async function dropPatiently(clusterUrl: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await onCluster(clusterUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    } catch (error) {
      const denied = (error as { code?: string }).code === "42501";
      if (!denied || attempt === 50) throw error;
      await sleep(200);
    }
  }
}

async function onCluster(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
