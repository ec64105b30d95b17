import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../operator-error";
import { openLockSession, SERVER, serverLockHolder } from "./sessions";

// After a SIGKILL of the server its backend may keep the lock for another moment.
const WAIT_MS = 1500;

export interface InstanceLock {
  /** Notes where this server can be found, for instance "http://localhost:3000", for a second start to show. */
  announce(address: string): Promise<void>;
  release(): Promise<void>;
}

/**
 * Makes this process the one server of an embedded database until `release` or its end. Throws
 * OperatorError naming the other one. Not for an external DATABASE_URL, which several servers may share.
 */
export async function holdInstanceLock(url: string): Promise<InstanceLock> {
  let name = `rollcall server, process ${process.pid}`;
  const giveUpAt = Date.now() + WAIT_MS;
  for (;;) {
    const session = await openLockSession(url, { key: SERVER, shared: false, applicationName: () => name });
    if (session) {
      return {
        async announce(address) {
          name = `${name.split(" at ")[0]} at ${address}`;
          await session.query("SELECT set_config('application_name', $1, false)", [name]);
        },
        release: () => session.close(),
      };
    }
    if (Date.now() > giveUpAt) {
      const holder = (await serverLockHolder(url))?.replace(/^rollcall server, /, "") ?? "process unknown";
      throw new OperatorError(
        `Rollcall is already running on these data (${holder}). Use that one, or stop it first (Ctrl-C there). ` +
          `For a second, separate one set DATA_DIR and PORT; for several on one database set DATABASE_URL.`,
      );
    }
    await sleep(100);
  }
}
