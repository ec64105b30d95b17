import type { Widget } from "../../sign-up/captcha";
import { signUpInputs } from "../../sign-up/schema/sign-up-page";
import type { SignUpView } from "../../sign-up/sign-up-page";
import { DetailInputs, EmailInput } from "./form-inputs";
import { type Messages, messagesFor } from "./messages";
import { type PageAnswer, renderPage } from "./page";
import type { SignUpErrors, Typed } from "./sign-up-input";

export type SignUpForm = {
  view: SignUpView;
  typed?: Typed;
  errors?: SignUpErrors;
  /** The signed time that the form carries; empty in a preview. */
  time: string;
  /** The address that the person probably meant. The form asks for it before anything is stored. */
  meant?: string;
  /** The form is valid, but the button must be used once more. */
  again?: boolean;
  /** The other site's page that had the first form. */
  from?: string | null;
  /** The captcha; null for none. */
  captcha?: Widget | null;
};

/** Paragraphs of staff's own text, in the text's own direction. */
function OwnWords({ text, className }: { text: string; className: string }) {
  return text.split("\n\n").map((paragraph) => (
    <p key={paragraph} className={className} dir="auto">
      {paragraph.split("\n").flatMap((line, i) => (i === 0 ? [line] : [<br key={line} />, line]))}
    </p>
  ));
}

/** A honeypot input, hidden from people and from screen readers. Programs fill it in. */
function Trap({ messages }: { messages: Messages }) {
  return (
    <div className="trap" aria-hidden="true">
      <label htmlFor={signUpInputs.trap}>{messages.signUp.trap}</label>
      <input id={signUpInputs.trap} name={signUpInputs.trap} tabIndex={-1} autoComplete="off" />
    </div>
  );
}

/** The captcha service's element. The service's script fills the element and adds an input with a token. */
function CaptchaCheck({ captcha, messages }: { captcha: Widget; messages: Messages }) {
  const { className, siteKey, theme } = captcha;
  return (
    <div className="check">
      <div className={className} data-sitekey={siteKey} data-theme={theme} data-language={messages.lang} />
      <noscript>
        <p className="notice">{messages.signUp.captchaNeedsScripts}</p>
      </noscript>
    </div>
  );
}

/** The note above the form: its errors, a question, or why the button must be used once more. */
function Notice({ errors = {}, meant, again, captcha, messages }: SignUpForm & { messages: Messages }) {
  const { wrong, didYouMean, askAgain, captchaAgain } = messages.signUp;
  const question = meant && didYouMean.replace("{email}", meant);
  const problem = question ?? (Object.keys(errors).length > 0 ? wrong : null);
  const text = problem ?? (again ? (captcha ? captchaAgain : askAgain) : null);
  return text === null ? null : (
    <p className="notice" role={problem === null ? "status" : "alert"}>
      {text}
    </p>
  );
}

/** The other answers, hidden, so that the question about the address and its buttons fit on a phone's screen. */
function HiddenDetails({ typed }: { typed: Typed }) {
  return Object.entries(typed)
    .filter(([name]) => name !== signUpInputs.email)
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}

/** The buttons that take the suggested address or the typed one. Another typed address counts in both cases. */
function Choice({ meant, typed, messages }: { meant: string; typed: Typed; messages: Messages }) {
  const { useMeant, keepTyped } = messages.signUp;
  return (
    <>
      <input type="hidden" name={signUpInputs.asked} value={typed[signUpInputs.email]?.trim()} />
      <button type="submit" className="main" name={signUpInputs.corrected} value="yes">
        {useMeant.replace("{email}", meant)}
      </button>
      <button type="submit" className="second">
        {keepTyped}
      </button>
    </>
  );
}

/**
 * Returns a newsletter's sign-up page, in the newsletter's language. `noValidate` leaves validation to the server, so
 * that errors appear beside their inputs in that language.
 */
export function signUpPage(form: SignUpForm): PageAnswer {
  const { view, typed = {}, time, meant, again, from, captcha, errors = {} } = form;
  const { newsletter, title, introduction, wording } = view;
  const messages = messagesFor(newsletter.language);
  const { signUp } = messages;
  const body = (
    <>
      {introduction !== "" && !meant && <OwnWords text={introduction} className="lead" />}
      <Notice {...form} messages={messages} />
      <form method="post" action={`/s/${newsletter.id}`} noValidate>
        <EmailInput {...form} messages={messages} label={signUp.email} />
        {meant ? (
          <HiddenDetails typed={typed} />
        ) : (
          <DetailInputs {...form} messages={messages} asksName={view.asksName} fields={view.fields} />
        )}
        <Trap messages={messages} />
        <input type="hidden" name={signUpInputs.time} value={time} />
        <input type="hidden" name={signUpInputs.wording} value={wording.version} />
        {from && <input type="hidden" name={signUpInputs.from} value={from} />}
        <div className="agreed">
          <OwnWords text={wording.text} className="more" />
        </div>
        {captcha && <CaptchaCheck captcha={captcha} messages={messages} />}
        {meant ? (
          <Choice meant={meant} typed={typed} messages={messages} />
        ) : (
          <button type="submit" className="main">
            {again ? signUp.again : signUp.submit}
          </button>
        )}
      </form>
    </>
  );
  const status = Object.keys(errors).length > 0 ? 422 : 200;
  const heading = title || newsletter.name;
  const over = title === "" ? undefined : newsletter.name;
  const { lang } = messages;
  const script = captcha?.script(lang);
  const page = { lang, title: signUp.title, heading, over, body, script, shape: "form" } as const;
  // The captcha service needs the site's origin. This page's URL grants no access.
  const headers = captcha ? { "Referrer-Policy": "strict-origin-when-cross-origin" } : undefined;
  return { status, page, sources: captcha?.sources, ...(headers && { headers }) };
}

/** Returns the page as a new visitor sees it, for the dashboard's preview. */
export const previewPage = (view: SignUpView): string => renderPage(signUpPage({ view, time: "" }).page);
