/** How long the link of an invitation works. */
export const invitationDays = 7;
/** How long an invitation that has ended is still listed, and can be sent again. */
export const endedInvitationDays = 30;
/** How soon an invitation may be mailed again. */
export const invitationPauseMinutes = 1;
/** How long the first answer to an Idempotency-Key is repeated. */
export const idempotencyHours = 24;
/** How long changes are kept for those who follow them. */
export const changesKeptDays = 30;
/** How long the link of a confirmation works. */
export const confirmationLinkDays = 7;
/** How long the link to a person's preferences works. */
export const preferencesLinkHours = 24;
/** How long after a confirmation left its reminder is sent, where the newsletter wants one. */
export const reminderDays = 3;
/** The shortest and longest time after which a newsletter removes people who have not answered. */
export const pendingDaysBounds = { least: 7, most: 365 } as const;
/** One person gets at most so many confirmations in 24 hours, over all newsletters and spellings of the address. */
export const confirmationsPerDay = 3;
/** And at most one in so long. */
export const confirmationPauseSeconds = 60;
/** How long a batch of which nobody knows is tried again: less than the 24 hours that Resend remembers its key. */
export const uncertainAfterHours = 20;
/** How long an import can be undone. */
export const importUndoDays = 7;
/** How long a bulk action can be undone. */
export const bulkUndoHours = 24;
/** How long after a sign-in a staff member is not asked again before keys, invitations, exports and erasing. */
export const recentSignInMinutes = 15;
/** How long a staff member stays signed in without doing anything. */
export const sessionIdleHours = 12;
/** How long a staff member stays signed in at most. */
export const sessionLifeDays = 30;
/** How long a link works that resets a staff member's password. */
export const resetLinkMinutes = 30;
/** How long a link works that confirms a staff member's new address. */
export const emailLinkMinutes = 60;
/** How long a deleted newsletter can be brought back, before it is removed with its people. */
export const newsletterGraveDays = 30;
