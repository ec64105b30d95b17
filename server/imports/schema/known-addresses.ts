// Without zod, because the browser's worker loads this file.

const knownStatuses = ["active", "pending", "unsubscribed", "suppressed"] as const;
/**
 * Canonical addresses by status, one per line: `kernel/trpc-transformer.ts` passes over one text instead of 100,000.
 */
export type KnownAddresses = Record<(typeof knownStatuses)[number], string>;

export const noKnownAddresses: KnownAddresses = { active: "", pending: "", unsubscribed: "", suppressed: "" };

/** Every known address with its status. */
export const entriesOfKnownAddresses = (known: KnownAddresses) =>
  knownStatuses.flatMap((status) =>
    known[status] === "" ? [] : known[status].split("\n").map((canonical) => [canonical, status] as const),
  );
