/** What is said of a mail that has been asked for. Only a mail's own state says that it was sent. */

/** Why nothing leaves, while there is no mail service. */
export const noKey = "no mail leaves until a mail service is set up";

/** @param what such as "A confirmation to ada@lovelace.org" */
export const askedFor = (what: string, sends: boolean) =>
  sends ? `${what} is queued.` : `${what} is kept here: ${noKey}.`;

/** What saving does, before it is done. */
export const willAsk = (email: string, sends: boolean) =>
  sends
    ? `A mail goes to ${email || "this address"} that asks to confirm.`
    : `A confirmation to ${email || "this address"} is written and kept here: ${noKey}.`;
