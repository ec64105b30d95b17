/**
 * The commands that the limiter needs from Upstash over HTTP or a plain Redis. @upstash/ratelimit uses the same ones.
 */
export type RedisClient = {
  evalsha(sha: string, keys: string[], args: unknown[]): Promise<unknown>;
  eval(script: string, keys: string[], args: unknown[]): Promise<unknown>;
};

export type RedisConnection = { client: RedisClient; close(): void };

/** After this an Upstash request is aborted and its socket freed. Memory answered long before. */
const ABORT_MS = 2000;

/**
 * Opens Upstash over its REST API. Commands of one tick share an HTTP request.
 * @throws UrlError when `url` is not an http(s) URL
 */
export async function openUpstash({ url, token }: { url: string; token: string }): Promise<RedisConnection> {
  const { Redis } = await import("@upstash/redis");
  const client = new Redis({
    url,
    token,
    enableAutoPipelining: true,
    enableTelemetry: false,
    // A repeated request would count twice, and would exceed its time budget anyway.
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(ABORT_MS),
  });
  return { client, close: () => {} };
}

/** The first line of Upstash's scripts. A plain Redis rejects its flag. */
const UPSTASH_FIRST_LINE = /^#!lua flags=allow-key-locking[^\n]*\n/;

/**
 * Opens a plain Redis with the interface that @upstash/ratelimit expects. Resolves after the first connection attempt
 * and keeps trying in the background. Without a connection each command rejects at once.
 * @param url `redis://` or `rediss://`, with optional user, password and database
 */
export async function openPlainRedis(url: string): Promise<RedisConnection> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    lazyConnect: true,
    connectionName: "rollcall-limits",
    disableClientInfo: true,
    connectTimeout: 2000,
    // Queues nothing. A request that memory already counted must not be counted again when Redis returns.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // Otherwise a connection to a silently lost peer would block for 15 minutes.
    socketTimeout: 4000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1000),
  });
  // ioredis rejects with just "stream isn't writeable". The reason is in the last 'error' event.
  let lastError: Error | undefined;
  redis.on("error", (error: Error) => {
    lastError = error;
  });
  await redis.connect().catch(() => {});
  const client: RedisClient = {
    // Scripts are sent in full, 300 bytes each. The library's hashes include Upstash's first line.
    evalsha: () => Promise.reject(new Error("NOSCRIPT")),
    async eval(script, keys, args) {
      if (redis.status !== "ready") throw lastError ?? new Error("not connected yet");
      const plain = script.replace(UPSTASH_FIRST_LINE, "");
      return redis.eval(plain, keys.length, ...keys, ...(args as string[]));
    },
  };
  return { client, close: () => redis.disconnect() };
}
