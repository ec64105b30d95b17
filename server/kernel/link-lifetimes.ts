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
