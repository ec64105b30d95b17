/** Why an address is not written to, in words for the staff; wherever it is said, it is said so. The stronger reason stays. */
export const suppressionSentences = {
  manual:
    "This address was suppressed. A new sign-up is asked once, by mail, whether they want to come back.",
  bounced:
    "This address takes no mail: its mail server said so for good. Correct the address, and they are asked anew.",
  unsubscribed:
    "This address unsubscribed. A new sign-up is asked once, by mail, whether they want to come back.",
  complained:
    "Its reader marked a mail of this newsletter as spam. They are not written to again; their own link can still confirm.",
  denied: "Its reader said “this wasn’t me”. They are not written to again.",
} as const;

export type SuppressionReason = keyof typeof suppressionSentences;

/** Reasons for which even the question whether somebody wants to come back is not mailed. */
export const hardReasons = [
  "bounced",
  "complained",
  "denied",
] as const satisfies readonly SuppressionReason[];

/** Whether an address may be asked by mail whether it wants to come back: once, and not for a hard reason. */
export function mayAsk({ reason, askedAt }: { reason: SuppressionReason; askedAt: Date | null }): boolean {
  return askedAt === null && !hardReasons.some((hard) => hard === reason);
}

/** Where a suppression comes from: the person's own act, which nobody lifts for them, a mail server, or somebody at the newsletter. */
export type SuppressionSource = "person" | "mail" | "api" | "dashboard" | "import" | "operator";

/** Why a suppressed address is not added or changed to, for whoever tried. */
export function suppressedSentence({
  reason,
  askedAt,
}: {
  reason: SuppressionReason;
  askedAt: Date | null;
}): string {
  const why = {
    manual: "This address is suppressed",
    bounced: "This address takes no mail (it bounced)",
    unsubscribed: "The person at this address unsubscribed",
    complained: "The person at this address marked a mail as spam",
    denied: "The person at this address said that they did not sign up",
  }[reason];
  if (mayAsk({ reason, askedAt }))
    return `${why}, and comes back only by their own confirmation: add them as pending, which asks them once by mail.`;
  return askedAt && !hardReasons.some((hard) => hard === reason)
    ? `${why}. They were asked once by mail whether they want to come back, and have not answered; they are not asked again.`
    : `${why}, and is not written to again.`;
}
