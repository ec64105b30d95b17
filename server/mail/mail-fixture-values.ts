import type { Tuning } from "./delivery";

/** Faults and retries in milliseconds instead of seconds and hours; leases stay longer than a request may take. */
export const quick: Partial<Tuning> = {
  timeoutMs: 400,
  requestsPerSecond: 1_000,
  leaseSeconds: 1.5,
  backoffMs: 20,
  pollSeconds: 0.5,
};

export const links = {
  confirmationUrl: ({ mailId }: { mailId: string }) => `https://roll.example/confirm/${mailId}?a=1&b=2`,
};
