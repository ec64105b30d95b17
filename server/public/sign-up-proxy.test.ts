import { expect, test } from "vitest";
import { newId } from "../kernel/ids";
import { signUpFormMs } from "../sign-up/schema/sign-up-page";
import { opened, openHttpAppForTests } from "../test/http-app";
import { saveSignUpPage } from "../test/sign-up-fixture";

openHttpAppForTests({
  TRUST_PROXY: "off",
  RATE_LIMIT_SIGN_UP: "10/d",
  RESEND_API_KEY: "re_test",
  MAIL_FROM: "Weekly <hello@weekly.org>",
});

function signUp(headers: Record<string, string>) {
  const { app, newsletterId, origin } = opened;
  const time = app.links.signUpTime(newsletterId, Date.now() - signUpFormMs.least - 1_000);
  const body = new URLSearchParams({ email: `${newId()}@lovelace.org`, time });
  return fetch(`${origin}/s/${newsletterId}`, { method: "POST", headers, body });
}

test("with TRUST_PROXY off, invented X-Forwarded-For addresses share the caller's limit, and health reports them", async () => {
  await saveSignUpPage(opened.app.db, opened.newsletterId);
  const statuses: number[] = [];
  for (let i = 0; i < 60; i++) statuses.push((await signUp({ "X-Forwarded-For": `198.51.${i}.1` })).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(50);
  expect((await signUp({})).status).toBe(429);
  const health = (await (await fetch(`${opened.origin}/api/health`)).json()) as { issues: string[] };
  expect(health.issues).toEqual([expect.stringContaining("set TRUST_PROXY")]);
});
