import { z } from "zod";

export const captchaKinds = ["turnstile", "hcaptcha"] as const;
type CaptchaKind = (typeof captchaKinds)[number];

type Provider = {
  /** Returns the URL of the widget's script. @param lang the page's language */
  script(lang: string): string;
  /** The class that the script looks for. `theme` is the service's name for the reader's own colour scheme. */
  className: string;
  theme?: string;
  /** The input that the widget adds to the form. Its token works once and for a few minutes. */
  input: string;
  verifyUrl: string;
  /** The source of the service's scripts, styles and frames. */
  sources: string;
};

const providers: Record<CaptchaKind, Provider> = {
  // Sources at developers.cloudflare.com/turnstile: the widget, token validation and the Content-Security-Policy.
  turnstile: {
    script: () => "https://challenges.cloudflare.com/turnstile/v0/api.js",
    className: "cf-turnstile",
    theme: "auto",
    input: "cf-turnstile-response",
    verifyUrl: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
    sources: "https://challenges.cloudflare.com",
  },
  // Sources at docs.hcaptcha.com: the same chapters.
  hcaptcha: {
    script: (lang) => `https://js.hcaptcha.com/1/api.js?hl=${lang}`,
    className: "h-captcha",
    input: "h-captcha-response",
    verifyUrl: "https://api.hcaptcha.com/siteverify",
    sources: "https://hcaptcha.com https://*.hcaptcha.com",
  },
};

/** The data that a page needs to show the widget. */
export type Widget = Pick<Provider, "className" | "theme" | "input" | "script" | "sources"> & {
  siteKey: string;
};

/** unknown: the service gave no verdict, for the reason in `why`. */
type CaptchaVerdict = { is: "person" | "program" } | { is: "unknown"; why: string };

export type Captcha = Widget & {
  /**
   * Checks a token with the service, which accepts each token once. Sends neither the person's IP address nor their
   * input.
   */
  check(token: string): Promise<CaptchaVerdict>;
};

const TIMEOUT_MS = 5_000;

/** The answer of both services. */
const Answer = z.object({ success: z.boolean(), "error-codes": z.array(z.string()).default([]) });

/**
 * Error codes that are not about the token: the service has a problem, or rejects our keys. All other codes are about
 * the token.
 */
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

/** Returns the check by the operator's captcha service; null without one. */
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
