// Without zod, because the browser's worker loads this file.

type KnownStatus = "active" | "pending" | "unsubscribed" | "suppressed";

/**
 * The addresses in lines such as "ada@x.com active". A plan has them as one text: `kernel/trpc-transformer.ts` passes over
 * one text instead of 100,000.
 */
export const entriesOfKnownAddresses = (known: string) =>
  known === "" ? [] : known.split("\n").map((line) => line.split(" ") as [string, KnownStatus]);
