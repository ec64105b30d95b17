import { Resend } from "resend";
import type { DeliveryOutcome, MailTransport, OutgoingMail, Provider } from "./provider";

type Options = Omit<Extract<MailTransport, { kind: "resend" }>, "kind"> & {
  /** The SDK has no timeout of its own. */
  timeoutMs: number;
};

const RATE_WAIT_MS = 1_000;
const QUOTA_WAIT_MS = 30 * 60_000;

/** Statuses about our key, domain, plan or URL, not about the mails (https://resend.com/docs/api-reference/errors). */
const ACCOUNT = new Set([401, 402, 403, 404, 405, 407]);

export function openResend({ apiKey, baseUrl, timeoutMs }: Options): Provider {
  const resend = new Resend(apiKey, baseUrl ? { baseUrl } : {});
  return {
    async deliver(key, payload) {
      const mails = JSON.parse(payload) as OutgoingMail[];
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        // `batch.send` would serialize the mails itself, and another SDK version might produce other bytes.
        // JSON.stringify after JSON.parse gives the same text again.
        const answer = await resend.post<unknown>("/emails/batch", mails, {
          idempotencyKey: key,
          headers: { "x-batch-validation": "permissive" },
          signal,
        });
        const headers = new Headers(answer.headers ?? {});
        const outcome = answer.error
          ? readError(answer.error, headers, signal.aborted, timeoutMs)
          : readAnswer(answer.data, mails.length);
        return { outcome, pauseMs: pauseIn(headers) };
      } catch (error) {
        // The SDK says it never throws.
        return { outcome: ambiguous("application_error", String(error)) };
      }
    },
  };
}

const ambiguous = (code: string, message: string): DeliveryOutcome => ({ kind: "ambiguous", code, message });

/** The ids of a 2xx, in order, with gaps where `errors` names a position. */
function readAnswer(data: unknown, size: number): DeliveryOutcome {
  const { data: accepted, errors: named } = (data ?? {}) as { data?: unknown; errors?: unknown };
  const errors = named ?? [];
  if (!Array.isArray(accepted) || !Array.isArray(errors)) return unreadable();
  const rejections = errors.map((error) => ({
    position: error?.index,
    message: String(error?.message ?? ""),
  }));
  const rejected = new Set(rejections.map((rejection) => rejection.position));
  const positions = Array.from({ length: size }, (_, position) => position);
  if (rejected.size !== rejections.length || rejections.some(({ position }) => !positions.includes(position)))
    return unreadable();
  const taken = positions.filter((position) => !rejected.has(position));
  if (taken.length !== accepted.length) return unreadable();
  const ids: (string | null)[] = positions.map(() => null);
  for (const [i, position] of taken.entries()) {
    const id = accepted[i]?.id;
    if (typeof id !== "string") return unreadable();
    ids[position] = id;
  }
  return { kind: "accepted", ids, rejections };
}

const unreadable = () => ambiguous("unreadable_answer", "Resend's answer could not be read.");

/** Classifies an error by what it proves. Only mails that were certainly not accepted may be sent under another key. */
function readError(error: unknown, headers: Headers, timedOut: boolean, timeoutMs: number): DeliveryOutcome {
  const { name, message, statusCode } = (typeof error === "object" && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  const code = typeof name === "string" && name !== "" ? name : "unreadable_answer";
  const said = typeof message === "string" && message !== "" ? message : "Resend gave no reason.";
  const status = typeof statusCode === "number" ? statusCode : null;
  if (timedOut) return ambiguous("timeout", `Resend did not answer within ${timeoutMs / 1000} s.`);
  if (code === "invalid_idempotent_request") return { kind: "mismatch", code, message: said };
  if (status === 429) {
    const quota = code.endsWith("_quota_exceeded");
    const waitMs = secondsIn(headers, "retry-after") ?? secondsIn(headers, "ratelimit-reset");
    return {
      kind: "throttled",
      code,
      message: said,
      quota,
      waitMs: waitMs ?? (quota ? QUOTA_WAIT_MS : RATE_WAIT_MS),
    };
  }
  // A 403 `validation_error` means an unverified domain, or a trial account that mails strangers.
  if (status !== null && ACCOUNT.has(status)) return { kind: "blocked", code, message: said };
  // The SDK reports `application_error` below 500 for a body that is not Resend's. A proxy answered, which proves
  // nothing.
  const definite = status !== null && status >= 400 && status < 500 && ![408, 409, 425].includes(status);
  if (!definite || code === "application_error" || code === "unreadable_answer") return ambiguous(code, said);
  return { kind: "rejected", code, message: said };
}

/** Milliseconds until the rate limit allows another request. */
const pauseIn = (headers: Headers): number =>
  headers.get("ratelimit-remaining") === "0" ? (secondsIn(headers, "ratelimit-reset") ?? 0) : 0;

/** Reads a header in whole or fractional seconds. Returns milliseconds, at most a day. */
function secondsIn(headers: Headers, name: string): number | null {
  const seconds = Number.parseFloat(headers.get(name) ?? "");
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 86_400) * 1000 : null;
}
