// Without zod, because the browser's worker loads this file.

const knownStatuses = ["active", "pending", "unsubscribed", "suppressed"] as const;
/**
 * Canonical addresses by status, one per line. As an array, 100,000 addresses blocked the server's event loop for 0.7 s
 * while superjson searched them for values that JSON cannot express.
 */
export type KnownAddresses = Record<(typeof knownStatuses)[number], string>;

export const noKnownAddresses: KnownAddresses = { active: "", pending: "", unsubscribed: "", suppressed: "" };

/** Every known address with its status. */
export const entriesOfKnownAddresses = (known: KnownAddresses) =>
  knownStatuses.flatMap((status) =>
    known[status] === "" ? [] : known[status].split("\n").map((canonical) => [canonical, status] as const),
  );
