import type { AppContext } from "../app";
import { ownPathOrRoot } from "../kernel/own-path";
import { fillIn } from "../kernel/placeholders";
import { readForm } from "../platform/http/request-body";
import { passkeyErrors, unreachable } from "../staff/schema/passkey-errors";
import { findSignedIn } from "../staff/sign-in/staff-session";
import { fillNodes, type Messages } from "./pages/messages";
import type { PageAnswer, PageRequest } from "./pages/page";
import { translated } from "./pages/server-sentences";
import { Ending, type FormRejection, formPage, StaffForm, staffPage } from "./pages/staff-page";
import { callStaffAuth, redirectTo } from "./staff-auth";

/** The second step: a code of the authenticator app, or a recovery code. */
const steps = {
  code: { path: "two-factor/verify-totp", other: "recovery", otherText: "useRecoveryCode" },
  recovery: { path: "two-factor/verify-backup-code", other: "code", otherText: "useApp" },
} as const;
type Step = keyof typeof steps;

/** The form's path, at one of its steps. It leads to `next`. */
function pathOf(next: string, step?: Step): string {
  const query = new URLSearchParams({ ...(step && { step }), ...(next !== "/" && { next }) });
  return query.size > 0 ? `/sign-in?${query}` : "/sign-in";
}

/** The parts of a rejected form that the page shows again. */
type Shown = { rejection?: FormRejection | undefined; email?: string };

type SignIn = { app: AppContext; asked: PageRequest; next: string; oidcName: string | null };

/**
 * Answers /sign-in?next=…, where staff sign in by password and second factor, by passkey, or by the organisation's
 * sign-in. The forms post to their own URL. The sign-in endpoint checks the Origin.
 */
export async function answerSignIn(app: AppContext, asked: PageRequest): Promise<PageAnswer | Response> {
  const { url, request, method, messages } = asked;
  const next = ownPathOrRoot(url.searchParams.get("next") ?? undefined);
  const oidcName = app.oidc ? app.config.OIDC_NAME : null;
  const given = url.searchParams.get("step") ?? "";
  const step = Object.hasOwn(steps, given) ? (given as Step) : null;
  const signIn = { app, asked, next, oidcName };
  if (method === "GET") {
    if (await findSignedIn(app, request.headers)) return redirectTo(next);
    if (step) return codePage({ messages, next, step });
    const hasFailed = oidcName !== null && url.searchParams.get("oidc") === "failed";
    const problem = fillIn(messages.staff.signIn.oidcFailed, { name: oidcName ?? "" });
    return signInPage(signIn, hasFailed ? { rejection: { status: 200, problem } } : {});
  }
  const form = await readForm(request);
  if (step) return checkCode(signIn, { step, code: form.get("code") ?? "" });
  if (form.get("way") === "oidc") return leaveForOidc(signIn);
  const passkey = form.get("passkey");
  if (passkey !== null) return checkPasskey(signIn, passkey);
  return checkPassword(signIn, { email: form.get("email") ?? "", password: form.get("password") ?? "" });
}

type Result = Awaited<ReturnType<typeof callStaffAuth>>;

const rejectionOf = ({ status, said, headers }: Result, { messages }: PageRequest): FormRejection => ({
  ...{ status, headers },
  problem: translated(said.message ?? "", messages.lang),
});

async function checkPassword(signIn: SignIn, sent: { email: string; password: string }) {
  const { app, asked, next } = signIn;
  const { email } = sent;
  if (email === "" || sent.password === "") {
    const problem = asked.messages.staff.signIn.missing;
    return signInPage(signIn, { email, rejection: { status: 422, problem } });
  }
  const result = await callStaffAuth(app, asked, { path: "sign-in/email", body: sent });
  if (!result.ok) return signInPage(signIn, { email, rejection: rejectionOf(result, asked) });
  return redirectTo(result.said.twoFactorRedirect ? pathOf(next, "code") : next, result.cookies);
}

