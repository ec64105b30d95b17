import { digestOf } from "../kernel/digest";
import type { Db } from "../platform/db/client";
import { listen } from "../platform/db/listen";
import { isWellFormed } from "./api-key";
import { findLiveKey, KEY_CHANNEL, type LiveKeyRow, noteKeyUses } from "./queries/api-keys";

/** A live key: who it is, for which newsletter, and what it may do. */
export type Principal = Omit<LiveKeyRow, "livesForMs">;

export type ApiKeyCache = {
  /**
   * The live key with this secret, or null for a malformed, unknown, revoked or expired one.
   * @throws what the database throws when it is away
   */
  find(secret: string): Promise<Principal | null>;
  /** Notes that a key was used; written at most once a minute for a key, off the request's path. */
  used(id: string, address: string | null): void;
  close(): Promise<void>;
};

type Options = { db: Db; url: string; onError: (error: unknown) => void };

const REMEMBER_MS = 10_000;
const MAX_REMEMBERED = 10_000;
const NOTE_EVERY_MS = 60_000;
const WRITE_EVERY_MS = 2_000;

/**
 * Remembers live keys for some seconds, so that a busy integration costs no query a request. Every change of a key
 * reaches all processes with its commit; while that channel is down nothing is remembered.
 */
export function createApiKeyCache({ db, url, onError }: Options): ApiKeyCache {
  const remembered = new Map<string, { principal: Principal; until: number }>();
  const pendingUses = new Map<string, string | null>();
  const notedAt = new Map<string, number>();
  // Counts how often everything was forgotten: an answer that was asked for before is not remembered.
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
