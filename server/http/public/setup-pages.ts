import { Flag, html, type Piece } from "./html";
import type { Answer } from "./page";

/** The form's fields, named as the contract's Setup has them. */
const fields = [
  {
    name: "account",
    label: "Account",
    type: "text",
    autocomplete: "organization",
    hint: "Your organisation or your own name.",
  },
  {
    name: "newsletter",
    label: "Newsletter",
    type: "text",
    autocomplete: "off",
    hint: "Your readers see this name.",
  },
  { name: "email", label: "Your email", type: "email", autocomplete: "username", hint: null },
  {
    name: "password",
    label: "Password",
    type: "password",
    autocomplete: "new-password",
    hint: "At least 10 characters.",
  },
] as const;

export type SetupField = (typeof fields)[number]["name"];
export const setupFields: readonly SetupField[] = fields.map(({ name }) => name);

type Values = Partial<Record<SetupField, string>>;
type Errors = Record<string, string[]>;

function field(
  { name, label, type, autocomplete, hint }: (typeof fields)[number],
  values: Values,
  errors: Errors,
): Piece {
  const wrong = errors[name]?.join(" ");
  const first = fields.find((one) => errors[one.name])?.name === name;
  // A password is never sent back.
  const value = type === "password" ? "" : (values[name] ?? "");
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}" aria-describedby="${name}-note" aria-invalid="${wrong ? "true" : "false"}" ${new Flag("autofocus", first)}>
${wrong ? html`<p class="wrong" id="${name}-note">${wrong}</p>` : hint && html`<p class="hint" id="${name}-note">${hint}</p>`}
</div>`;
}

/**
 * The form that claims the installation. Its rules are the server's alone (`novalidate`): one wording, in one place.
 * It posts to its own address, whose token is the right to do so; see confirmation-pages.ts.
 */
export function setupForm(values: Values = {}, errors: Errors = {}): Answer {
  const known = new Set<string>(setupFields);
  const others = Object.entries(errors).flatMap(([name, messages]) => (known.has(name) ? [] : messages));
  const body = html`<p class="lead">Name your account and your first newsletter, and choose how you sign in.</p>
<p class="more">This link works once, and nothing is made until you press the button.</p>
${others.length > 0 && html`<p class="wrong" role="alert">${others.join(" ")}</p>`}
<form method="post" novalidate>
${fields.map((one) => field(one, values, errors))}
<button class="main">Set up Rollcall</button>
</form>`;
  const status = Object.keys(errors).length > 0 ? 422 : 200;
  return {
    status,
    page: { lang: "en", title: "Set up Rollcall", heading: "Set up Rollcall", body, shape: "form" },
  };
}

/** The text between a shell's single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

type Made = { newsletter: { name: string }; staff: { email: string }; key: { secret: string } };

/** Shown once, right after the installation was claimed: the first key, and a call that works with it. */
export function setupDonePage({ newsletter, staff, key }: Made, appUrl: string): Answer {
  const person = JSON.stringify({ email: "ada@lovelace.org", name: "Ada Lovelace" });
  const call = [
    `curl ${quoted(`${appUrl}/api/v1/subscribers`)}`,
    `-H ${quoted(`Authorization: Bearer ${key.secret}`)}`,
    "-H 'Content-Type: application/json'",
    `-d ${quoted(person)}`,
  ].join(" \\\n  ");
  const body = html`<p class="lead"><bdi>${newsletter.name}</bdi> has its list. <a href="/sign-in">Sign in</a> as <b>${staff.email}</b>, once the key below is copied.</p>
<h2>Your first API key</h2>
<p class="more">It is shown only this once, since only its digest is kept. Copy it to where you keep secrets.</p>
<pre>${key.secret}</pre>
<h2>Add the first person</h2>
<p class="more">Paste this into a terminal.</p>
<pre>${call}</pre>`;
  const status = { tone: "active", word: "Set up" } as const;
  return {
    status: 200,
    page: {
      lang: "en",
      title: "Rollcall is set up",
      heading: "Rollcall is set up",
      status,
      body,
      shape: "wide",
    },
  };
}
