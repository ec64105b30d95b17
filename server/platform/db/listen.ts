import type { Client } from "pg";
import { pg } from "./pg";

type Listener = {
  /** False while the connection is lost. Cached data that depends on notices must not be trusted then. */
  connected(): boolean;
  close(): Promise<void>;
};

/**
 * Keeps a connection that listens on `channel` for the life of the process, and reconnects as needed.
 * @param onNotice called with each payload, and with null after a lost connection, since notices may have been missed
 */
export function listen(url: string, channel: string, onNotice: (payload: string | null) => void): Listener {
  let client: Client | undefined;
  let up = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const lost = () => {
    if (up) onNotice(null);
    up = false;
    client?.removeAllListeners();
    // Late errors of a closed connection don't matter.
    client?.on("error", () => {});
    client = undefined;
    if (closed) return;
    timer = setTimeout(connect, 1_000);
    timer.unref();
  };

  async function connect() {
    const mine = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: "rollcall listener",
    });
    client = mine;
    mine.on("error", lost);
    mine.on("end", lost);
    mine.on("notification", (notice) => onNotice(notice.payload ?? ""));
    try {
      await mine.connect();
      await mine.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      up = true;
      onNotice(null);
    } catch {
      mine.removeAllListeners();
      mine.on("error", () => {});
      mine.end().catch(() => {});
      lost();
    }
  }

  void connect();
  return {
    connected: () => up,
    async close() {
      closed = true;
      clearTimeout(timer);
      const mine = client;
      up = false;
      mine?.removeAllListeners();
      mine?.on("error", () => {});
      await mine?.end().catch(() => {});
    },
  };
}
