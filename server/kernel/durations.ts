/** How long an invitation's link works. */
export const invitationDays = 7;
export const confirmationLinkDays = 7;
/** How long a link to a person's preferences works. */
export const preferencesLinkHours = 24;
/** How long a password reset link works. */
export const resetLinkMinutes = 30;
/** How long the link that confirms a staff member's new address works. */
export const emailLinkMinutes = 60;
/** How long the link that sets up the installation works. */
export const setupLinkMinutes = 60;

/** How long an expired invitation is still listed and can be sent again. */
export const endedInvitationDays = 30;
/** The shortest time between two emails of one invitation. */
export const invitationPauseMinutes = 1;
/** How long the first response to an Idempotency-Key is repeated. */
export const idempotencyHours = 24;
/** How long the change feed keeps changes. */
export const changesKeptDays = 30;
/** How long after a confirmation email its reminder is sent, if the newsletter uses reminders. */
export const reminderDays = 3;
/** The shortest and longest time after which a newsletter removes pending people. */
export const pendingDaysBounds = { least: 7, most: 365 } as const;
/** The most confirmation emails to one person in 24 hours, across all newsletters and spellings of the address. */
export const confirmationsPerDay = 3;
/** The shortest time between two of them. */
export const confirmationPauseSeconds = 60;
/** The shortest time between two emails that ask the owner of one suppressed address to resubscribe. */
export const resubscribeRequestDays = 180;
/** How long a batch with an unknown result is retried. Resend remembers its idempotency key for 24 hours. */
export const uncertainAfterHours = 20;
/** How long an import can be undone. */
export const importUndoDays = 7;
/** How long a bulk action can be undone. */
export const bulkUndoHours = 24;
/** How long after sign-in a staff member can manage keys, invitations, exports and erasing without signing in again. */
export const recentSignInMinutes = 15;
/** How long an inactive staff member stays signed in. */
export const sessionIdleHours = 12;
/** The longest time that a staff member stays signed in. */
export const sessionLifeDays = 30;
/** How long a deleted newsletter can be restored before it is erased with its people. */
export const newsletterRestoreDays = 30;
