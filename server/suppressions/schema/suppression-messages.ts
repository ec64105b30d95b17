/** Explains each reason to staff. All screens use these sentences. They are ordered from weak to strong. */
export const suppressionSentences = {
  manual:
    "This address was suppressed. A new sign-up receives an email to confirm the return, once in 180 days.",
  bounced: "Email to this address bounces permanently. Correct the address to request a new confirmation.",
  unsubscribed:
    "The person unsubscribed. A new sign-up receives an email to confirm the return, once in 180 days.",
  complained:
    "The person reported an email as spam. This address no longer receives email. The person can still confirm with their own link.",
  denied: "The person said “this wasn’t me”. This address no longer receives email.",
} as const;

export type SuppressionReason = keyof typeof suppressionSentences;

export const suppressionReasons = Object.keys(suppressionSentences) as SuppressionReason[];

/** Reasons that staff and integrations can give. Only the person can cause `denied`. */
export const givenReasons = [
  "unsubscribed",
  "bounced",
  "complained",
  "manual",
] as const satisfies readonly SuppressionReason[];

/** The limit for one call of the dashboard. */
export const maxSuppressionsPerCall = 2_000;

/** Explains the suppression of an address to an API caller. */
const refusalCauses: Record<SuppressionReason, string> = {
  manual: "This address is suppressed.",
  bounced: "Email to this address bounced.",
  unsubscribed: "The person at this address unsubscribed.",
  complained: "The person at this address reported an email as spam.",
  denied: "The person at this address said that they did not sign up.",
};

/**
 * The error for a suppressed address. It never suggests `pending`: integrations would follow it and mail everybody who
 * unsubscribed.
 */
export const suppressedSentence = (reason: SuppressionReason, advice = "Leave this address out.") =>
  `${refusalCauses[reason]} ${advice}`;
