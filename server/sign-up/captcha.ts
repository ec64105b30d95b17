import { z } from "zod";

export type CaptchaKind = "turnstile" | "hcaptcha";

type Provider = {
  /** What a page loads the widget with. @param lang the page's */
  script(lang: string): string;
  /** What the widget's script looks for; `theme` is what it calls the reader's own. */
  className: string;
  theme?: string;
  /** The input that it adds to the form: a token, once and for some minutes. */
  input: string;
  verifyUrl: string;
  /** Where its scripts, styles and frames come from. */
  sources: string;
};

const providers: Record<CaptchaKind, Provider> = {
  // developers.cloudflare.com/turnstile: the widget, validation of the token, and the Content-Security-Policy.
  turnstile: {
    script: () => "https://challenges.cloudflare.com/turnstile/v0/api.js",
    className: "cf-turnstile",
    theme: "auto",
    input: "cf-turnstile-response",
    verifyUrl: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
    sources: "https://challenges.cloudflare.com",
  },
  // docs.hcaptcha.com: the same chapters.
  hcaptcha: {
    script: (lang) => `https://js.hcaptcha.com/1/api.js?hl=${lang}`,
    className: "h-captcha",
    input: "h-captcha-response",
    verifyUrl: "https://api.hcaptcha.com/siteverify",
    sources: "https://hcaptcha.com https://*.hcaptcha.com",
  },
};

/** What a page needs to show the widget. */
export type Widget = Pick<Provider, "className" | "theme" | "input" | "script" | "sources"> & {
  siteKey: string;
};

/** unknown: the service did not say, and why. */
export type CaptchaVerdict = { is: "person" | "program" } | { is: "unknown"; why: string };

export type Captcha = Widget & {
  /** Asks the service about a token, which it answers once. Neither the person's network nor what they typed is sent. */
  check(token: string): Promise<CaptchaVerdict>;
};

const TIMEOUT_MS = 5_000;

/** Both services answer so. */
const Answer = z.object({ success: z.boolean(), "error-codes": z.array(z.string()).default([]) });

/** Codes that say nothing of the token: the service has a problem, or does not know our keys. The others are about the token. */
const NOT_THE_TOKEN =
  /secret|^internal-error$|^bad-request$|^sitekey|^invalid-sitekey|^not-using-dummy|^missing-remoteip|^invalid-remoteip/;

async function ask(url: string, body: URLSearchParams): Promise<CaptchaVerdict> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: "POST", body, redirect: "error", signal });
  const answer = Answer.safeParse(await response.json().catch(() => null)).data;
  if (!answer) return { is: "unknown", why: `it answered ${response.status} without a readable body` };
  if (answer.success) return { is: "person" };
  const notIts = answer["error-codes"].filter((code) => NOT_THE_TOKEN.test(code));
  return notIts.length > 0 ? { is: "unknown", why: `it said ${notIts.join(", ")}` } : { is: "program" };
}

/** The check that a person fills in a sign-up form, by a service that the operator chose; null where there is none. */
export function captchaOf(config: {
  CAPTCHA_PROVIDER?: CaptchaKind | undefined;
  CAPTCHA_SITE_KEY?: string | undefined;
  CAPTCHA_SECRET_KEY?: string | undefined;
  CAPTCHA_VERIFY_URL?: string | undefined;
}): Captcha | null {
  const { CAPTCHA_PROVIDER: kind, CAPTCHA_SITE_KEY: siteKey, CAPTCHA_SECRET_KEY: secret } = config;
  if (!kind || !siteKey || !secret) return null;
  const { verifyUrl, ...widget } = providers[kind];
  return {
    ...widget,
    siteKey,
    check: (response) =>
      ask(
        config.CAPTCHA_VERIFY_URL ?? verifyUrl,
        new URLSearchParams({ secret, response, sitekey: siteKey }),
      ).catch((error: Error) => ({ is: "unknown", why: `it did not answer: ${error.message}` })),
  };
}
