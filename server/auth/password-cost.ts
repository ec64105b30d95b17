/** OWASP's present cost of scrypt: 128 MB for a third of a second. In a file of its own, which unit tests replace: no setting weakens it. */
export const passwordCost = { ln: 17, r: 8, p: 1 };
