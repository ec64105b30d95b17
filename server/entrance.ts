// What every request of a browser passes before it costs anything: is it meant for us, and not one too many?
import type { AppContext } from "./app";
import { foreignHost, isOurHost } from "./platform/http/same-origin";
import { lockoutSubject } from "./platform/limits/lockout-subject";

/** What a sign-in, a set-up or a call without a session costs, in pages. */
export const strangersCost = 4;

export type TurnedAway = { status: number; headers: Record<string, string>; body: string };

const turnedAway = (status: number, body: string, headers: Record<string, string> = {}): TurnedAway => ({
  status,
  body,
  headers: { "Cache-Control": "no-store", ...headers },
});

/** For who came to a name that is none of ours; null when they did not. */
export function misdirected({ origins }: AppContext, host: string | null | undefined): TurnedAway | null {
  return isOurHost(host, origins) ? null : turnedAway(421, foreignHost);
}

/** For whose address asked too often; null when it may go on. @param cost in pages; what costs none is not counted */
export function overLimit({ limiter }: AppContext, caller: string | null, cost: number): TurnedAway | null {
  const wait = cost > 0 && caller !== null ? limiter.takeLocal("address", lockoutSubject(caller), cost) : 0;
  return wait > 0 ? turnedAway(429, tooOften("your address", wait), { "Retry-After": String(wait) }) : null;
}

/** @param who "your address" @param seconds until it may go on */
export const tooOften = (who: string, seconds: number) =>
  `Too many requests came from ${who} within a minute. Nothing was changed. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
