import { app } from "../app";
import { findSignedIn } from "../auth/staff-session";
import { isClaimed } from "../services/installation";
import { findInvitation } from "../services/invitations";
import { newslettersOf } from "../services/newsletters";

/** What every page of the dashboard knows before anything is asked for. */
export type Viewer = {
  staff: { id: string; name: string; email: string; role: "owner" | "editor" | "viewer" };
  account: { id: string; name: string };
  newsletters: { id: string; name: string; timeZone: string }[];
  appUrl: string;
  /** Mails leave. Without it they are kept here. */
  sends: boolean;
  /** Resend reports what became of them. */
  reports: boolean;
};

/** Who looks at the page, or null when nobody is signed in. @param headers the page request's */
export async function findViewer(headers: Headers): Promise<Viewer | null> {
  const opened = await app();
  const found = await findSignedIn(opened, headers);
  if (!found) return null;
  const { id, name, email, role, accountId } = found;
  const { account, newsletters } = await newslettersOf(opened, accountId);
  return {
    staff: { id, name, email, role },
    account,
    newsletters,
    appUrl: opened.appUrl,
    sends: Boolean(opened.config.RESEND_API_KEY),
    reports: Boolean(opened.config.RESEND_WEBHOOK_SECRET),
  };
}

/** Whether the installation has been set up. */
export async function isSetUp(): Promise<boolean> {
  return isClaimed((await app()).db);
}

/** Whom an invitation's link is for, or null when it is closed. */
export async function readInvitation(token: string) {
  const found = await findInvitation((await app()).db, token);
  return found && { email: found.email, role: found.role, accountName: found.accountName };
}
