import type { AppContext } from "../app";
import { rateLimitMessage, rejectOverLimit, signedOutCost } from "../entrance";
import { AppError } from "../kernel/errors";
import { announcedLength } from "../platform/http/request-body";
import type { SignedIn } from "../staff/sign-in/staff-session";

/** The body size that costs as much as one call. A list of 100,000 people is 10 MB. */
const BYTES_OF_A_CALL = 256 * 1024;

function costOf(request: Request): number {
  const calls = decodeURIComponent(new URL(request.url).pathname).split(",").length;
  return calls + Math.floor((announcedLength(request) ?? 0) / BYTES_OF_A_CALL);
}

/**
 * Counts a request's calls for its session, or for the caller's address without a session.
 * @throws AppError rate_limit_exceeded
 */
export function countCalls(
  app: AppContext,
  request: Request,
  { staff, caller }: { staff: SignedIn | null; caller: string | null },
): void {
  const cost = costOf(request);
  if (staff) {
    const wait = app.limiter.takeLocal("session", staff.sessionId, cost);
    if (wait > 0) throw limitError(rateLimitMessage("this browser", wait), wait);
    return;
  }
  const turned = rejectOverLimit(app, caller, cost * signedOutCost);
  if (turned) throw limitError(turned.body, Number(turned.headers["Retry-After"]));
}

const limitError = (message: string, retryAfterSeconds: number) =>
  new AppError("rate_limit_exceeded", message, { retryAfterSeconds });
