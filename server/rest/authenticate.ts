import type { ApiKeyCache, Principal } from "../api-keys/api-key-cache";
import { AppError } from "../kernel/errors";
import type { Limiter } from "../platform/limits/limiter";
import { lockoutSubject } from "../platform/limits/lockout-subject";

const BEARER = /^bearer +(sk_[!-~]{1,200})$/i;

/**
 * Returns the live key of a request.
 * @param caller the caller's address, which counts failures
 * @throws AppError unauthorized, the same for a missing, malformed, unknown, revoked or expired key;
 * rate_limit_exceeded for a caller with too many failures
 */
export async function authenticate(
  { keys, limiter }: { keys: ApiKeyCache; limiter: Limiter },
  header: string | null,
  caller: string | null,
): Promise<Principal> {
  const secret = header === null ? undefined : BEARER.exec(header)?.[1];
  if (secret !== undefined) {
    const principal = await keys.find(secret);
    if (principal) return principal;
  }
  const { lockedSeconds } = await limiter.failedAuthentication(lockoutSubject(caller));
  if (lockedSeconds > 0) {
    const message = "Too many requests with a wrong API key from your address. Fix the key, then try again.";
    throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds: lockedSeconds });
  }
  throw new AppError(
    "unauthorized",
    "The API key is missing or not valid. Send the header Authorization: Bearer sk_…",
  );
}
