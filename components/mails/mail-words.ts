/** What is said of a mail that has been asked for. Only a mail's own state says that it was sent. */

/** Why nothing leaves, while there is no mail service. */
export const noKey = "email is not set up";

/** @param what such as "A confirmation to ada@lovelace.org" */
export const askedFor = (what: string, sends: boolean) =>
  sends ? `${what} is queued.` : `${what} is stored but not sent: ${noKey}.`;

/** What saving does, before it is done. */
export const willAsk = (email: string, sends: boolean) =>
  sends
    ? `${email || "This address"} receives a confirmation email.`
    : `A confirmation email to ${email || "this address"} is stored but not sent: ${noKey}.`;
