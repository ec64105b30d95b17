import type { AppContext } from "../app";
import { toAppError } from "../kernel/errors";
import { adminCommand } from "../kernel/version";
import { readSetupToken, setUpWithoutKey } from "../newsletters/set-up";
import { readForm } from "../platform/http/request-body";
import { handleStaffAuth } from "../staff/sign-in/staff-handler";
import { type PageAnswer, type PageRequest, plainPage } from "./pages/page";
import { TextLine } from "./pages/sign-up-form";

/** The form's fields. Their names match the `Setup` schema. */
const fields = [
  {
    name: "account",
    label: "Account",
    type: "text",
    autoComplete: "organization",
    hint: "Your organisation or your own name.",
  },
  {
    name: "newsletter",
    label: "Newsletter",
    type: "text",
    autoComplete: "off",
    hint: "Subscribers see this name.",
  },
  { name: "name", label: "Your name", type: "text", autoComplete: "name", hint: null },
  { name: "email", label: "Your email", type: "email", autoComplete: "username", hint: null },
  {
    name: "password",
    label: "Password",
    type: "password",
    autoComplete: "new-password",
    hint: "At least 10 characters.",
  },
] as const;
type Field = (typeof fields)[number];
type Values = Partial<Record<Field["name"], string>>;
type Errors = Record<string, string[]>;

/** One page for a wrong setup link and for a used link, so that strangers learn nothing. */
function closedPage(): PageAnswer {
  const message = {
    title: "This set-up link doesn’t work",
    status: "Closed",
    lead: "Nothing was changed. A set-up link works once, for an hour, and only on the installation that printed it.",
    more: `If Rollcall isn’t set up yet, ${adminCommand} setup-link prints a new link. Copy the whole link.`,
  };
  return plainPage(message, "en", { status: 404 });
}

/** Answers /setup?token=…, which claims the installation once. */
export async function answerSetup(
  app: AppContext,
  { url, request, method, address, requestId }: PageRequest,
): Promise<PageAnswer | Response> {
  const token = url.searchParams.get("token") ?? "";
  if (!(await readSetupToken(app, { token }))) return closedPage();
  if (method === "GET") return setupForm();
  const form = await readForm(request);
  const given = (name: Field["name"]) => form.get(name) ?? "";
  const values = {
    account: given("account"),
    newsletter: given("newsletter"),
    name: given("name"),
    email: given("email"),
  };
  const password = given("password");
  const ctx = { db: app.db, actor: { kind: "link", address } as const, requestId };
  try {
    const { staff } = await setUpWithoutKey(ctx, { ...values, password });
    return await signIn(app, { email: staff.email, password }, request.headers.get("user-agent"), address);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code !== "validation_error") throw thrown;
    // Another request may have used the link meanwhile.
    if (!(await readSetupToken(app, { token }))) return closedPage();
    return setupForm(values, error.errors);
  }
}

/** Signs the new owner in, as the sign-in form does, and opens the dashboard. */
async function signIn(
  app: AppContext,
  credentials: { email: string; password: string },
  userAgent: string | null,
  address: string | null,
): Promise<Response> {
  const headers = {
    "Content-Type": "application/json",
    Origin: new URL(app.appUrl).origin,
    ...(userAgent && { "User-Agent": userAgent }),
  };
  const body = JSON.stringify(credentials);
  const request = new Request(`${app.appUrl}/api/auth/sign-in/email`, { method: "POST", headers, body });
  const signedIn = await handleStaffAuth(app, request, address);
  const response = new Response(null, {
    status: 303,
    headers: { Location: signedIn.ok ? "/" : "/sign-in", "Cache-Control": "no-store" },
  });
  for (const cookie of signedIn.headers.getSetCookie()) response.headers.append("Set-Cookie", cookie);
  return response;
}

/**
 * The form that claims the installation. `noValidate` leaves validation to the server, so that messages have one
 * wording.
 * The form posts to its own URL, whose token grants the right to do so; see `confirmationPage`.
 */
export function setupForm(values: Values = {}, errors: Errors = {}): PageAnswer {
  const known = new Set<string>(fields.map(({ name }) => name));
  const firstWrong = fields.find(({ name }) => errors[name])?.name;
  const textOf = (name: string) => errors[name]?.join(" ");
  const others = Object.entries(errors).flatMap(([name, messages]) => (known.has(name) ? [] : messages));
  const body = (
    <>
      <p className="lead">Name your account and your first newsletter, and choose how you sign in.</p>
      <p className="more">This link works once. The account is created when you submit the form.</p>
      {others.length > 0 && (
        <p className="wrong" role="alert">
          {others.join(" ")}
        </p>
      )}
      <form method="post" noValidate>
        {fields.map(({ name, label, hint, type, autoComplete }) => (
          <TextLine
            key={name}
            input={{
              name,
              label,
              hint,
              required: true,
              error: textOf(name),
              isFirstWrong: name === firstWrong,
            }}
            type={type}
            autoComplete={autoComplete}
            // The form never sends a password back.
            defaultValue={type === "password" ? "" : values[name]}
          />
        ))}
        <button type="submit" className="main">
          Set up Rollcall
        </button>
      </form>
    </>
  );
  const title = "Set up Rollcall";
  const status = Object.keys(errors).length > 0 ? 422 : 200;
  return { status, page: { lang: "en", title, heading: title, body, shape: "form" } };
}
