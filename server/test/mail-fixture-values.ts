import type { Tuning as DeliveryTuning } from "../mail/delivery/delivery";
import type { MailTransport, ReadMailService } from "../mail/delivery/provider";

export type Tuning = DeliveryTuning & { pollSeconds: number };

/** Retries in milliseconds instead of seconds. Timeouts and leases are too long for a busy machine to hit. */
export const quick: Partial<Tuning> = {
  timeoutMs: 10_000,
  requestsPerSecond: 1_000,
  leaseSeconds: 20,
  backoffMs: 20,
  pollSeconds: 0.5,
};

/** Short timeouts and leases, for tests that need to hit them. */
export const impatient: Partial<Tuning> = { ...quick, timeoutMs: 400, leaseSeconds: 2 };

export const mailedBy =
  (transport: MailTransport | null, from = "Rollcall <hello@list.example>"): ReadMailService =>
  async () => ({ transport, from });

export const links = {
  confirmationUrl: ({ mailId }: { mailId: string }) => `https://list.example/confirm/${mailId}?a=1&b=2`,
  newAddressUrl: ({ mailId }: { mailId: string }) => `https://list.example/preferences/new-${mailId}`,
  preferencesUrl: ({ mailId }: { mailId: string }) => `https://list.example/preferences/${mailId}`,
  unsubscribeUrl: ({ subscriberId }: { subscriberId: string }) =>
    `https://list.example/unsubscribe/${subscriberId}`,
};
