/** What the limiter needs of a Redis, be it Upstash over HTTP or a plain one. @upstash/ratelimit takes the same. */
export type RedisClient = {
  evalsha(sha: string, keys: string[], args: unknown[]): Promise<unknown>;
  eval(script: string, keys: string[], args: unknown[]): Promise<unknown>;
};

export type RedisConnection = { client: RedisClient; close(): void };

/** After this an Upstash request is dropped and its socket freed; memory has answered long before. */
const ABORT_MS = 2000;

/**
 * Upstash over its REST API. Commands asked for in the same tick travel as one HTTP request.
 * @throws UrlError when `url` is no http(s) URL
 */
export async function openUpstash({ url, token }: { url: string; token: string }): Promise<RedisConnection> {
  const { Redis } = await import("@upstash/redis");
  const client = new Redis({
    url,
    token,
    enableAutoPipelining: true,
    enableTelemetry: false,
    // A repeated request would count twice, and would outlast its budget anyway.
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(ABORT_MS),
  });
  return { client, close: () => {} };
}

/** Upstash's own first line of a script; a plain Redis rejects the flag it names. */
const UPSTASH_FIRST_LINE = /^#!lua flags=allow-key-locking[^\n]*\n/;

/**
 * A plain Redis as @upstash/ratelimit expects Upstash's client. Resolves after the first attempt to connect and keeps
 * trying in the background; while there is no connection each command rejects at once.
 * @param url `redis://` or `rediss://`, with user, password and database where there are any
 */
export async function openPlainRedis(url: string): Promise<RedisConnection> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    lazyConnect: true,
    connectionName: "rollcall-limits",
    disableClientInfo: true,
    connectTimeout: 2000,
    // Nothing is queued: a request that memory has answered must not be counted when Redis comes back.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // Without it a connection whose other end has silently gone would be waited on for a quarter of an hour.
    socketTimeout: 4000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1000),
  });
  // ioredis rejects only with "stream isn't writeable"; the reason is in the last 'error' event.
  let lastError: Error | undefined;
  redis.on("error", (error: Error) => {
    lastError = error;
  });
  await redis.connect().catch(() => {});
  const client: RedisClient = {
    // Scripts are sent whole, 300 bytes each: the library's hashes are of the text with Upstash's first line.
    evalsha: () => Promise.reject(new Error("NOSCRIPT")),
    async eval(script, keys, args) {
      if (redis.status !== "ready") throw lastError ?? new Error("not connected yet");
      const plain = script.replace(UPSTASH_FIRST_LINE, "");
      return redis.eval(plain, keys.length, ...keys, ...(args as string[]));
    },
  };
  return { client, close: () => redis.disconnect() };
}
