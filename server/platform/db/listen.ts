import { keepConnection } from "../postgres/sessions";
import { pg } from "./pg";

/**
 * Keeps a connection that listens on `channel` for the life of the process.
 * @param onNotice called for each notice, and when the connection opens or is lost, since notices may have been missed
 */
export function listen(url: string, channel: string, onNotice: () => void) {
  const kept = keepConnection(url, "rollcall listener", async (client) => {
    client.on("notification", onNotice).once("end", onNotice);
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    onNotice();
  });
  return {
    /** False while the connection is lost. Cached data that depends on notices must not be trusted then. */
    connected: () => kept.client() !== undefined,
    close: kept.close,
  };
}
