import type { Config } from "./config";
import {
  type EmbeddedPostgres,
  openForCommand,
  startEmbeddedPostgres,
} from "./platform/postgres/embedded-postgres";

/** The database's URL, and how to disconnect from it. */
type FoundDatabase = { url: string; embedded: boolean; stop(): Promise<unknown> };

/**
 * Uses DATABASE_URL without its pooler when it is set, otherwise the embedded PostgreSQL in DATA_DIR.
 * @param forWhom a command leaves PostgreSQL running for other users; the server stops it
 * @throws OperatorError
 */
export async function findDatabase(
  config: Pick<Config, "DATABASE_URL" | "DATABASE_DIRECT_URL" | "DATA_DIR" | "HOST" | "PORT">,
  forWhom: "server" | "command",
  log: (line: string) => void,
): Promise<FoundDatabase> {
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (url) return { url, embedded: false, stop: async () => {} };
  const open = forWhom === "server" ? startEmbeddedPostgres : openForCommand;
  const address = `http://${config.HOST}:${config.PORT}`;
  const own: EmbeddedPostgres = await open({ dataDir: config.DATA_DIR, log, address });
  return { url: own.url, embedded: true, stop: own.stop };
}
