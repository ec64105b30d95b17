import { setTimeout as sleep } from "node:timers/promises";
import type { AppContext } from "../app";
import { readForm } from "../platform/http/request-body";
import { lockoutSubject, networkSubject } from "../platform/limits/caller-address";
import type { PolicyName } from "../platform/limits/policies";
import { type Captcha, captchaOf } from "../sign-up/captcha";
import { signUpFormMs, signUpInputs } from "../sign-up/schema/sign-up-page";
import { type SignUp, signUp } from "../sign-up/sign-up";
import { findOpenSignUpPage, type SignUpView, wordingOf } from "../sign-up/sign-up-page";
import type { Address } from "../subscribers/schema/subscriber";
import { fillNodes, type Messages, messagesFor } from "./pages/messages";
import { notePage, type PageAnswer, type PageRequest } from "./pages/page";
import { type SignUpForm, signUpPage } from "./pages/sign-up-form";
import { meantAddress, readSignUp, type Typed, typedIn } from "./pages/sign-up-input";
import { signUpScript } from "./pages/sign-up-script";

/** A page has up to 100 fields. Each letter takes up to nine bytes in a form. */
const maxSignUpBytes = 64 * 1024;

/**
 * The shortest time of an answer to a sign-up. The time must not reveal whether the address was stored, mailed or
 * ignored.
 */
const answerAfterMs = 300;

/** Headers for answers that pages of other sites may read. These answers contain no personal data. */
const FOR_ANYBODY = {
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": "no-store",
  "X-Robots-Tag": "noindex, nofollow",
};

const json = (value: object) => Response.json(value, { headers: FOR_ANYBODY });

const longestFrom = 300;

/** Returns the other site's page that sent the form, as far as the browser names it, without query and fragment. */
function sentFrom({ headers }: Request, appUrl: string): string | null {
  const named = headers.get("referer") ?? headers.get("origin") ?? "";
  const url = URL.canParse(named) ? new URL(named) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.origin === new URL(appUrl).origin) return null;
  const page = url.pathname === "/" ? url.origin : `${url.origin}${url.pathname}`;
  return page.slice(0, longestFrom);
}

/** Returns the same page from the form's hidden input, for a form that our page showed again. */
function keptFrom(form: URLSearchParams): string | null {
  const kept = form.get(signUpInputs.from) ?? "";
  return /^https?:\/\/[\x21-\x7e]+$/.test(kept) && kept.length <= longestFrom ? kept : null;
}

/** Whether we made the form, and its age is plausible for a person. */
function isTimely(time: number | null): boolean {
  const age = time === null ? 0 : Date.now() - time;
  return age >= signUpFormMs.least && age <= signUpFormMs.most;
}

/** Counts a sign-up attempt. @returns the seconds until the next allowed attempt; 0 when this attempt is allowed */
async function countSignUp(
  { limiter }: AppContext,
  { address }: PageRequest,
  newsletterId: string,
): Promise<number> {
  const subject = address && lockoutSubject(address);
  const counts: [policy: PolicyName, subject: string][] = [["signUpNewsletter", newsletterId]];
  if (subject) counts.unshift(["signUp", subject], ["signUpNetwork", networkSubject(subject)]);
  // The order matters: a request over an address's rate limit doesn't count towards the newsletter's rate limit.
  for (const [policy, counted] of counts) {
    const { allowed, retryAfterSeconds } = await limiter.take(policy, counted);
    if (!allowed) return retryAfterSeconds;
  }
  return 0;
}

function tooOftenPage({ pages, lang }: Messages, seconds: number): PageAnswer {
  const [count, unit] = seconds > 90 ? [Math.ceil(seconds / 60), "minute"] : [seconds, "second"];
  const wait = new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" }).format(count);
  const more = fillNodes(pages.signUpTooOften.more, { wait });
  const headers = { "Retry-After": String(seconds) };
  return notePage(pages.signUpTooOften, lang, { status: 429, headers, more });
}

/** The answer to a sign-up, the same for every address. */
function signedUp(
  view: SignUpView,
  { mailed, asksJson }: { mailed: boolean; asksJson: boolean },
): PageAnswer | Response {
  const messages = messagesFor(view.newsletter.language);
  const message = messages.pages[mailed ? "signedUp" : "signedUpUnmailed"];
  if (asksJson) return json({ status: "done", title: message.title, message: message.lead });
  return notePage(message, messages.lang, { tone: "pending", over: view.newsletter.name });
}

/** Shows the form again, with its errors, with a question about the address or with a request to submit it once more. */
function askAgain(form: SignUpForm, asksJson: boolean): PageAnswer | Response {
  if (!asksJson) return signUpPage(form);
  const { signUp } = messagesFor(form.view.newsletter.language);
  const { errors, time, captcha, meant } = form;
  // Only our own page can show a captcha.
  const again = captcha ? { message: signUp.captchaAgain, page: true } : { message: signUp.askAgain };
  if (meant) {
    const [message, use] = [signUp.didYouMean, signUp.useMeant].map((text) => text.replace("{email}", meant));
    return json({ status: "check", time, message, use, email: meant });
  }
  if (!errors) return json({ status: "again", time, ...again });
  const words = Object.entries(errors).map(([name, error]) => [name, signUp.errors[error]]);
  return json({ status: "wrong", time, message: signUp.wrong, errors: Object.fromEntries(words) });
}

