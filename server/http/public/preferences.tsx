import { createHash } from "node:crypto";
import type { ReactNode } from "react";
import type { AppContext } from "../../app";
import { fieldInput, signUpInputs } from "../../contract/sign-up-page";
import { longestAddress } from "../../domain/email";
import type { FieldValue } from "../../domain/fields";
import { longestName } from "../../domain/name";
import { readForm } from "../../request-body";
import {
  askNewAddress,
  comeBack,
  downloadOwnData,
  eraseByPerson,
  leaveAll,
  leaveNewsletter,
  type OwnChange,
  type OwnNewsletter,
  type Preferences,
  savePreferences,
  showPreferences,
  takeBreak,
} from "../../services/preferences";
import { day, fillNodes, type Messages, messagesFor } from "./messages";
import { answerNewAddress } from "./new-address";
import { type PageAnswer, type PageRequest, plainPage, Words } from "./page";
import { FieldInput, type InputProps, inputProps, Labelled } from "./sign-up-form";
import { readEmail, readField, readName, type SignUpErrors, type Typed } from "./sign-up-input";

/** 100 fields of many letters, each of which takes up to twelve bytes in a form, and what stood in them before. */
const maxPreferencesBytes = 256 * 1024;

/** What a form remembers of what stood in an input, so that a page from before undoes nothing that was changed since. */
const digestOf = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 16);
const shownInput = (name: string) => `shown.${name}`;

/** What the inputs show, by their names. A box that is not ticked has no text, as in a form. */
function shownOf({ name, fields }: Preferences): Typed {
  const text = (value: FieldValue | null) => (value === null || value === false ? "" : String(value));
  return {
    [signUpInputs.name]: name,
    ...Object.fromEntries(fields.map(({ key, value }) => [fieldInput(key), text(value)])),
  };
}

/** A form as it came: what was typed, and the digests of what stood there. */
type Filled = { typed: Typed; shown: Typed };

function filledIn(form: URLSearchParams, view: Preferences): Filled {
  const names = Object.keys(shownOf(view));
  const valuesOf = (input: (name: string) => string) =>
    Object.fromEntries(names.map((name) => [name, form.get(input(name)) ?? ""]));
  return { typed: valuesOf((name) => name), shown: valuesOf(shownInput) };
}

/** What somebody has changed in the form, and what is wrong with it; what they left as it stood is not looked at. */
function readChange(view: Preferences, { typed, shown }: Filled): { patch: OwnChange; errors: SignUpErrors } {
  const errors: SignUpErrors = {};
  const patch: OwnChange = {};
  const changed = (name: string) => shown[name] !== "" && digestOf(typed[name] ?? "") !== shown[name];
  if (changed(signUpInputs.name)) {
    const reading = readName(typed[signUpInputs.name] ?? "");
    if ("error" in reading) errors[signUpInputs.name] = reading.error;
    else patch.name = reading.name;
  }
  for (const field of view.fields) {
    const name = fieldInput(field.key);
    if (!changed(name)) continue;
    const reading = readField(field, typed[name] ?? "");
    if ("error" in reading) errors[name] = reading.error;
    else patch.fields = { ...patch.fields, [field.key]: reading.value };
  }
  return { patch, errors };
}

const verbs: Record<string, typeof comeBack> = {
  unsubscribeAll: leaveAll,
  comeBack,
  pause30: (ctx, claims) => takeBreak(ctx, claims, 30),
  pause90: (ctx, claims) => takeBreak(ctx, claims, 90),
};

const overPage = ({ pages, lang }: Messages, status: number) =>
  plainPage(pages.preferencesOver, lang, { status });

