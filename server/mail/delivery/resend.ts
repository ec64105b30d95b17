import { Resend } from "resend";
import type { DeliveryOutcome, MailTransport, OutgoingMail, Provider, Rate } from "./provider";
import { UNCERTAIN } from "./reasons";

type Options = Omit<Extract<MailTransport, { kind: "resend" }>, "kind"> & {
  /** The SDK itself waits for ever. */
  timeoutMs: number;
};

const RATE_WAIT_MS = 1_000;
const QUOTA_WAIT_MS = 30 * 60_000;

/** Statuses that speak of our key, domain, plan or URL and not of the mails (https://resend.com/docs/api-reference/errors). */
const ACCOUNT = new Set([401, 402, 403, 404, 405, 407]);

export function openResend({ apiKey, baseUrl, timeoutMs }: Options): Provider {
  const resend = new Resend(apiKey, baseUrl ? { baseUrl } : {});
  return {
    uncertain: UNCERTAIN,
    async deliver(key, payload) {
      const mails = JSON.parse(payload) as OutgoingMail[];
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        // Not `batch.send`: it would put the mails together itself, and another version of it perhaps into other bytes.
        // JSON.stringify of what JSON.parse gave is the same text again.
        const answer = await resend.post<unknown>("/emails/batch", mails, {
          idempotencyKey: key,
          headers: { "x-batch-validation": "permissive" },
          signal,
        });
        const headers = new Headers(answer.headers ?? {});
        const outcome = answer.error
          ? readError(answer.error, headers, signal.aborted, timeoutMs)
          : readAnswer(answer.data, mails.length);
        return { outcome, rate: readRate(headers) };
      } catch (error) {
        // The SDK says it never throws.
        return {
          outcome: ambiguous("application_error", String(error)),
          rate: { remaining: null, resetMs: null },
        };
      }
    },
  };
}

const ambiguous = (code: string, message: string): DeliveryOutcome => ({ kind: "ambiguous", code, message });

/** The ids of a 2xx, in order, with gaps where `errors` names a position. */
function readAnswer(data: unknown, size: number): DeliveryOutcome {
  const { data: accepted, errors = [] } = (data ?? {}) as { data?: unknown; errors?: unknown };
  if (!Array.isArray(accepted) || !Array.isArray(errors)) return unreadable();
  const rejections = errors.map((error) => ({
    position: Number(error?.index),
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

/** Sorts an error by what it proves. Only what surely was not taken may ever leave under another key. */
function readError(error: unknown, headers: Headers, timedOut: boolean, timeoutMs: number): DeliveryOutcome {
  const { name, message, statusCode } = (typeof error === "object" && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  const code = typeof name === "string" && name !== "" ? name : "unreadable_answer";
  const said = typeof message === "string" && message !== "" ? message : "Resend gave no reason.";
  const status = typeof statusCode === "number" ? statusCode : null;
  if (timedOut) return ambiguous("timeout", `Resend did not answer within ${timeoutMs / 1000} s.`);
  if (code === "concurrent_idempotent_requests") return { kind: "busy", code, message: said };
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
  // 403 `validation_error` is a domain that is not verified, or a trial account mailing strangers.
  if (status !== null && ACCOUNT.has(status)) return { kind: "blocked", code, message: said };
  // `application_error` below 500 is the SDK's word for a body that is not Resend's: a proxy speaks, which proves nothing.
  const definite = status !== null && status >= 400 && status < 500 && ![408, 409, 425].includes(status);
  if (!definite || code === "application_error" || code === "unreadable_answer") return ambiguous(code, said);
  return { kind: "rejected", code, message: said };
}

function readRate(headers: Headers): Rate {
  const remaining = headers.get("ratelimit-remaining");
  return {
    remaining: remaining !== null && /^\d+$/.test(remaining) ? Number(remaining) : null,
    resetMs: secondsIn(headers, "ratelimit-reset"),
  };
}

/** A header of whole or broken seconds, in ms; at most a day, whatever it says. */
function secondsIn(headers: Headers, name: string): number | null {
  const seconds = Number.parseFloat(headers.get(name) ?? "");
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 86_400) * 1000 : null;
}
