import { digestOf } from "../kernel/secrets";
import type { Db } from "../platform/db/client";
import { listen } from "../platform/db/listen";
import { isWellFormed } from "./api-key";
import { findLiveKey, KEY_CHANNEL, type LiveKeyRow, noteKeyUses } from "./queries/api-keys";

/** A live key: its identity and permissions, and the newsletter of the request. */
export type LiveKey = Omit<LiveKeyRow, "livesForMs">;
/** A live key in the newsletter that it is used for. */
export type Principal = LiveKey & { newsletterId: string; newsletterName: string };

export const hasNewsletter = (key: LiveKey): key is Principal => key.newsletterId !== null;

export type ApiKeyCache = ReturnType<typeof createApiKeyCache>;

type Options = { db: Db; url: string; onError: (error: unknown) => void };

const REMEMBER_MS = 10_000;
const MAX_REMEMBERED = 10_000;
const NOTE_EVERY_MS = 60_000;
const WRITE_EVERY_MS = 2_000;

const cacheKey = (secret: string, named: string | null) => (named ? `${secret} ${named}` : secret);

/**
 * Caches live keys for some seconds, so that a busy integration needs no query for each request. A key's change reaches
 * all processes when it commits. Without the notification channel, keys aren't cached.
 */
export function createApiKeyCache({ db, url, onError }: Options) {
  const remembered = new Map<string, { key: LiveKey; until: number }>();
  const uses = recordUses(db, onError);
  // Counts how often the cache was cleared. The result of a query from before the last clearing is not cached.
  let generation = 0;
  // Opened with the first request, because commands use no keys.
  let listener: ReturnType<typeof listen> | undefined;
  const onChange = () => {
    generation++;
    remembered.clear();
  };

  async function load(secret: string, named: string | null): Promise<LiveKey | null> {
    listener ??= listen(url, KEY_CHANNEL, onChange);
    const asked = generation;
    const row = await findLiveKey(db, digestOf(secret), named);
    if (!row) return null;
    const { livesForMs, ...key } = row;
    if (listener.connected() && asked === generation) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      const lifeMs = Math.min(REMEMBER_MS, livesForMs ?? REMEMBER_MS);
      remembered.set(cacheKey(secret, named), { key, until: performance.now() + lifeMs });
    }
    return key;
  }

  return {
    /**
     * Returns the live key with this secret, or null for a malformed, unknown, revoked or expired key.
     * @param named the id of the newsletter that the request names; null: it names none
     * @throws database errors when the database is unreachable
     */
    async find(secret: string, named: string | null = null): Promise<LiveKey | null> {
      const entry = remembered.get(cacheKey(secret, named));
      if (entry && entry.until > performance.now()) return entry.key;
      return isWellFormed(secret) ? load(secret, named) : null;
    },
    used: uses.add,
    async close() {
      await uses.close();
      await listener?.close();
    },
  };
}

/** Writes when and from where keys are used, in the background. */
function recordUses(db: Db, onError: Options["onError"]) {
  const pending = new Map<string, string | null>();
  const notedAt = new Map<string, number>();

  async function write() {
    if (pending.size === 0) return;
    const batch = [...pending].map(([id, address]) => ({ id, address }));
    pending.clear();
    await noteKeyUses(db, batch).catch(onError);
  }
  const timer = setInterval(write, WRITE_EVERY_MS);
  timer.unref();

  return {
    /** Records a key's use, at most once a minute for each key. */
    add(id: string, address: string | null): void {
      const now = performance.now();
      if (now - (notedAt.get(id) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
      if (notedAt.size >= MAX_REMEMBERED) notedAt.clear();
      notedAt.set(id, now);
      pending.set(id, address);
    },
    async close() {
      clearInterval(timer);
      await write();
    },
  };
}
