import type { ReactNode } from "react";
import type { AppContext } from "../app";
import { resetLinkMinutes } from "../kernel/durations";
import { type AppError, toAppError } from "../kernel/errors";
import { fillIn } from "../kernel/placeholders";
import { adminCommand } from "../kernel/version";
import { readForm } from "../platform/http/request-body";
import { foreignOrigin, isOurOrigin } from "../platform/http/same-origin";
import { findInvitation, join } from "../staff/invitations";
import { confirmEmail, readEmailLink } from "../staff/own-account";
import { countResetMail, mailReset, readReset, resetPassword } from "../staff/password-reset";
import { fillNodes, type Messages } from "./pages/messages";
import type { PageAnswer, PageRequest } from "./pages/page";
import { translated } from "./pages/server-sentences";
import { Ending, type FormRejection, formPage, staffPage } from "./pages/staff-page";
import { callStaffAuth, redirectTo } from "./staff-auth";

type Link = readonly [href: string, text: string];

type TextPage = { title: string; lead: ReactNode; link: Link; status?: number };

/** Returns a page of text only, with a link below it. */
function textPage(messages: Messages, { title, lead, link, status = 200 }: TextPage): PageAnswer {
  const [href, text] = link;
  const body = (
    <>
      <p className="lead">{lead}</p>
      <Ending>
        <p>
          <a href={href}>{text}</a>
        </p>
      </Ending>
    </>
  );
  return staffPage(messages, { title, body, status });
}

/** Returns the page of a link that is used, withdrawn or expired. */
const closedPage = (messages: Messages, lead: string, link: Link, title = messages.staff.closedTitle) =>
  textPage(messages, { title, lead, link, status: 404 });

function rejectionOf(
  { status, errors, message, retryAfterSeconds }: AppError,
  { lang }: Messages,
): FormRejection {
  const translatedErrors = Object.entries(errors ?? {}).map(
    ([name, texts]) => [name, texts.map((text) => translated(text, lang))] as const,
  );
  return {
    status,
    ...(errors ? { errors: Object.fromEntries(translatedErrors) } : { problem: translated(message, lang) }),
    ...(retryAfterSeconds && { headers: { "Retry-After": String(retryAfterSeconds) } }),
  };
}

/** Runs the verb of a sent form. @returns its result, or the rejection that the form shows */
async function tried<T>(messages: Messages, work: Promise<T>): Promise<{ done: T } | FormRejection> {
  try {
    return { done: await work };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (!["validation_error", "rate_limit_exceeded"].includes(error.code)) throw thrown;
    return rejectionOf(error, messages);
  }
}

const actingAs = (app: AppContext, { address, requestId }: PageRequest) => ({
  ...app,
  ...{ actor: { kind: "link", address } as const, requestId },
});

/** Rejects a form that another site sent. The form needs no token, or starts a session. */
const foreignRejection = (
  { origins }: AppContext,
  { request, messages }: PageRequest,
): FormRejection | null =>
  isOurOrigin(request, origins) ? null : { status: 403, problem: translated(foreignOrigin, messages.lang) };

/** Answers /forgot, which mails a password reset link. The answer is the same for known and unknown addresses. */
export async function answerForgot(app: AppContext, asked: PageRequest): Promise<PageAnswer> {
  const { request, method, address, messages } = asked;
  const { forgot, signIn } = messages.staff;
  if ((await app.mailService()).transport === null) {
    const command = `${adminCommand} staff reset --email ${forgot.ownAddress}`;
    const lead = fillNodes(forgot.unmailed, { command: <code>{command}</code> });
    return textPage(messages, { title: forgot.title, lead, link: ["/sign-in", signIn.submit] });
  }
  if (method === "GET") return forgotPage(messages);
  const email = (await readForm(request)).get("email") ?? "";
  const foreign = foreignRejection(app, asked);
  if (foreign) return forgotPage(messages, { email, ...foreign });
  if (email.trim() === "") {
    const errors = { email: [messages.signUp.errors.emailMissing] };
    return forgotPage(messages, { email, status: 422, errors });
  }
  const counted = await tried(messages, countResetMail(app, { email, address }));
  if ("status" in counted) return forgotPage(messages, { email, ...counted });
  // The page doesn't wait: the response time must not reveal whether a staff member has this address.
  mailReset(actingAs(app, asked), { email }).catch((err: unknown) =>
    app.log.warn({ err }, "an email that resets a password was not written"),
  );
  const sent = fillNodes(forgot.sent, { email: <b>{email}</b>, minutes: resetLinkMinutes });
  const lead = <span role="status">{sent}</span>;
  return textPage(messages, { title: forgot.sentTitle, lead, link: ["/sign-in", signIn.back] });
}

