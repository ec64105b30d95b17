import { expect, test } from "vitest";
import { HOUR_MS } from "../../kernel/time";
import { deleteExpired } from "../../operations/queries/housekeeping";
import { app, openHttpAppForTests } from "../../test/http-app";
import { addStaff, openBrowser, openSignedIn, PASSWORD } from "../../test/staff-browser";
import { listSessions } from "../staff";
import { findSignedIn } from "./staff-session";

openHttpAppForTests();

const change = { currentPassword: PASSWORD, newPassword: "another long password" };
const hoursFromNow = (date: Date) => (date.getTime() - Date.now()) / HOUR_MS;

/** A staff member with one session, and the browser that has it. */
async function signedIn() {
  const { staff, browser } = await openSignedIn(app);
  const session = () => app.db.staffSession.findFirstOrThrow({ where: { staffId: staff.id } });
  /** As if so many hours had gone by. */
  const wait = async (hours: number) => {
    const { id, createdAt, updatedAt, expiresAt } = await session();
    const earlier = (date: Date) => new Date(date.getTime() - hours * HOUR_MS);
    const times = { createdAt: earlier(createdAt), updatedAt: earlier(updatedAt) };
    await app.db.staffSession.update({ where: { id }, data: { ...times, expiresAt: earlier(expiresAt) } });
  };
  const who = () => findSignedIn(app, browser.headers());
  return { staff, browser, session, wait, who };
}

test("S9: a session ends after 12 hours without use", async () => {
  const { session, wait, who, browser } = await signedIn();
  expect(hoursFromNow((await session()).expiresAt)).toBeCloseTo(12, 1);
  await wait(11.9);
  expect(await who()).not.toBe(null);
  expect(hoursFromNow((await session()).expiresAt)).toBeCloseTo(12, 1);
  await wait(12.1);
  expect((await browser.post("change-password", change)).status).toBe(401);
  expect(await who()).toBe(null);
});

test("S9: a session ends after 30 days, however much it is used", async () => {
  const { staff, session, wait, who, browser } = await signedIn();
  for (let day = 0; day < 60; day++) {
    await wait(11.9);
    expect(await who(), `half day ${day}`).not.toBe(null);
  }
  const { id } = await session();
  await wait(7);
  expect(await listSessions(app, { ...staff, sessionId: id })).toEqual([]);
  expect(await who()).toBe(null);
  expect((await browser.post("change-password", change)).status).toBe(401);
});

test("a use within five minutes writes nothing, and a request for a longer session is ignored", async () => {
  const { staff, session, who } = await signedIn();
  const before = await session();
  await who();
  expect((await session()).updatedAt).toEqual(before.updatedAt);
  const browser = openBrowser(app);
  await browser.post("sign-in/email", { email: staff.email, password: PASSWORD, rememberMe: false });
  for (const { expiresAt } of await app.db.staffSession.findMany({ where: { staffId: staff.id } }))
    expect(hoursFromNow(expiresAt)).toBeLessThan(12.1);
});

test("the list of sessions has the live ones, and the others are deleted", async () => {
  const { staff, session, wait } = await signedIn();
  const { id } = await session();
  expect(await listSessions(app, { ...staff, sessionId: id })).toHaveLength(1);
  await wait(13);
  expect(await listSessions(app, { ...staff, sessionId: id })).toEqual([]);
  await wait(24);
  await deleteExpired(app.db);
  expect(await app.db.staffSession.count({ where: { id } })).toBe(0);
});

test("S9: a new sign-in in the same browser ends the session that it replaces, and no other", async () => {
  const { staff, browser, session } = await signedIn();
  const first = await session();
  const elsewhere = openBrowser(app);
  await elsewhere.signIn(staff.email);
  expect((await browser.signIn(staff.email)).status).toBe(200);
  const left = await app.db.staffSession.findMany({ where: { staffId: staff.id } });
  expect(left).toHaveLength(2);
  expect(left.map(({ id }) => id)).not.toContain(first.id);
  expect(await findSignedIn(app, elsewhere.headers())).not.toBe(null);
});

test("S9: neither a sign-in nor a new password answers with the session's token or the person", async () => {
  const staff = await addStaff(app);
  const browser = openBrowser(app);
  const answers = [
    await browser.signIn(staff.email),
    await browser.post("change-password", { ...change, revokeOtherSessions: true }),
    await browser.post("sign-out"),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({});
  }
});
