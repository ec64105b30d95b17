import type { ApiKeyCache, LiveKey } from "../api-keys/api-key-cache";
import { AppError } from "../kernel/errors";
import type { Limiter } from "../platform/limits/limiter";
import { lockoutSubject } from "../platform/limits/lockout-subject";

const BEARER = /^bearer +(sk_[!-~]{1,200})$/i;

/**
 * Returns the live key of a request.
 * @param from caller: the caller's address, which counts failures; named: the newsletter in the path, or null
 * @throws AppError unauthorized, the same for a missing, malformed, unknown, revoked or expired key;
 * rate_limit_exceeded for a caller with too many failures
 */
export async function authenticate(
  { keys, limiter }: { keys: ApiKeyCache; limiter: Limiter },
  header: string | null,
  { caller, named }: { caller: string | null; named: string | null },
): Promise<LiveKey> {
  const secret = header === null ? undefined : BEARER.exec(header)?.[1];
  if (secret !== undefined) {
    const key = await keys.find(secret, named);
    if (key) return key;
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
