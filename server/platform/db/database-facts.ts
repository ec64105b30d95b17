import type { Db } from "./client";

/** Facts about a database for the operator. */
export type DatabaseFacts = {
  version: string;
  /** Such as 180004. */
  versionNumber: number;
  /** Whether it is a standby, which refuses writes. */
  readOnly: boolean;
  megabytes: number;
  /** Whether pg_trgm, which search uses, is installed. */
  hasTrigrams: boolean;
  encoding: string;
};

export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const [facts] = await db.$queryRaw<[DatabaseFacts]>`
    SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS "versionNumber",
      pg_is_in_recovery() AS "readOnly", (pg_database_size(current_database()) / 1000000)::int AS megabytes,
      to_regclass('people_search_trigrams') IS NOT NULL AS "hasTrigrams", current_setting('server_encoding') AS encoding`;
  return facts;
}

/** Lists the senders that newsletters have set, each once. */
export async function listSenders(db: Db): Promise<string[]> {
  const rows = await db.newsletter.findMany({
    where: { sender: { not: null } },
    select: { sender: true },
    distinct: ["sender"],
  });
  return rows.flatMap(({ sender }) => sender ?? []);
}
