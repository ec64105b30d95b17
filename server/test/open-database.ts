import { afterAll, beforeAll } from "vitest";
import { type Database, openDatabase } from "../platform/db/client";
import { createTestDatabase, type TestDatabase } from "./database";

/** The database of the current test file, and a pool of connections to it. */
export let base: TestDatabase;
export let database: Database;

export function openDatabaseForTests({ poolSize = 4 } = {}): void {
  beforeAll(async () => {
    base = await createTestDatabase();
    database = openDatabase({ url: base.url, poolSize, onError: () => {} });
  });
  afterAll(async () => {
    await database.close();
    await base.drop();
  });
}
