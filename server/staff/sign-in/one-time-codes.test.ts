import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { codeOf } from "../../test/authenticator";
import { type HttpApp, openHttpApp } from "../../test/http-app";
import { addStaff, openBrowser, PASSWORD } from "../../test/staff-browser";

let opened: HttpApp;
beforeAll(async () => {
  opened = await openHttpApp({ LOCKOUT_AUTH: "off" });
  // A code lives for half a minute, and a busy machine may take longer between two lines of a test.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});
afterAll(async () => {
  vi.useRealTimers();
  await opened.close();
});

const STEP_MS = 30_000;

/** A staff member whose authenticator app was set up a minute ago. */
async function addStaffWithApp() {
  const staff = await addStaff(opened.app);
  const browser = openBrowser(opened.app);
  await browser.signIn(staff.email);
  const enabled = await browser.post("two-factor/enable", { password: PASSWORD });
  const { totpURI } = (await enabled.json()) as { totpURI: string };
  const secret = new URL(totpURI).searchParams.get("secret") as string;
  const confirm = (code: string) => browser.post("two-factor/confirm", { code });
  return { ...staff, secret, confirm };
}

/** A browser that has given the right password and is asked for a code. */
async function openChallenge(email: string) {
  const browser = openBrowser(opened.app);
  expect(await (await browser.signIn(email)).json()).toEqual({ twoFactorRedirect: true });
  return async (code: string) => (await browser.post("two-factor/verify-totp", { code })).status;
}

const sessionsOf = (staffId: string) => opened.app.db.staffSession.count({ where: { staffId } });

it("accepts a code once, and the next code for the same sign-in", async () => {
  const { id, email, secret, confirm } = await addStaffWithApp();
  expect((await confirm(codeOf(secret, Date.now() - STEP_MS))).status).toBe(200);
  const code = codeOf(secret);
  expect(await (await openChallenge(email))(code)).toBe(200);
  const [again, before] = [await openChallenge(email), await sessionsOf(id)];
  expect(await again(code)).toBe(422);
  for (const steps of [1, 3]) expect(await again(codeOf(secret, Date.now() - steps * STEP_MS))).toBe(422);
  expect(await sessionsOf(id)).toBe(before);
  expect(await again(codeOf(secret, Date.now() + STEP_MS))).toBe(200);
});

it("does not accept the code of the set-up for a sign-in", async () => {
  const { email, secret, confirm } = await addStaffWithApp();
  const code = codeOf(secret);
  expect((await confirm(code)).status).toBe(200);
  expect(await (await openChallenge(email))(code)).toBe(422);
});

it.each([6, 1])("begins one session for six requests with one code over %i sign-ins", async (signIns) => {
  const { id, email, secret, confirm } = await addStaffWithApp();
  await confirm(codeOf(secret, Date.now() - STEP_MS));
  const challenges: ((code: string) => Promise<number>)[] = [];
  for (let i = 0; i < signIns; i++) challenges.push(await openChallenge(email));
  const before = await sessionsOf(id);
  const code = codeOf(secret);
  const six = Array.from({ length: 6 }, (_, i) => challenges[i % signIns]?.(code));
  expect((await Promise.all(six)).filter((status) => status === 200)).toHaveLength(1);
  expect(await sessionsOf(id)).toBe(before + 1);
});

it("counts wrong codes: after five the sign-in begins again with the password", async () => {
  const { email, secret, confirm } = await addStaffWithApp();
  await confirm(codeOf(secret, Date.now() - STEP_MS));
  const verify = await openChallenge(email);
  const wrong = codeOf(secret, Date.now() - 100 * STEP_MS);
  for (let i = 0; i < 5; i++) expect(await verify(wrong)).toBe(422);
  expect(await verify(codeOf(secret))).not.toBe(200);
  expect(await opened.app.db.staffTwoFactor.findFirst({ where: { staff: { email } } })).toMatchObject({
    failedVerificationCount: 5,
  });
});
