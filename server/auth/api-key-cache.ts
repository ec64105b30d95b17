import { findLiveKey, KEY_CHANNEL, type KeyRow, noteUse } from "../db/api-keys";
import type { Db } from "../db/client";
import { type Listener, listen } from "../db/listen";
import { digestOf, isWellFormed } from "./api-key";

/** A key that may speak: who it is, for which newsletter, what it may do. */
export type Principal = Omit<KeyRow, "livesForMs">;

export type ApiKeyCache = {
  /**
   * The live key with this secret, or null for a malformed, unknown, revoked or expired one.
   * @throws what the database throws when it is away
   */
  find(secret: string): Promise<Principal | null> | Principal | null;
  /** Notes that a key was used; written once a minute, off the request's path. */
  used(id: string, address: string | null): void;
  /** Forgets every key at once. */
  forget(): void;
  close(): Promise<void>;
};

type Options = { db: Db; url: string; onError: (error: unknown) => void; rememberMs?: number };

const MAX_REMEMBERED = 10_000;
const NOTE_EVERY_MS = 60_000;

/**
 * Remembers live keys for some seconds, so that a busy integration costs no query a request. Every change of a key is
 * announced to all processes with its commit; while that channel is down nothing is remembered.
 */
export function createApiKeyCache({ db, url, onError, rememberMs = 10_000 }: Options): ApiKeyCache {
  const known = new Map<string, { principal: Principal; until: number }>();
  const uses = new Map<string, string | null>();
  const noted = new Map<string, number>();
  // Counts the times everything was forgotten: an answer asked for before one of them is not kept.
  let age = 0;
  const forget = () => {
    age++;
    known.clear();
  };
  const listener: Listener = listen(url, KEY_CHANNEL, forget);

  async function ask(secret: string, digest: Buffer): Promise<Principal | null> {
    const askedAt = age;
    const row = await findLiveKey(db, digest);
    if (!row) return null;
    const { livesForMs, ...principal } = row;
    if (listener.connected() && askedAt === age) {
      if (known.size >= MAX_REMEMBERED) known.clear();
      known.set(secret, {
        principal,
        until: performance.now() + Math.min(rememberMs, livesForMs ?? rememberMs),
      });
    }
    return principal;
  }

  async function writeUses() {
    if (uses.size === 0) return;
    const batch = [...uses].map(([id, address]) => ({ id, address }));
    uses.clear();
    try {
      await noteUse(db, batch);
    } catch (error) {
      onError(error);
    }
  }
  const timer = setInterval(writeUses, 2_000);
  timer.unref();

  return {
    find(secret) {
      const entry = known.get(secret);
      if (entry) {
        if (entry.until > performance.now()) return entry.principal;
        known.delete(secret);
      }
      return isWellFormed(secret) ? ask(secret, digestOf(secret)) : null;
    },
    used(id, address) {
      const now = performance.now();
      const last = noted.get(id);
      if (last !== undefined && now - last < NOTE_EVERY_MS) return;
      if (noted.size >= MAX_REMEMBERED) noted.clear();
      noted.set(id, now);
      uses.set(id, address);
    },
    forget,
    async close() {
      clearInterval(timer);
      await writeUses();
      await listener.close();
    },
  };
}
