import { getAccountWithNewsletters } from "../accounts/newsletters";
import { type AppContext, app } from "../app";
import { toAppError } from "../kernel/errors";
import { adminCommand, version } from "../kernel/version";
import { isClaimed } from "../newsletters/set-up";
import { findInvitation } from "../staff/invitations";
import { readEmailLink } from "../staff/own-account";
import { readReset } from "../staff/password-reset";
import { findSignedIn, type SignedIn } from "../staff/sign-in/staff-session";
import type { SavedSegment } from "../subscribers/schema/segments";
import { listSegments } from "../subscribers/segments";

/** What every page of the dashboard knows from the start. */
export type Viewer = {
  staff: Pick<SignedIn, "id" | "name" | "email" | "role" | "language">;
  /** They have to set up a second factor before anything else. */
  lacksSecondFactor: boolean;
  account: { id: string; name: string };
  newsletters: {
    id: string;
    name: string;
    timeZone: string;
    /** Since when it is only read; null: it is open. */
    archivedAt: Date | null;
    /** When a deleted one is removed. */
    removeAt: Date | null;
  }[];
  appUrl: string;
  /** Rollcall's own. */
  version: string;
  /** How the operator's commands begin where it runs. */
  adminCommand: string;
  /** Mails are sent. Without it they are logged only. */
  sends: boolean;
  /** Resend reports what became of them. */
  reports: boolean;
};

/**
 * What a page has to know.
 * @throws AppError service_unavailable, which the page's answer then is: the status by http-server.ts, the words by app/error.tsx,
 * that gets nothing of an error but its digest
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

/** The staff member who opens the page, or null when the request has no session. @param headers the page request's */
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

/** The segments of a newsletter of the viewer's: the frame of the page has them from the start, so that nothing in it moves. */
export const listViewerSegments = (newsletterId: string): Promise<SavedSegment[]> =>
  read((opened) => listSegments(opened, newsletterId));

/** What the organisation's own sign-in is called; null where there is none. */
export async function oidcName(): Promise<string | null> {
  const { oidc, config } = await app();
  return oidc && config.OIDC_NAME;
}

/** Whether the installation has been set up. */
export const isSetUp = (): Promise<boolean> => read(({ db }) => isClaimed(db));

/** What an invitation's link invites to, or null when it is closed. */
export const readInvitation = (token: string) =>
  read(async (opened) => {
    const found = await findInvitation(opened, { token });
    return found && { email: found.email, role: found.role, accountName: found.accountName };
  });

/** Whether mails are sent; without a mail service they are logged only. */
export const mailsLeave = (): Promise<boolean> =>
  read(async ({ mailService }) => (await mailService()).transport !== null);

/** Whose password a link resets, or null when it is closed. */
export const readResetLink = (token: string) => read((opened) => readReset(opened, { token }));

/** The address that a link confirms, or null when it is closed. */
export const readConfirmEmailLink = (token: string) => read((opened) => readEmailLink(opened, { token }));