/** A valid form, and the page that it stood on. */
type Taken = {
  view: SignUpView;
  person: Pick<SignUp, "email" | "name" | "fields">;
  from: string | null;
  wording: string;
};

async function takeSignUp(
  app: AppContext,
  { address, requestId }: PageRequest,
  { view, person, from, wording }: Taken,
): Promise<void> {
  const { db, queue, outbox, jobs, appUrl } = app;
  const ctx = { db, queue, outbox, jobs, actor: { kind: "page", address } as const, requestId };
  const { id } = view.newsletter;
  const { text, version } = await wordingOf(app, { view, version: wording });
  const at = new Date().toISOString();
  const agreement = { wording: text, version, page: `${appUrl}/s/${id}`, from, at };
  await signUp(ctx, { newsletterId: id, ...person, agreement });
}

/**
 * Whether the captcha service takes the sender for a person. When the service doesn't answer, the sign-up continues
 * without the check. Every subscriber still confirms by email, and rate limits still apply.
 */
async function isPerson({ log }: AppContext, captcha: Captcha, token: string): Promise<boolean> {
  const verdict = await captcha.check(token);
  if (verdict.is === "unknown")
    log.error(
      { why: verdict.why },
      "sign-up: the captcha service could not be asked; taken without its check",
    );
  return verdict.is !== "program";
}

/**
 * Returns the address to ask about when a domain is mistyped, unless the form has asked already. A form of another site
 * that asks for JSON is asked only if it knows the question: then it sends the input `asked`.
 */
function questionOf(form: URLSearchParams, email: Address, asksJson: boolean): string | null {
  const asked = form.get(signUpInputs.asked);
  if (asked === email.email || (asksJson && asked === null)) return null;
  return meantAddress(email)?.email ?? null;
}

async function answerPost(app: AppContext, asked: PageRequest, view: SignUpView) {
  const { request } = asked;
  const { id, language } = view.newsletter;
  const form = await readForm(request, maxSignUpBytes);
  const asksJson = request.headers.get("accept")?.includes("application/json") ?? false;
  const typed: Typed = typedIn(form, view);
  const from = sentFrom(request, app.appUrl) ?? keptFrom(form);
  const captcha = captchaOf(app.config);
  const time = app.links.signUpTime(id, Date.now());
  if (!isTimely(app.links.readSignUpTime(id, form.get(signUpInputs.time) ?? "")))
    return askAgain({ view, typed, time, from, captcha, again: true }, asksJson);
  // Keeps the form's own time, so that a quickly corrected form isn't rejected as too fast.
  const kept = { view, typed, time: form.get(signUpInputs.time) ?? time, from, captcha };
  const reading = readSignUp(typed, view);
  if (!reading.ok) return askAgain({ ...kept, errors: reading.errors }, asksJson);
  const meant = questionOf(form, reading.email, asksJson);
  if (meant) return askAgain({ ...kept, meant }, asksJson);
  const token = (captcha && form.get(captcha.input)) ?? "";
  if (captcha && token === "") return askAgain({ ...kept, again: true }, asksJson);
  const wait = await countSignUp(app, asked, id);
  if (wait > 0) return tooOftenPage(messagesFor(language), wait);
  const { ok: _, ...read } = reading;
  const isCorrected = form.get(signUpInputs.corrected) !== null;
  const person = { ...read, email: (isCorrected && meantAddress(read.email)) || read.email };
  const isTrapped = (form.get(signUpInputs.trap) ?? "") !== "";
  if (captcha && !isTrapped && !(await isPerson(app, captcha, token)))
    return askAgain({ ...kept, again: true }, asksJson);
  const wording = form.get(signUpInputs.wording) ?? "";
  const taken = { view, person, from, wording };
  const [{ transport }] = await Promise.all([
    app.mailService(),
    sleep(answerAfterMs),
    isTrapped || takeSignUp(app, asked, taken),
  ]);
  return signedUp(view, { mailed: transport !== null, asksJson });
}

const scriptAnswer = () =>
  new Response(signUpScript, {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "public, max-age=3600",
      // Other sites load this script.
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });

/**
 * Answers /s/{newsletter}, a page for sign-ups. POST only ever creates pending people. Its answer is the same for known
 * and unknown addresses.
 * `time` below the page gives a form on another site its signed time. `form.js` is the script that requests this time.
 */
export async function answerSignUp(
  app: AppContext,
  asked: PageRequest,
  [id = "", part]: string[],
): Promise<PageAnswer | Response> {
  const { method, messages } = asked;
  const view = await findOpenSignUpPage(app, { newsletterId: id.toLowerCase() });
  if (!view) return notePage(messages.pages.signUpOff, messages.lang, { status: 404 });
  if (part !== undefined && method === "POST") {
    const headers = { Allow: "GET, HEAD" };
    return notePage(messages.pages.notUnderstood, messages.lang, { status: 405, headers });
  }
  const time = app.links.signUpTime(view.newsletter.id, Date.now());
  if (part === "time") return json({ time });
  if (part === "form.js") return scriptAnswer();
  const captcha = captchaOf(app.config);
  return method === "GET" ? signUpPage({ view, time, captcha }) : answerPost(app, asked, view);
}
