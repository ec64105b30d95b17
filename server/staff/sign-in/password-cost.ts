/**
 * OWASP's present cost of scrypt: 128 MB for half a second. In a file of its own, whose figures unit tests change: no setting
 * weakens it.
 */
export const passwordCost = { ln: 17, r: 8, p: 1 };
