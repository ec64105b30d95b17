import { Redis } from "ioredis";
import { type Connection, type RedisClient, sha1 } from "./redis-script";

/** Upstash's own first line of a script; a plain Redis rejects the flag it names. */
const UPSTASH_FIRST_LINE = /^#!lua flags=allow-key-locking[^\n]*\n/;

/**
 * A plain Redis in the shape in which @upstash/ratelimit expects Upstash's client. Connects in the background and keeps
 * trying; while there is no connection each command rejects at once. `attempted` resolves after the first attempt.
 * @param url `redis://` or `rediss://`, with user, password and database where there are any
 */
export function openPlainRedis(url: string): Connection & { attempted: Promise<void> } {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectionName: "rollcall-limits",
    disableClientInfo: true,
    connectTimeout: 2000,
    // Nothing is kept for later: a request that memory has answered must not be counted when Redis comes back.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // A connection whose other end has silently gone is given up, or it would be waited on for a quarter of an hour.
    socketTimeout: 4000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1000),
  });
  let lastError: Error | undefined;
  redis.on("error", (error: Error) => {
    lastError = error;
  });
  redis.on("ready", () => {
    lastError = undefined;
  });
  // The rejection repeats the 'error' event; retryStrategy goes on by itself.
  const attempted = redis.connect().catch(() => {});

  /** ioredis says only that its stream is not writeable; the reason is in the last 'error' event. */
  const connected = () => {
    if (redis.status !== "ready") throw lastError ?? new Error("not connected yet");
  };
  /** The library knows its scripts by the hash of their Upstash text; without the first line they have another. */
  const plainSha = new Map<string, string>();

  const client: RedisClient = {
    async evalsha(sha, keys, args) {
      connected();
      return redis.evalsha(plainSha.get(sha) ?? sha, keys.length, ...keys, ...(args as string[]));
    },
    async eval(script, keys, args) {
      connected();
      const plain = script.replace(UPSTASH_FIRST_LINE, "");
      if (plain !== script) plainSha.set(sha1(script), sha1(plain));
      return redis.eval(plain, keys.length, ...keys, ...(args as string[]));
    },
  };
  return { client, attempted, close: () => redis.disconnect() };
}
