import { uncertainAfterHours } from "../../kernel/spans";

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
 * What is known after an attempt to hand over a batch.
 * - accepted: all but the rejected ones are the provider's now. `ids` by position, null where rejected.
 * - rejected: it will not take this batch as it is, ever.
 * - throttled: it took none and asks to wait `waitMs`; `quota` when the day's or month's mails are used up.
 * - blocked: it took none because of our account or of its own state, not because of these mails.
 * - later: it took none of this batch yet, and asks to try it again later; others it may take.
 * - busy: an earlier request with the same key is still running there.
 * - mismatch: the key was used before for other bytes.
 * - ambiguous: nobody knows whether it took them.
 */
export type DeliveryOutcome =
  | { kind: "accepted"; ids: (string | null)[]; rejections: { position: number; message: string }[] }
  | ({ kind: "rejected" } & Said)
  | ({ kind: "throttled"; waitMs: number; quota: boolean } & Said)
  | ({ kind: "blocked" } & Said)
  | ({ kind: "later" } & Said)
  | ({ kind: "busy" } & Said)
  | ({ kind: "mismatch" } & Said)
  | ({ kind: "ambiguous" } & Said);

/** The provider's name for an error, or ours where it gave none, and its own words. */
type Said = { code: string; message: string };

/** What the answer said of the rate limit; null where it said nothing. */
export type Rate = { remaining: number | null; resetMs: number | null };

/** A service or a server that takes mails. */
export type Provider = {
  /** Why nobody knows what became of a mail, and what to do about it, in words for the staff. */
  uncertain: string;
  /**
   * Hands a batch over in one request. Never throws.
   * @param key the batch's id. Resend keeps it for 24 hours and answers the same bytes under it with the same ids
   * @param payload JSON text of OutgoingMail[]
   */
  deliver(key: string, payload: string): Promise<{ outcome: DeliveryOutcome; rate: Rate }>;
};

/** By what mails leave. */
export type MailTransport =
  | { kind: "resend"; apiKey: string; baseUrl?: string | undefined }
  | { kind: "smtp"; url: string; mayBePlain: boolean };

/** Stands for Resend's key where AUTH_SECRET does not decrypt the stored one: mails wait for another instead of being logged only. */
export const unreadableKey = "";

/** By what mails leave, and as whose. */
export type MailService = {
  /** Null: mails are written and logged only; nobody is called. */
  transport: MailTransport | null;
  /** Sender of newsletters that have none of their own, and of mails to the staff, such as `Weekly <hello@x.org>`. */
  from: string;
};
/** The mail service as it is set now. */
export type ReadMailService = () => Promise<MailService>;

/** How a kind of provider is used. */
export type ProviderLimits = {
  /** Mails in one batch. */
  maxMails: number;
  /** How long an attempt may take. */
  timeoutMs: number;
  /** Requests that all processes start in a second. */
  requestsPerSecond: number;
  /** How long an attempt has its batch to itself; longer than it can take. After that any process repeats it. */
  leaseSeconds: number;
  /** How long a batch of which nobody knows is tried again; 0 where a repeat could mail twice. */
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
    // One, so that what is not known of a mail is not known of that mail alone.
    maxMails: 1,
    // A server may look at a mail for long before it takes it.
    timeoutMs: 60_000,
    requestsPerSecond: 10,
    leaseSeconds: 90,
    uncertainAfterSeconds: 0,
  },
};
