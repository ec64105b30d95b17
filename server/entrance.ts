// Checks each browser request before it costs anything: does its host belong to us, and is it within the rate limit?
import type { AppContext } from "./app";
import { foreignHost, isOurHost } from "./platform/http/same-origin";
import { lockoutSubject } from "./platform/limits/caller-address";

/** The cost of a sign-in, a set-up or a call without a session, in pages. */
export const signedOutCost = 4;

type RejectedResponse = { status: number; headers: Record<string, string>; body: string };

const rejection = (status: number, body: string, headers: Record<string, string> = {}): RejectedResponse => ({
  status,
  body,
  headers: { "Cache-Control": "no-store", ...headers },
});

/** Rejects a request whose Host is not ours; returns null otherwise. */
export function rejectForeignHost(
  { origins }: AppContext,
  host: string | null | undefined,
): RejectedResponse | null {
  return isOurHost(host, origins) ? null : rejection(421, foreignHost);
}

/**
 * Counts a request of an address. @param cost in pages; 0 is not counted
 * @returns whole seconds until the next request is allowed; 0: now
 */
export const waitOf = ({ limiter }: AppContext, caller: string | null, cost: number): number =>
  cost > 0 && caller !== null ? limiter.takeLocal("address", lockoutSubject(caller), cost) : 0;

/** Rejects a request over the address's rate limit; returns null otherwise. @param cost as in `waitOf` */
export function rejectOverLimit(
  app: AppContext,
  caller: string | null,
  cost: number,
): RejectedResponse | null {
  const wait = waitOf(app, caller, cost);
  return wait > 0
    ? rejection(429, rateLimitMessage("your address", wait), { "Retry-After": String(wait) })
    : null;
}

/** @param who such as "your address" @param seconds until the next request is allowed */
export const rateLimitMessage = (who: string, seconds: number) =>
  `Too many requests came from ${who} within a minute. Nothing was changed. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
