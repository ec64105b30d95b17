import type { AppContext } from "../app";
import { newId } from "../kernel/ids";
import { handlePublic } from "../public/handler";
import { insertStaffMember } from "../staff/queries/staff";
import { hashPassword } from "../staff/sign-in/password-hashing";
import { handleStaffAuth } from "../staff/sign-in/staff-handler";
import { findSignedIn } from "../staff/sign-in/staff-session";
import { createCallerFactory } from "../trpc/base";
import { appRouter } from "../trpc/router";
import { addNewsletter } from "./linked-person";

export const PASSWORD = "correct horse battery";

/** Adds an editor with a new account, who can sign in with PASSWORD. */
export async function addStaff({ db }: Pick<AppContext, "db">, name = "Ada Lovelace") {
  const { accountId } = await addNewsletter(db);
  const [id, email] = [newId(), `${newId()}@lovelace.org`];
  const passwordHash = await hashPassword(PASSWORD);
  await db.$transaction((tx) =>
    insertStaffMember(tx, { id, accountId, email, name, role: "editor", passwordHash }),
  );
  return { id, accountId, email };
}

let callers = 0;

/** Opens a browser that keeps its cookies. @param from its address; default: a new one */
export function openBrowser(app: AppContext, from = `2001:db8:${(++callers).toString(16)}::1`) {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = (more: Record<string, string> = {}) =>
    new Headers({ Cookie: cookies(), "User-Agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0", ...more });
  function keepCookies(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
  return {
    jar,
    headers,
    /** Opens a page that isn't the dashboard's. */
    async open(path: string, more: Record<string, string> = {}) {
      const request = new Request(`${app.appUrl}${path}`, { headers: headers(more) });
      return keepCookies(await handlePublic(app, request, from));
    },
    /** Sends the form of such a page. */
    async send(path: string, fields: Record<string, string>, more: Record<string, string> = {}) {
      const body = new URLSearchParams(fields);
      const sent = headers({ Origin: app.appUrl, ...more });
      const request = new Request(`${app.appUrl}${path}`, { method: "POST", headers: sent, body });
      return keepCookies(await handlePublic(app, request, from));
    },
    async post(path: string, body: object = {}) {
      const request = new Request(`${app.appUrl}/api/auth/${path}`, {
        method: "POST",
        headers: headers({ "Content-Type": "application/json", Origin: app.appUrl }),
        body: JSON.stringify(body),
      });
      return keepCookies(await handleStaffAuth(app, request, from));
    },
    signIn(email: string, password = PASSWORD) {
      return this.post("sign-in/email", { email, password });
    },
  };
}

type Browser = ReturnType<typeof openBrowser>;

/** Adds a staff member, and returns them with a browser in which they have signed in. */
export async function openSignedIn(app: AppContext, from?: string) {
  const staff = await addStaff(app);
  const browser = openBrowser(app, from);
  const { status } = await browser.signIn(staff.email);
  if (status !== 200) throw new Error(`the sign-in answered ${status}`);
  return { staff, browser };
}

/** The dashboard's procedures, as a browser calls them. */
export const proceduresFor = (app: AppContext, browser: Browser, address: string | null = null) =>
  createCallerFactory(appRouter)({
    app,
    requestId: "test",
    address,
    signedIn: () => findSignedIn(app, browser.headers()),
  });
