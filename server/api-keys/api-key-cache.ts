import { digestOf } from "../kernel/digest";
import type { Db } from "../platform/db/client";
import { listen } from "../platform/db/listen";
import { isWellFormed } from "./api-key";
import { findLiveKey, KEY_CHANNEL, type LiveKeyRow, noteKeyUses } from "./queries/api-keys";

/** A live key: its identity, its newsletter and its permissions. */
export type Principal = Omit<LiveKeyRow, "livesForMs">;

export type ApiKeyCache = {
  /**
   * Returns the live key with this secret, or null for a malformed, unknown, revoked or expired key.
   * @throws database errors when the database is unreachable
   */
  find(secret: string): Promise<Principal | null>;
  /** Records a key's use. Writes at most once a minute for each key, in the background. */
  used(id: string, address: string | null): void;
  close(): Promise<void>;
};

type Options = { db: Db; url: string; onError: (error: unknown) => void };

const REMEMBER_MS = 10_000;
const MAX_REMEMBERED = 10_000;
const NOTE_EVERY_MS = 60_000;
const WRITE_EVERY_MS = 2_000;

/**
 * Caches live keys for some seconds, so that a busy integration needs no query for each request. A key's change reaches
 * all processes when it commits. Without the notification channel, keys aren't cached.
 */
export function createApiKeyCache({ db, url, onError }: Options): ApiKeyCache {
  const remembered = new Map<string, { principal: Principal; until: number }>();
  const pendingUses = new Map<string, string | null>();
  const notedAt = new Map<string, number>();
  // Counts how often the cache was cleared. The result of a query from before the last clearing is not cached.
  let generation = 0;
  const listener = listen(url, KEY_CHANNEL, () => {
    generation++;
    remembered.clear();
  });

  async function load(secret: string): Promise<Principal | null> {
    const asked = generation;
    const row = await findLiveKey(db, digestOf(secret));
    if (!row) return null;
    const { livesForMs, ...principal } = row;
    if (listener.connected() && asked === generation) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      const lifeMs = Math.min(REMEMBER_MS, livesForMs ?? REMEMBER_MS);
      remembered.set(secret, { principal, until: performance.now() + lifeMs });
    }
    return principal;
  }

  async function writeUses() {
    if (pendingUses.size === 0) return;
    const batch = [...pendingUses].map(([id, address]) => ({ id, address }));
    pendingUses.clear();
    await noteKeyUses(db, batch).catch(onError);
  }
  const timer = setInterval(writeUses, WRITE_EVERY_MS);
  timer.unref();

  return {
    async find(secret) {
      const entry = remembered.get(secret);
      if (entry && entry.until > performance.now()) return entry.principal;
      if (entry) remembered.delete(secret);
      return isWellFormed(secret) ? load(secret) : null;
    },
    used(id, address) {
      const now = performance.now();
      if (now - (notedAt.get(id) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
      if (notedAt.size >= MAX_REMEMBERED) notedAt.clear();
      notedAt.set(id, now);
      pendingUses.set(id, address);
    },
    async close() {
      clearInterval(timer);
      await writeUses();
      await listener.close();
    },
  };
}
