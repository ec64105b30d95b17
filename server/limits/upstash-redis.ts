import { Redis } from "@upstash/redis";
import type { Connection } from "./redis-script";

/** After this a request is dropped and its socket freed; memory has long answered. */
const ABORT_MS = 2000;

/**
 * Upstash over its REST API. Commands asked for in the same tick travel as one HTTP request.
 * @throws UrlError when `url` is no http(s) URL
 */
export function openUpstash({ url, token }: { url: string; token: string }): Connection {
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
