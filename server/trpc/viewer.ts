import { getAccountWithNewsletters } from "../accounts/newsletters";
import { hasAccount } from "../accounts/shared-queries";
import { type AppContext, app } from "../app";
import { toAppError } from "../kernel/errors";
import { adminCommand, version } from "../kernel/version";
import { findSignedIn } from "../staff/sign-in/staff-session";
import type { SavedSegment } from "../subscribers/schema/segments";
import { listSegments } from "../subscribers/segments";

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
export const findViewer = (headers: Headers) =>
  read(async (opened) => {
    const found = await findSignedIn(opened, headers);
    if (!found) return null;
    const { id, name, email, role, language, accountId, lacksSecondFactor } = found;
    return {
      staff: { id, name, email, role, language },
      /** The staff member must set up a second factor first. */
      lacksSecondFactor,
      ...(await getAccountWithNewsletters(opened, { accountId })),
      appUrl: opened.appUrl,
      version,
      /** The beginning of operator commands in this installation. */
      adminCommand,
      /** Whether emails are sent. Without a mail provider they are only logged. */
      sends: (await opened.mailService()).transport !== null,
      /** Whether Resend reports deliveries. */
      reports: (await opened.webhookSecrets()) !== null,
    };
  });

/** The data that every dashboard page has from the start. */
export type Viewer = NonNullable<Awaited<ReturnType<typeof findViewer>>>;

/**
 * Lists the segments of one of the viewer's newsletters. The page's frame has them from the start, so that its layout
 * doesn't shift.
 */
export const listViewerSegments = (newsletterId: string): Promise<SavedSegment[]> =>
  read((opened) => listSegments(opened, { newsletterId }));

export const isSetUp = (): Promise<boolean> => read(({ db }) => hasAccount(db));
