import type { Config } from "./config";
import {
  type EmbeddedPostgres,
  openForCommand,
  startEmbeddedPostgres,
} from "./platform/postgres/embedded-postgres";

/** Where the database is, and how to let go of it. */
export type FoundDatabase = { url: string; embedded: boolean; stop(): Promise<unknown> };

/**
 * DATABASE_URL where it is set, without the pooler that is before it; else our own PostgreSQL in DATA_DIR.
 * @param forWhom a command leaves PostgreSQL running when someone else uses it; the server takes it down
 * @param onGone hears why our own PostgreSQL, which ended by itself, could not be started again; for the server
 * @throws OperatorError
 */
export async function findDatabase(
  config: Pick<Config, "DATABASE_URL" | "DATABASE_DIRECT_URL" | "DATA_DIR" | "HOST" | "PORT">,
  forWhom: "server" | "command",
  log: (line: string) => void,
  onGone: (error: Error) => void = () => {},
): Promise<FoundDatabase> {
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (url) return { url, embedded: false, stop: async () => {} };
  const open = forWhom === "server" ? startEmbeddedPostgres : openForCommand;
  const address = `http://${config.HOST}:${config.PORT}`;
  const own: EmbeddedPostgres = await open({ dataDir: config.DATA_DIR, log, address, onGone });
  return { url: own.url, embedded: true, stop: own.stop };
}