function forgotPage(
  messages: Messages,
  { email, ...rejection }: Partial<FormRejection> & { email?: string } = {},
) {
  const { forgot, signIn } = messages.staff;
  const input = { name: "email", label: signIn.email, type: "email", autoComplete: "username" } as const;
  return formPage(messages, {
    ...{ title: forgot.title, lead: forgot.lead, submit: forgot.submit, rejection, needsOrigin: true },
    inputs: [{ ...input, value: email }],
    ending: (
      <p>
        <a href="/sign-in">{signIn.back}</a>
      </p>
    ),
  });
}

/** Answers /reset/{token}, which sets a new password. The token grants the right to post; see `confirmationPage`. */
export async function answerReset(app: AppContext, asked: PageRequest, token: string): Promise<PageAnswer> {
  const { request, method, messages } = asked;
  const { reset, signIn } = messages.staff;
  const found = await readReset(app, { token });
  if (!found) return closedPage(messages, reset.closed, ["/forgot", reset.requestNew]);
  let rejection: Partial<FormRejection> = {};
  if (method === "POST") {
    const password = (await readForm(request)).get("password") ?? "";
    const result = await tried(messages, resetPassword(actingAs(app, asked), { token, password }));
    if ("done" in result)
      return textPage(messages, {
        title: reset.doneTitle,
        lead: <span role="status">{reset.done}</span>,
        link: ["/sign-in", signIn.submit],
      });
    rejection = result;
  }
  return formPage(messages, {
    ...{ title: reset.title, submit: reset.submit, rejection, username: found.email },
    lead: fillNodes(reset.lead, { email: <b>{found.email}</b> }),
    inputs: [newPassword(messages, reset.password)],
  });
}

const newPassword = ({ staff }: Messages, label: string) => ({
  ...({ name: "password", label, type: "password" } as const),
  ...{ autoComplete: "new-password", hint: staff.passwordHint },
});

/** Answers /confirm-email/{token}, which changes the sign-in address to the one that received the link. */
export async function answerConfirmEmail(
  app: AppContext,
  asked: PageRequest,
  token: string,
): Promise<PageAnswer> {
  const { method, messages } = asked;
  const { confirmEmail: texts } = messages.staff;
  const found = await readEmailLink(app, { token });
  if (!found) return closedPage(messages, texts.closed, ["/", texts.open]);
  const email = <b>{found.email}</b>;
  let rejection: Partial<FormRejection> = {};
  if (method === "POST") {
    const result = await tried(messages, confirmEmail(actingAs(app, asked), { token }));
    if ("done" in result) {
      const lead = <span role="status">{fillNodes(texts.done, { email })}</span>;
      return textPage(messages, { title: texts.doneTitle, lead, link: ["/", texts.open] });
    }
    rejection = result;
  }
  const lead = fillNodes(texts.lead, { email });
  return formPage(messages, { title: texts.title, lead, inputs: [], submit: texts.submit, rejection });
}

type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

/** Answers /join/{token}, which makes an invited person a staff member and signs them in. */
export async function answerJoin(
  app: AppContext,
  asked: PageRequest,
  token: string,
): Promise<PageAnswer | Response> {
  const { request, method, messages } = asked;
  const { join: texts, signIn } = messages.staff;
  const invitation = await findInvitation(app, { token });
  if (!invitation) return closedPage(messages, texts.closed, ["/sign-in", signIn.submit], texts.closedTitle);
  if (method === "GET") return joinPage(messages, invitation);
  const form = await readForm(request);
  const joining = { name: form.get("name") ?? "", password: form.get("password") ?? "" };
  const { name } = joining;
  const foreign = foreignRejection(app, asked);
  if (foreign) return joinPage(messages, invitation, { name, ...foreign });
  const joined = await tried(messages, join(actingAs(app, asked), { token, joining }));
  if ("status" in joined) return joinPage(messages, invitation, { name, ...joined });
  const body = { email: joined.done.email, password: joining.password };
  const { ok, cookies } = await callStaffAuth(app, asked, { path: "sign-in/email", body });
  return redirectTo(ok ? "/" : "/sign-in", cookies);
}

function joinPage(
  messages: Messages,
  { email, role, accountName }: Invitation,
  { name, ...rejection }: Partial<FormRejection> & { name?: string } = {},
): PageAnswer {
  const { join: texts, signIn } = messages.staff;
  return formPage(messages, {
    ...{ submit: texts.submit, rejection, username: email, needsOrigin: true },
    title: fillIn(texts.title, { account: accountName }),
    lead: fillNodes(texts.leads[role], { email: <b>{email}</b> }),
    inputs: [
      { name: "name", label: texts.name, autoComplete: "name", value: name },
      newPassword(messages, signIn.password),
    ],
  });
}
