import { inject } from "vitest";
import { TEMPLATE } from "./global-setup";
import { recordStatements } from "./record-statements";
import { databaseOn, type TestDatabase } from "./throwaway-cluster";

export type { TestDatabase };

let recording = false;

/**
 * Creates a migrated database (`empty: true`: without tables) for one test file on the run's throwaway PostgreSQL.
 * Takes about 30 ms.
 * @param options `clusterUrl`: on another, empty PostgreSQL, for tests that other tests' transactions would disturb
 */
export async function createTestDatabase(
  options: { empty?: boolean; clusterUrl?: string } = {},
): Promise<TestDatabase> {
  if (!recording) recordStatements(inject("statementsFolder"));
  recording = true;
  if (options.clusterUrl) return databaseOn(options.clusterUrl);
  return databaseOn(inject("clusterUrl"), options.empty ? undefined : TEMPLATE);
}
