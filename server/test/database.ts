import { inject } from "vitest";
import { TEMPLATE } from "./global-setup";
import { recordStatements } from "./record-statements";
import { databaseOn, type TestDatabase } from "./throwaway-cluster";

export type { TestDatabase };

let recording = false;

/**
 * A database for one test file, migrated (`empty: true`: with nothing in it), on the run's throwaway
 * PostgreSQL. Takes some 30 ms.
 * @param options `clusterUrl`: on another PostgreSQL, for what other tests' transactions would be in the way of; empty
 */
export async function createTestDatabase(
  options: { empty?: boolean; clusterUrl?: string } = {},
): Promise<TestDatabase> {
  if (!recording) recordStatements(inject("statementsFolder"));
  recording = true;
  if (options.clusterUrl) return databaseOn(options.clusterUrl);
  return databaseOn(inject("clusterUrl"), options.empty ? undefined : TEMPLATE);
}
