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

/** A person has up to 100 fields. Each letter takes up to nine bytes in a form. */
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

/** Runs the action of a sent form. @returns null when the link no longer works */
async function runAction(
  ctx: LinkCtx,
  claims: ConfirmationClaims,
  view: Preferences,
  form: URLSearchParams,
): Promise<PageAnswer | Response | null> {
  const show = async (change: Promise<Preferences | null>, notice: "saved" | "addressAsked" | "done") => {
    const changed = await change;
    return changed && preferencesPage(changed, { notice });
  };
  const action = form.get("action");
  if (action === "save") {
    if (form.get(versionInput) !== String(view.version))
      return { ...preferencesPage(view, { notice: "changed" }), status: 422 };
    const names = Object.keys(shownOf(view));
    const typed = Object.fromEntries(names.map((name) => [name, form.get(name) ?? ""]));
    const { patch, errors } = readChange(view, typed);
    if (Object.keys(errors).length > 0) return preferencesPage(view, { typed, errors });
    return show(savePreferences(ctx, { claims, patch, version: view.version }), "saved");
  }
  if (action === "address") {
    const email = form.get(signUpInputs.email) ?? "";
    const typed = readEmail(email);
    if ("error" in typed)
      return preferencesPage(view, { email, errors: { [signUpInputs.email]: typed.error } });
    return show(askNewAddress(ctx, { claims, address: typed.email }), "addressAsked");
  }
  if (action === "unsubscribeAll") return show(unsubscribeEverywhere(ctx, claims), "done");
  if (action === "comeBack") return show(comeBack(ctx, claims), "done");
  if (action === "erase") return eraseByPerson(ctx, claims).then((erased) => erased && erasedPage(erased));
  if (action === "download") return downloadOwnData(ctx, claims).then((data) => data && fileAnswer(data));
  const newsletterId = form.get("leave");
  if (newsletterId === null) return { ...preferencesPage(view), status: 422 };
  return show(leaveNewsletter(ctx, { claims, newsletterId }), "done");
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
  if (form.get("action") === "askErase") return erasePage(view, url.pathname);
  return (await runAction(ctx, claims, view, form)) ?? overPage(messages, 410);
}
