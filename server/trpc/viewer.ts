import { getAccountWithNewsletters } from "../accounts/newsletters";
import { type AppContext, app } from "../app";
import { toAppError } from "../kernel/errors";
import { adminCommand, version } from "../kernel/version";
import { hasOwner } from "../newsletters/set-up";
import { findInvitation } from "../staff/invitations";
import { readEmailLink } from "../staff/own-account";
import { readReset } from "../staff/password-reset";
import { findSignedIn, type SignedIn } from "../staff/sign-in/staff-session";
import type { SavedSegment } from "../subscribers/schema/segments";
import { listSegments } from "../subscribers/segments";

/** The data that every dashboard page has from the start. */
export type Viewer = {
  staff: Pick<SignedIn, "id" | "name" | "email" | "role" | "language">;
  /** The staff member must set up a second factor first. */
  lacksSecondFactor: boolean;
  account: { id: string; name: string };
  newsletters: {
    id: string;
    name: string;
    timeZone: string;
    /** The start of the read-only state; null: the newsletter is open. */
    archivedAt: Date | null;
    /** The removal date of a deleted newsletter. */
    removeAt: Date | null;
  }[];
  appUrl: string;
  /** Rollcall's version. */
  version: string;
  /** The beginning of operator commands in this installation. */
  adminCommand: string;
  /** Whether emails are sent. Without a mail provider they are only logged. */
  sends: boolean;
  /** Whether Resend reports deliveries. */
  reports: boolean;
};

/**
 * Reads a page's data.
 * @throws AppError service_unavailable; http-server.ts then sets the page's status. app/error.tsx shows the text, and
 * gets only the error's digest.
 */
async function read<T>(ask: (app: AppContext) => Promise<T>): Promise<T> {
  const opened = await app();
  try {
    return await ask(opened);
  } catch (thrown) {
    const error = toAppError(thrown, "reader");
    if (error.code !== "service_unavailable") throw thrown;
    const page = opened.pages.getStore();
    if (page) page.isUnavailable = true;
    throw Object.assign(error, { digest: error.code });
  }
}

/** Returns the staff member who opens the page, or null without a session. @param headers the page request's headers */
export const findViewer = (headers: Headers): Promise<Viewer | null> =>
  read(async (opened) => {
    const found = await findSignedIn(opened, headers);
    if (!found) return null;
    const { id, name, email, role, language, accountId, lacksSecondFactor } = found;
    return {
      staff: { id, name, email, role, language },
      lacksSecondFactor,
      ...(await getAccountWithNewsletters(opened, { accountId })),
      appUrl: opened.appUrl,
      version,
      adminCommand,
      sends: (await opened.mailService()).transport !== null,
      reports: (await opened.webhookSecrets()) !== null,
    };
  });

/**
 * Lists the segments of one of the viewer's newsletters. The page's frame has them from the start, so that its layout
 * doesn't shift.
 */
export const listViewerSegments = (newsletterId: string): Promise<SavedSegment[]> =>
  read((opened) => listSegments(opened, newsletterId));

/** Returns the name of the organisation's own sign-in; null without one. */
export async function oidcName(): Promise<string | null> {
  const { oidc, config } = await app();
  return oidc && config.OIDC_NAME;
}

export const isSetUp = (): Promise<boolean> => read(({ db }) => hasOwner(db));

/** Returns the data behind an invitation link, or null when the link is closed. */
export const readInvitation = (token: string) =>
  read(async (opened) => {
    const found = await findInvitation(opened, { token });
    return found && { email: found.email, role: found.role, accountName: found.accountName };
  });

/** Whether emails are sent. Without a mail provider they are only logged. */
export const canSendMail = (): Promise<boolean> =>
  read(async ({ mailService }) => (await mailService()).transport !== null);

/** Returns the staff member of a reset link, or null when the link is closed. */
export const readResetLink = (token: string) => read((opened) => readReset(opened, { token }));

/** Returns the address that a link confirms, or null when the link is closed. */
export const readConfirmEmailLink = (token: string) => read((opened) => readEmailLink(opened, { token }));
