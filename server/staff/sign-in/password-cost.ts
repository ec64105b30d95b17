/**
 * OWASP's current scrypt cost: 128 MB for half a second. The cost has its own file because unit tests replace the
 * figures; no setting weakens it.
 */
export const passwordCost = { ln: 17, r: 8, p: 1 };