/** What is kept of somebody, as a file of theirs: in no cache and no index. */
const fileAnswer = (data: object) =>
  new Response(`${JSON.stringify(data, null, 2)}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="my-data.json"',
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex, nofollow",
    },
  });

function erasedPage({ name, language }: { name: string; language: string }): PageAnswer {
  const { pages, lang } = messagesFor(language);
  const answer = plainPage(pages.preferencesErased, lang, { status: 200 });
  return { ...answer, page: { ...answer.page, over: name } };
}

/**
 * /preferences/{token}: what a person sees and changes of themselves, by the link that was mailed to their address. GET changes
 * nothing, since mail scanners open links; POST is a button. The token is the right to do so; see `confirmationPage`.
 */
export async function answerPreferences(
  { db, queue, outbox, jobs, links }: AppContext,
  { request, method, url, address, requestId, messages }: PageRequest,
  token: string,
): Promise<PageAnswer | Response> {
  const reading = links.readPreferences(token);
  const ctx = { db, queue, outbox, jobs, actor: { kind: "link", address } as const, requestId };
  if (!reading.ok) {
    const newAddress = links.readNewAddress(token);
    const answer = newAddress.ok && (await answerNewAddress(ctx, newAddress.claims, { method, request }));
    return answer || overPage(messages, newAddress.ok ? 410 : 404);
  }
  const { claims } = reading;
  const view = await showPreferences(ctx, claims);
  if (!view) return overPage(messages, 410);
  if (method === "GET") return preferencesPage(view);

  const form = await readForm(request, maxPreferencesBytes);
  const action = form.get("action") ?? "";
  const left = form.get("leave");
  if (action === "save") {
    const filled = filledIn(form, view);
    const { patch, errors } = readChange(view, filled);
    if (Object.keys(errors).length > 0) return preferencesPage(view, { filled, errors });
    const saved = await savePreferences(ctx, claims, patch);
    return saved ? preferencesPage(saved, { notice: "saved" }) : overPage(messages, 410);
  }
  if (action === "address") {
    const email = form.get(signUpInputs.email) ?? "";
    const typed = readEmail(email);
    if ("error" in typed)
      return preferencesPage(view, { email, errors: { [signUpInputs.email]: typed.error } });
    const asked = await askNewAddress(ctx, claims, typed.email);
    return asked ? preferencesPage(asked, { notice: "addressAsked" }) : overPage(messages, 410);
  }
  if (action === "askErase") return erasePage(view, url.pathname);
  if (action === "erase") {
    const erased = await eraseByPerson(ctx, claims);
    return erased ? erasedPage(erased) : overPage(messages, 410);
  }
  if (action === "download") {
    const data = await downloadOwnData(ctx, claims);
    return data ? fileAnswer(data) : overPage(messages, 410);
  }
  const verb = Object.hasOwn(verbs, action) ? verbs[action] : undefined;
  if (!verb && left === null) return { ...preferencesPage(view), status: 422 };
  const after = await (verb ? verb(ctx, claims) : leaveNewsletter(ctx, claims, left ?? ""));
  return after ? preferencesPage(after, { notice: "done" }) : overPage(messages, 410);
}

/** What the page shows beside how things stand. */
type Shown = {
  filled?: Filled;
  /** What was typed as a new address. */
  email?: string;
  errors?: SignUpErrors;
  notice?: "saved" | "done" | "addressAsked";
};

function Details({ view, filled, errors = {} }: Shown & { view: Preferences }) {
  const messages = messagesFor(view.newsletter.language);
  const now = shownOf(view);
  const typed = filled?.typed ?? now;
  const firstWrong = Object.keys(errors)[0];
  const propsOf = (name: string, label: string, required: boolean): InputProps => ({
    name,
    label,
    required,
    messages,
    error: errors[name],
    isFirstWrong: name === firstWrong,
  });
  const name = propsOf(signUpInputs.name, messages.signUp.name, false);
  return (
    <form method="post" noValidate>
      <h2>{messages.preferences.details}</h2>
      <Labelled input={name}>
        <input
          {...inputProps(name)}
          type="text"
          autoComplete="name"
          maxLength={longestName}
          dir="auto"
          defaultValue={typed[name.name]}
        />
      </Labelled>
      {view.fields.map((field) => {
        const id = fieldInput(field.key);
        const value = typed[id] ?? "";
        // A choice that the field no longer has stays until another is chosen.
        const own = field.type === "choice" ? String(field.value ?? "") : "";
        const choices = own === "" || field.choices.includes(own) ? field.choices : [...field.choices, own];
        const input = propsOf(id, field.label, field.required);
        return <FieldInput key={id} field={{ ...field, choices }} input={input} value={value} />;
      })}
      {Object.entries(now).map(([input, text]) => (
        <input
          key={input}
          type="hidden"
          name={shownInput(input)}
          value={filled?.shown[input] || digestOf(text)}
        />
      ))}
      <button type="submit" className="main" name="action" value="save">
        {messages.preferences.save}
      </button>
    </form>
  );
}

/** Where another address is entered. */
function NewAddressForm({ view, email = "", errors = {} }: Shown & { view: Preferences }) {
  const messages = messagesFor(view.newsletter.language);
  const { preferences } = messages;
  const name = signUpInputs.email;
  const error = errors[name];
  const input = {
    name,
    label: preferences.newAddress,
    required: true,
    messages,
    error,
    isFirstWrong: !!error,
  };
  return (
    <form method="post" noValidate>
      <h2>{preferences.address}</h2>
      <Labelled input={input}>
        <input
          {...inputProps(input)}
          type="email"
          autoComplete="email"
          maxLength={longestAddress}
          defaultValue={email}
        />
      </Labelled>
      <ActionButton action="address">{preferences.askAddress}</ActionButton>
    </form>
  );
}

const statusWord = { returning: "pending" } as const;

/** One of their newsletters: how they stand there, and what they may do about it. */
function Newsletter({ one, isThis, view }: { one: OwnNewsletter; isThis: boolean; view: Preferences }) {
  const { lang, preferences, buttons } = messagesFor(view.newsletter.language);
  const { status, name, newsletterId, pausedUntil, timeZone } = one;
  const word = preferences.statuses[status === "returning" ? statusWord[status] : status];
  const date = pausedUntil && day(pausedUntil, lang, timeZone);
  return (
    <div className="aside">
      <p id={newsletterId}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <br />
        {fillNodes(word, { date })}
      </p>
      {isThis && status === "active" && (
        <>
          <ActionButton action="pause30">{buttons.pause30}</ActionButton>
          <ActionButton action="pause90">{buttons.pause90}</ActionButton>
        </>
      )}
      {isThis && view.mayReturn && <ActionButton action="comeBack">{buttons.comeBack}</ActionButton>}
      {status !== "unsubscribed" && (
        <button
          type="submit"
          className="second"
          name="leave"
          value={newsletterId}
          aria-describedby={newsletterId}
        >
          {buttons.unsubscribe}
        </button>
      )}
    </div>
  );
}

function ActionButton({ action, children }: { action: string; children: ReactNode }) {
  return (
    <button type="submit" className="second" name="action" value={action}>
      {children}
    </button>
  );
}

/** The page of a person's preferences, in the newsletter's language. */
export function preferencesPage(view: Preferences, shown: Shown = {}): PageAnswer {
  const { newsletter, email, newsletters } = view;
  const messages = messagesFor(newsletter.language);
  const { preferences, buttons, asides } = messages;
  const isWrong = shown.errors !== undefined;
  const notice = isWrong ? "wrong" : shown.notice;
  const others = newsletters.filter(({ newsletterId }) => newsletterId !== newsletter.id);
  const mayLeave = newsletters.filter(({ status }) => status !== "unsubscribed");
  const body = (
    <>
      <p className="lead">{fillNodes(preferences.lead, { email: <b>{email}</b> })}</p>
      {notice && (
        <p className="notice" role={isWrong ? "alert" : "status"}>
          {preferences[notice]}
        </p>
      )}
      <Details view={view} {...shown} />
      <NewAddressForm view={view} {...shown} />
      <form method="post">
        <h2>{preferences.newsletters}</h2>
        {newsletters.map((one) => (
          <Newsletter
            key={one.newsletterId}
            one={one}
            isThis={one.newsletterId === newsletter.id}
            view={view}
          />
        ))}
        {others.length > 0 && mayLeave.length > 1 && (
          <div className="aside">
            <p>{fillNodes(asides.elsewhere, { account: <bdi>{newsletter.accountName}</bdi> })}</p>
            <ActionButton action="unsubscribeAll">{buttons.unsubscribeAll}</ActionButton>
          </div>
        )}
      </form>
      <form method="post">
        <h2>{preferences.data}</h2>
        <div className="aside">
          <p>{preferences.dataLead}</p>
          <ActionButton action="download">{preferences.download}</ActionButton>
          <ActionButton action="askErase">{preferences.erase}</ActionButton>
        </div>
      </form>
    </>
  );
  const { title } = preferences;
  const page = { lang: messages.lang, title, heading: newsletter.name, body, shape: "form" } as const;
  return { status: isWrong ? 422 : 200, page };
}

/** Asks whether all is to be erased. @param path the page's own */
export function erasePage({ newsletter, email }: Preferences, path: string): PageAnswer {
  const { pages, lang, preferences } = messagesFor(newsletter.language);
  const message = pages.preferencesErase;
  const body = (
    <>
      <Words message={message} lead={fillNodes(message.lead, { email: <b>{email}</b> })} />
      <form method="post">
        <button type="submit" className="main" name="action" value="erase">
          {preferences.eraseNow}
        </button>
      </form>
      <p className="aside">
        <a href={path}>{preferences.back}</a>
      </p>
    </>
  );
  const status = { tone: "pending", word: message.status } as const;
  const page = { lang, title: message.title, heading: message.title, over: newsletter.name, status, body };
  return { status: 200, page };
}