async function checkCode({ app, asked, next }: SignIn, { step, code }: { step: Step; code: string }) {
  const { path } = steps[step];
  const result = await callStaffAuth(app, asked, { path, body: { code: code.replace(/\s/g, "") } });
  if (result.ok) return redirectTo(next, result.cookies);
  const { messages } = asked;
  return codePage({ messages, next, step, rejection: rejectionOf(result, asked) });
}

/** @param passkey the browser's answer, as JSON */
async function checkPasskey(signIn: SignIn, passkey: string) {
  const { app, asked, next } = signIn;
  const body = { response: readJson(passkey) };
  const result = await callStaffAuth(app, asked, { path: "passkey/verify-authentication", body });
  if (!result.ok) return signInPage(signIn, { rejection: rejectionOf(result, asked) });
  return redirectTo(next, result.cookies);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Leads to the organisation's sign-in, by a refresh: browsers apply the page's form-action to the redirects of a form,
 * and the organisation's server may redirect to any host.
 */
async function leaveForOidc(signIn: SignIn): Promise<PageAnswer> {
  const { app, asked, next, oidcName } = signIn;
  const result = await callStaffAuth(app, asked, { path: "sign-in/social", body: { next } });
  const { url } = result.said;
  if (!result.ok || !url) return signInPage(signIn, { rejection: rejectionOf(result, asked) });
  const { messages } = asked;
  const body = (
    <p className="lead">
      <a href={url}>{fillNodes(messages.next, { host: oidcName })}</a>
    </p>
  );
  const title = fillIn(messages.staff.signIn.withOidc, { name: oidcName ?? "" });
  const answer = staffPage(messages, { title, body, headers: { Refresh: `0; url=${url}` } });
  return { ...answer, cookies: result.cookies };
}

function signInPage({ asked, oidcName }: SignIn, { rejection, email }: Shown): PageAnswer {
  const { messages } = asked;
  const { signIn } = messages.staff;
  const text = (sentence: string) => translated(sentence, messages.lang);
  const errors = Object.entries({ ...passkeyErrors, Error: unreachable });
  const body = (
    <>
      <StaffForm
        messages={messages}
        inputs={[
          { name: "email", label: signIn.email, type: "email", autoComplete: "username", value: email },
          { name: "password", label: signIn.password, type: "password", autoComplete: "current-password" },
        ]}
        problem={rejection?.problem}
        submit={signIn.submit}
      />
      <form
        method="post"
        id="passkey"
        hidden
        data-errors={JSON.stringify(Object.fromEntries(errors.map(([name, said]) => [name, text(said)])))}
      >
        <input type="hidden" name="passkey" />
        <button type="submit" className="other">
          {signIn.usePasskey}
        </button>
        <p className="wrong" role="alert" id="passkey-problem" />
      </form>
      {oidcName !== null && (
        <form method="post">
          <button type="submit" className="other" name="way" value="oidc">
            {fillNodes(signIn.withOidc, { name: oidcName })}
          </button>
        </form>
      )}
      <Ending>
        <p>
          <a href="/forgot">{signIn.forgot}</a>
        </p>
        <p>{signIn.noAccount}</p>
      </Ending>
    </>
  );
  return staffPage(messages, { title: signIn.title, body, needsOrigin: true, ...rejection });
}

function codePage({
  messages,
  next,
  step,
  rejection,
}: Shown & { messages: Messages; next: string; step: Step }): PageAnswer {
  const { signIn, code } = messages.staff;
  const { other, otherText } = steps[step];
  const input =
    step === "recovery"
      ? { label: code.recoveryCode, hint: code.recoveryCodeHint, autoComplete: "off" }
      : {
          label: code.code,
          hint: code.codeHint,
          autoComplete: "one-time-code",
          inputMode: "numeric" as const,
        };
  return formPage(messages, {
    ...{ title: signIn.title, submit: signIn.submit, rejection, needsOrigin: true },
    inputs: [{ name: "code", ...input }],
    ending: (
      <>
        <p>
          <a href={pathOf(next, other)}>{code[otherText]}</a>
        </p>
        <p>
          <a href={pathOf(next)}>{signIn.back}</a>
        </p>
      </>
    ),
  });
}
