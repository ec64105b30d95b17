import type { ApiKeyCache, Principal } from "../../auth/api-key-cache";
import { AppError } from "../../errors";
import type { Limiter } from "../../limits/limiter";

const BEARER = /^bearer +(sk_[!-~]{1,200})$/i;

/** How a caller whom nobody can name is counted: all of them together. */
const NOBODY = "unknown";

/** Whom failures are counted for: an address, or an IPv6 network of 64 bits, which is one household's or server's own. */
export function lockoutSubject(caller: string | null): string {
  if (caller === null) return NOBODY;
  if (!caller.includes(":")) return caller;
  const [head = "", tail] = caller.split("%")[0]?.split("::") ?? [];
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  while (tail !== undefined && groups.length + after.length < 8) groups.push("0");
  return `${[...groups, ...after].slice(0, 4).join(":")}::/64`;
}

/**
 * The key that speaks.
 * @param caller the caller's address; failures are counted by it
 * @throws AppError unauthorized, the same for a missing, malformed, unknown, revoked or expired key; or
 *   rate_limit_exceeded for a caller with too many failures
 */
export async function authenticate(
  { keys, limiter }: { keys: ApiKeyCache; limiter: Limiter },
  header: string | null,
  caller: string | null,
): Promise<Principal> {
  const secret = header === null ? undefined : BEARER.exec(header)?.[1];
  if (secret !== undefined) {
    const found = keys.find(secret);
    const principal = found instanceof Promise ? await found : found;
    if (principal) return principal;
  }
  const lockedSeconds = await limiter.failedAuthentication(lockoutSubject(caller));
  if (lockedSeconds > 0) {
    throw new AppError(
      "rate_limit_exceeded",
      "Too many requests with a wrong API key came from your address. Fix the key, then try again.",
      {
        retryAfterSeconds: lockedSeconds,
      },
    );
  }
  throw new AppError(
    "unauthorized",
    "The API key is missing or not valid. Send the header Authorization: Bearer sk_…",
  );
}
