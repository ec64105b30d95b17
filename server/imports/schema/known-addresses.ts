// Without zod, for the browser's worker.

const knownStatuses = ["active", "pending", "unsubscribed", "suppressed"] as const;
/**
 * Canonical addresses by status, one a line: as an array, 100,000 of them held the server's main thread for 0.7 s while superjson
 * looked for what JSON cannot say.
 */
export type KnownAddresses = Record<(typeof knownStatuses)[number], string>;

export const noKnown: KnownAddresses = { active: "", pending: "", unsubscribed: "", suppressed: "" };

/** Each of the known, with its status. */
export const readKnown = (known: KnownAddresses) =>
  knownStatuses.flatMap((status) =>
    known[status] === "" ? [] : known[status].split("\n").map((canonical) => [canonical, status] as const),
  );
