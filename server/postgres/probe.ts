import { realpathSync } from "node:fs";
import { Client } from "pg";
import type { Place } from "./place";

/** `busy`: there, but starting, recovering or stopping. `foreign`: something else has that port. */
export type Probe = "running" | "busy" | "foreign" | "rejected-password" | "nobody";

/**
 * Asks `port` whether the cluster of this place answers there. Only a connection proves that: a pid file
 * outlives SIGKILL, and a port that we once had may be anybody's by now.
 */
export async function probe(place: Place, port: number): Promise<Probe> {
  if (!port) return "nobody";
  try {
    return await asSuperuser(place, port, async (client) => {
      const shown = await client.query<{ data_directory: string }>("SHOW data_directory");
      const folder = shown.rows[0]?.data_directory ?? "";
      return samePath(folder, place.pgdata) ? "running" : "foreign";
    });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "57P03") return "busy"; // cannot_connect_now
    if (code === "28P01" || code === "28000") return "rejected-password";
    return code === "ECONNREFUSED" ? "nobody" : "foreign";
  }
}

/** Runs `work` on a connection of the superuser to the database `postgres`, and closes it. */
export async function asSuperuser<T>(
  place: Place,
  port: number,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    host: "127.0.0.1",
    port,
    user: "postgres",
    password: place.memory.superPassword,
    database: "postgres",
    application_name: "rollcall start",
    connectionTimeoutMillis: 5000,
    query_timeout: 15_000,
  });
  client.on("error", () => {}); // a connection cut in mid-work also rejects the query: that is where it is handled
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

function samePath(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}
