/** Why an address is not written to, in words for the staff; wherever it is said, it is said so. */
export const suppressionSentences = {
  denied: "Its reader said “this wasn’t me”. They are not written to again.",
  complained:
    "Its reader marked a mail of this newsletter as spam. They are not written to again; their own link can still confirm.",
  bounced:
    "This address takes no mail: its mail server said so for good. Correct the address, and they are asked anew.",
} as const;

/** What a reader did outweighs what a mail server did. */
export type SuppressionReason = keyof typeof suppressionSentences;
