import type { AppContext } from "../app";
import { toAppError } from "../kernel/errors";
import { adminCommand } from "../kernel/version";
import { readSetupToken, setUpWithoutKey } from "../newsletters/set-up";
import { readForm } from "../platform/http/request-body";
import { messagesFor } from "./pages/messages";
import { notePage, type PageAnswer, type PageRequest } from "./pages/page";
import { StaffForm } from "./pages/staff-page";
import { callStaffAuth, redirectTo } from "./staff-auth";

/** The form's inputs. Their names match the `Setup` schema. */
const inputs = [
  {
    name: "account",
    label: "Account",
    autoComplete: "organization",
    hint: "Your organisation or your own name.",
  },
  { name: "newsletter", label: "Newsletter", autoComplete: "off", hint: "Subscribers see this name." },
  { name: "name", label: "Your name", autoComplete: "name" },
  { name: "email", label: "Your email", type: "email", autoComplete: "username" },
  {
    name: "password",
    label: "Password",
    type: "password",
    autoComplete: "new-password",
    hint: "At least 10 characters.",
  },
] as const;
type InputName = (typeof inputs)[number]["name"];
type Values = Record<InputName, string>;
type Errors = Record<string, string[]>;

/** One page for a wrong setup link and for a used link, so that strangers learn nothing. */
function closedPage(): PageAnswer {
  const message = {
    title: "This set-up link doesn’t work",
    status: "Closed",
    lead: "Nothing was changed. A set-up link works once, for an hour, and only on the installation that printed it.",
    more: `If Rollcall isn’t set up yet, ${adminCommand} setup-link prints a new link. Copy the whole link.`,
  };
  return notePage(message, "en", { status: 404 });
}

/** Answers /setup?token=…, which claims the installation once. */
export async function answerSetup(app: AppContext, asked: PageRequest): Promise<PageAnswer | Response> {
  const { url, request, method, address, requestId } = asked;
  const token = url.searchParams.get("token") ?? "";
  if (!(await readSetupToken(app, { token }))) return closedPage();
  if (method === "GET") return setupForm();
  const form = await readForm(request);
  const values = Object.fromEntries(inputs.map(({ name }) => [name, form.get(name) ?? ""])) as Values;
  const ctx = { db: app.db, actor: { kind: "link", address } as const, requestId };
  try {
    const { staff } = await setUpWithoutKey(ctx, values);
    // Signs the new owner in, as the sign-in form does. The page's URL grants access, so it names no Origin.
    const body = { email: staff.email, password: values.password };
    const origin = new URL(app.appUrl).origin;
    const { ok, cookies } = await callStaffAuth(app, asked, { path: "sign-in/email", body, origin });
    return redirectTo(ok ? "/" : "/sign-in", cookies);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code !== "validation_error") throw thrown;
    // Another request may have used the link meanwhile.
    if (!(await readSetupToken(app, { token }))) return closedPage();
    return setupForm(values, error.errors);
  }
}

/** The form that claims the installation. It posts to its own URL, whose token grants the right to do so. */
export function setupForm(values: Partial<Values> = {}, errors?: Errors): PageAnswer {
  const body = (
    <>
      <p className="lead">Name your account and your first newsletter, and choose how you sign in.</p>
      <p className="more">This link works once. The account is created when you submit the form.</p>
      <StaffForm
        messages={messagesFor("en")}
        inputs={inputs.map((input) => ({ ...input, value: values[input.name] }))}
        errors={errors}
        submit="Set up Rollcall"
      />
    </>
  );
  const title = "Set up Rollcall";
  return { status: errors ? 422 : 200, page: { lang: "en", title, heading: title, body, shape: "form" } };
}
