import { uncertainAfterHours } from "../../kernel/durations";

/** One mail, as Resend's batch endpoint takes it. */
export type OutgoingMail = {
  from: string;
  to: [string];
  reply_to?: string;
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
};

/**
 * The result of an attempt to send a batch.
 * - accepted: the provider has all mails except the rejected ones. `ids` by position, null where rejected.
 * - rejected: the provider will never accept this batch unchanged.
 * - throttled: it accepted none and asks to wait `waitMs`; `quota` when the daily or monthly quota is used up.
 * - blocked: it accepted none because of our account or its own state, not because of these mails.
 * - later: it accepted none of this batch and asks for a retry later; it may accept other batches.
 * - mismatch: the key was used before with other bytes.
 * - ambiguous: it is unknown whether the provider accepted the mails, or it is still working on an earlier request.
 */
export type DeliveryOutcome =
  | { kind: "accepted"; ids: (string | null)[]; rejections: { position: number; message: string }[] }
  | ({ kind: "throttled"; waitMs: number; quota: boolean } & Said)
  | { [K in Failure]: { kind: K } & Said }[Failure];

type Failure = "rejected" | "blocked" | "later" | "mismatch" | "ambiguous";

/** The provider's error code (ours where it gave none) and its message. */
type Said = { code: string; message: string };

/** A mail service or a mail server. */
export type Provider = {
  /**
   * Sends a batch in one request. Never throws.
   * @param key the batch's id. Resend keeps it for 24 hours and answers the same bytes under it with the same ids
   * @param payload JSON text of OutgoingMail[]
   * @returns pauseMs: how long the provider's rate limit allows no further request
   */
  deliver(key: string, payload: string): Promise<{ outcome: DeliveryOutcome; pauseMs?: number }>;
};

export type MailTransport =
  | { kind: "resend"; apiKey: string; baseUrl?: string | undefined }
  | { kind: "smtp"; url: string; mayBePlain: boolean };

/**
 * Replaces Resend's key when AUTH_SECRET can't decrypt the stored one. Mails then wait for a new key; a missing
 * transport would only log them.
 */
export const unreadableKey = "";

export type MailService = {
  /** Null: mails are written and logged, and never sent. */
  transport: MailTransport | null;
  /** The sender of newsletters without their own, and of mails to the staff, such as `Weekly <hello@x.org>`. */
  from: string;
};
export type ReadMailService = () => Promise<MailService>;

export type ProviderLimits = {
  maxMails: number;
  timeoutMs: number;
  /** Requests per second, over all processes. */
  requestsPerSecond: number;
  /**
   * The lease of an attempt on its batch; longer than the attempt's timeout. Afterwards any process may repeat the
   * batch.
   */
  leaseSeconds: number;
  /** How long an ambiguous batch is retried; 0 where a retry could send a mail twice. */
  uncertainAfterSeconds: number;
};

export const providerLimits: Record<MailTransport["kind"], ProviderLimits> = {
  resend: {
    // Resend's most in a batch; its SDK does not check.
    maxMails: 100,
    timeoutMs: 10_000,
    requestsPerSecond: 2,
    leaseSeconds: 20,
    uncertainAfterSeconds: uncertainAfterHours * 3600,
  },
  smtp: {
    // One mail each, so that an ambiguous answer leaves only that mail uncertain.
    maxMails: 1,
    // A server may check a mail for a long time before it accepts the mail.
    timeoutMs: 60_000,
    requestsPerSecond: 10,
    leaseSeconds: 90,
    uncertainAfterSeconds: 0,
  },
};
