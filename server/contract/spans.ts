/** How long the link of an invitation works. */
export const invitationDays = 7;
/** How long an invitation that has ended is still listed, and can be sent again. */
export const endedInvitationDays = 30;
/** How soon an invitation may be mailed again. */
export const invitationPauseMinutes = 1;
/** How long the first answer to an Idempotency-Key is repeated. */
export const idempotencyHours = 24;
