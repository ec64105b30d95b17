import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { signUpFormMs } from "../sign-up/schema/sign-up-page";
import { startFakeCaptcha } from "../test/fake-captcha";
import { type HttpApp, openHttpApp } from "../test/http-app";
import { saveSignUpPage } from "../test/sign-up-fixture";
import { messagesFor } from "./pages/messages";

const keys = { CAPTCHA_PROVIDER: "turnstile", CAPTCHA_SITE_KEY: "0x4AAA", CAPTCHA_SECRET_KEY: "0x4secret" };
const TOKEN = "cf-turnstile-response";

let fake: Awaited<ReturnType<typeof startFakeCaptcha>>;
let http: HttpApp;
let url: string;
beforeAll(async () => {
  fake = await startFakeCaptcha({ secret: keys.CAPTCHA_SECRET_KEY });
  http = await openHttpApp({ ...keys, CAPTCHA_VERIFY_URL: fake.url, RATE_LIMIT_SIGN_UP: "50/d" });
  url = `${http.origin}/s/${http.newsletterId}`;
  await saveSignUpPage(http.app.db, http.newsletterId);
});
afterEach(() => fake.fail("none"));
afterAll(async () => {
  await http.close();
  await fake.stop();
});

const time = () => http.app.links.signUpTime(http.newsletterId, Date.now() - signUpFormMs.least - 1_000);
let callers = 0;
async function post(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "X-Forwarded-For": `203.0.113.${++callers % 250}`, ...headers },
    body: new URLSearchParams({ time: time(), ...fields }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const emails = async () =>
  (await http.app.db.subscriber.findMany({ orderBy: { id: "asc" } })).map(({ email }) => email);
const { signUp, pages } = messagesFor("en");

describe("where a captcha is set up", () => {
  test("the page shows its widget and allows only that service's scripts", async () => {
    const response = await fetch(url);
    const text = await response.text();
    expect(text).toContain('<div class="cf-turnstile" data-sitekey="0x4AAA"');
    expect(text).toContain('<script src="https://challenges.cloudflare.com/turnstile/v0/api.js" async=""');
    expect(text).toContain("<noscript>");
    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'; ");
    expect(policy).toContain(
      "script-src https://challenges.cloudflare.com; frame-src https://challenges.cloudflare.com",
    );
    expect(policy).not.toContain("unsafe");
    // Other public pages run no scripts.
    const other = await fetch(`${http.origin}/unsubscribe/none`);
    expect(other.headers.get("content-security-policy")).not.toContain("script-src");
  });

  test("a token is accepted once, and the service gets only the token", async () => {
    const token = fake.token();
    expect(await post({ email: "ada@lovelace.org", [TOKEN]: token })).toMatchObject({ status: 200 });
    expect(await emails()).toEqual(["ada@lovelace.org"]);
    const { CAPTCHA_SECRET_KEY: secret, CAPTCHA_SITE_KEY: sitekey } = keys;
    expect(fake.asked).toEqual([{ secret, sitekey, response: token }]);
    const again = await post({ email: "grace@navy.mil", [TOKEN]: token });
    expect(again.text).toContain(signUp.captchaAgain);
    expect(await emails()).toEqual(["ada@lovelace.org"]);
  });

  test("a form of another site without a token gets the page with its input and the widget", async () => {
    const before = fake.asked.length;
    const { status, text } = await post({ email: "alan@bletchley.org", name: "Alan <Turing>" });
    expect(status).toBe(200);
    for (const part of ["alan@bletchley.org", "Alan &lt;Turing&gt;", "cf-turnstile", signUp.captchaAgain])
      expect(text).toContain(part);
    expect(fake.asked).toHaveLength(before);
    // The form's script then sends the browser to our page.
    const inline = await post({ email: "alan@bletchley.org" }, { Accept: "application/json" });
    expect(JSON.parse(inline.text)).toMatchObject({ status: "again", page: true });
    expect(await emails()).not.toContain("alan@bletchley.org");
    const kept = /name="time" value="([^"]+)"/.exec(text)?.[1] as string;
    const done = await post({ email: "alan@bletchley.org", time: kept, [TOKEN]: fake.token() });
    expect(done.text).toContain(pages.signedUpUnmailed.title);
    expect(await emails()).toContain("alan@bletchley.org");
  });

  test("invented tokens are rejected and count against the limit", async () => {
    const caller = { "X-Forwarded-For": "198.51.100.9" };
    const made = { email: "bot@spam.example", [TOKEN]: "made up" };
    expect((await post(made, caller)).text).toContain(signUp.captchaAgain);
    const statuses = new Set<number>();
    for (let i = 0; i < 60; i++) statuses.add((await post(made, caller)).status);
    expect([...statuses]).toEqual([200, 429]);
    expect(await emails()).not.toContain("bot@spam.example");
  }, 60_000);

  test("a filled-in honeypot gets the usual answer, and the service is not asked", async () => {
    const before = fake.asked.length;
    const trapped = { email: "trapped@spam.example", website: "https://spam.example", [TOKEN]: "made up" };
    expect((await post(trapped)).text).toContain(pages.signedUpUnmailed.title);
    expect(fake.asked).toHaveLength(before);
    expect(await emails()).not.toContain("trapped@spam.example");
  });

  test.each([
    ["silent", expect.anything()],
    ["garbage", expect.anything()],
    ["unavailable", expect.anything()],
    ["rejecting our secret", "it said invalid-input-secret"],
  ] as const)(
    "while the service is %s sign-ups are accepted without its check, with an error in the log",
    async (how, why) => {
      fake.fail(how);
      const error = vi.spyOn(http.app.log, "error");
      const email = `${how.slice(0, 4)}@lovelace.org`;
      const { text } = await post({ email, [TOKEN]: "token-of-a-person" });
      expect(text).toContain(pages.signedUpUnmailed.title);
      expect(await emails()).toContain(email);
      expect(error.mock.calls).toEqual([[expect.objectContaining({ why }), expect.any(String)]]);
      error.mockRestore();
    },
    15_000,
  );
});

test("hCaptcha has its own widget and sources, in the page's language; incomplete settings fail", async () => {
  const other = await openHttpApp({ ...keys, CAPTCHA_PROVIDER: "hcaptcha" });
  await saveSignUpPage(other.app.db, other.newsletterId);
  await other.app.db.newsletter.update({ where: { id: other.newsletterId }, data: { language: "de" } });
  const response = await fetch(`${other.origin}/s/${other.newsletterId}`);
  const text = await response.text();
  expect(text).toContain('src="https://js.hcaptcha.com/1/api.js?hl=de"');
  expect(text).toContain('class="h-captcha"');
  expect(response.headers.get("content-security-policy")).toContain(
    "frame-src https://hcaptcha.com https://*.hcaptcha.com",
  );
  await other.close();
  await expect(openHttpApp({ CAPTCHA_SITE_KEY: "0x4AAA" })).rejects.toThrow("set all of them or none");
});
