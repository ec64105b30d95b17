import { Resend } from "resend";

/** One mail as Resend's batch endpoint takes it. */
export type ResendMail = {
  from: string;
  to: [string];
  reply_to?: string;
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
};

/**
 * What is known after an attempt to hand over a batch.
 * - accepted: all but the rejected ones are Resend's now. `ids` by position, null where rejected.
 * - rejected: Resend will not take this batch as it is, ever.
 * - throttled: it took none and asks to wait `waitMs`; `quota` when the day's or month's mails are used up.
 * - blocked: it took none because of our account (key, domain, plan), not because of these mails.
 * - busy: an earlier request with the same key is still running there.
 * - mismatch: the key was used before for other bytes.
 * - ambiguous: nobody knows whether it took them.
 */
export type DeliveryOutcome =
  | { kind: "accepted"; ids: (string | null)[]; rejections: { position: number; message: string }[] }
  | ({ kind: "rejected" } & Said)
  | ({ kind: "throttled"; waitMs: number; quota: boolean } & Said)
  | ({ kind: "blocked" } & Said)
  | ({ kind: "busy" } & Said)
  | ({ kind: "mismatch" } & Said)
  | ({ kind: "ambiguous" } & Said);

/** Resend's name for an error, or ours where it gave none, and its own words. */
type Said = { code: string; message: string };

/** What the answer said of the rate limit; null where it said nothing. */
export type Rate = { remaining: number | null; resetMs: number | null };

export type Provider = {
  /**
   * Hands a batch over in one request. Never throws.
   * @param key idempotency key; Resend keeps it for 24 hours and answers the same bytes under it with the same ids
   * @param payload JSON text of ResendMail[], sent as it is
   */
  deliver(key: string, payload: string): Promise<{ outcome: DeliveryOutcome; rate: Rate }>;
};

type Options = {
  apiKey: string;
  baseUrl?: string | undefined;
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
    async deliver(key, payload) {
      const mails = JSON.parse(payload) as ResendMail[];
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

const unreadable = () =>
  ambiguous("unreadable_answer", "Resend answered with something that could not be read.");

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
