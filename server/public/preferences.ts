import type { AppContext } from "../app";
import type { ConfirmationClaims } from "../mail/signed-links";
import { readForm } from "../platform/http/request-body";
import { downloadOwnData } from "../sign-up/own-data";
import {
  askNewAddress,
  comeBack,
  confirmNewAddress,
  eraseByPerson,
  type LinkCtx,
  leaveNewsletter,
  type OwnChange,
  type Preferences,
  savePreferences,
  showNewAddress,
  showPreferences,
  unsubscribeEverywhere,
} from "../sign-up/preferences";
import { fieldInput, signUpInputs } from "../sign-up/schema/sign-up-page";
import { type Messages, messagesFor } from "./pages/messages";
import { notePage, type PageAnswer, type PageRequest } from "./pages/page";
import { erasePage, newAddressPage, preferencesPage, shownOf, versionInput } from "./pages/preferences-page";
import { readEmail, readField, readTypedName, type SignUpErrors, type Typed } from "./pages/sign-up-input";

/** Room for 100 long fields. Each letter takes up to nine bytes in a form. */
const maxPreferencesBytes = 256 * 1024;

/** Returns the inputs that the person changed, and their errors. Unchanged inputs are not validated. */
function readChange(view: Preferences, typed: Typed): { patch: OwnChange; errors: SignUpErrors } {
  const errors: SignUpErrors = {};
  const patch: OwnChange = {};
  const shown = shownOf(view);
  const changed = (name: string) => typed[name] !== shown[name];
  if (changed(signUpInputs.name)) {
    const reading = readTypedName(typed[signUpInputs.name] ?? "");
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
  unsubscribeAll: unsubscribeEverywhere,
  comeBack,
};

const overPage = ({ pages, lang }: Messages, status: number) =>
  notePage(pages.preferencesOver, lang, { status });

/** Returns a person's stored data as a download, with headers against caching and indexing. */
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
  return notePage(pages.preferencesErased, lang, { over: name });
}

/**
 * The page of a link that was mailed to a new address. GET shows a button; POST is the button.
 * @returns null when the link is invalid or no longer works
 */
async function answerNewAddress(
  ctx: LinkCtx,
  claims: ConfirmationClaims,
  { method, request }: Pick<PageRequest, "method" | "request">,
): Promise<PageAnswer | null> {
  const isPressed = method === "POST" && (await readForm(request)).get("action") === "useAddress";
  const found = await (isPressed ? confirmNewAddress(ctx, claims) : showNewAddress(ctx, claims));
  if (!found) return null;
  // A POST without the button does not come from our page.
  return { ...newAddressPage(found), status: method === "POST" && !isPressed ? 422 : 200 };
}

/**
 * Answers /preferences/{token}, where people view and change their own data with a mailed link. GET changes nothing,
 * since mail scanners open links. POST is a button. The token grants the right to post; see `confirmationPage`.
 */
export async function answerPreferences(
  { db, queue, outbox, jobs, links }: AppContext,
  { request, method, url, address, requestId, messages }: PageRequest,
  token: string,
): Promise<PageAnswer | Response> {
  const claims = links.readPreferences(token);
  const ctx = { db, queue, outbox, jobs, actor: { kind: "link", address } as const, requestId };
  if (!claims) {
    const newAddress = links.readNewAddress(token);
    const answer = newAddress && (await answerNewAddress(ctx, newAddress, { method, request }));
    return answer ?? overPage(messages, newAddress ? 410 : 404);
  }
  const view = await showPreferences(ctx, claims);
  if (!view) return overPage(messages, 410);
  if (method === "GET") return preferencesPage(view);

  const form = await readForm(request, maxPreferencesBytes);
  const action = form.get("action") ?? "";
  const left = form.get("leave");
  if (action === "save") {
    if (form.get(versionInput) !== String(view.version))
      return { ...preferencesPage(view, { notice: "changed" }), status: 422 };
    const names = Object.keys(shownOf(view));
    const typed = Object.fromEntries(names.map((name) => [name, form.get(name) ?? ""]));
    const { patch, errors } = readChange(view, typed);
    if (Object.keys(errors).length > 0) return preferencesPage(view, { typed, errors });
    const saved = await savePreferences(ctx, { claims, patch, version: view.version });
    return saved ? preferencesPage(saved, { notice: "saved" }) : overPage(messages, 410);
  }
  if (action === "address") {
    const email = form.get(signUpInputs.email) ?? "";
    const typed = readEmail(email);
    if ("error" in typed)
      return preferencesPage(view, { email, errors: { [signUpInputs.email]: typed.error } });
    const asked = await askNewAddress(ctx, { claims, address: typed.email });
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
  const after = await (verb ? verb(ctx, claims) : leaveNewsletter(ctx, { claims, newsletterId: left ?? "" }));
  return after ? preferencesPage(after, { notice: "done" }) : overPage(messages, 410);
}
