// How far the check of a list is, told before its answer: without zod, for the browser's worker, too.

/**
 * Header of a plan's request whose sender wants to see how far it is: the answer then is 200, whatever comes of it, and begins
 * with a blank, which JSON ignores, for each percent of the rows that is compared.
 */
export const progressHeader = "x-progress";

export const blanksFor = (share: number) => Math.floor(share * 100);

/** The share that the beginning of an answer tells, from 0 to 1. */
export const shareIn = (answer: string) => (/^ */.exec(answer)?.[0].length ?? 0) / 100;
