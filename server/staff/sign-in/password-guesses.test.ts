import { describe, expect, test, vi } from "vitest";
import { app, openHttpAppForTests } from "../../test/http-app";
import { addStaff, openBrowser, openSignedIn, PASSWORD } from "../../test/staff-browser";
import { knownDeviceCookie } from "./known-devices";

openHttpAppForTests({ LOCKOUT_AUTH: "20/10m for 10m" });

const guess = (email: string, from?: string) => openBrowser(app, from).signIn(email, "not the password");
/** As if so many seconds had gone by. */
const wait = (seconds: number) =>
  app.db.$executeRaw`UPDATE staff_tries SET next_at = next_at - make_interval(secs => ${seconds}::float8)`;
/** On a busy machine a second goes by between two requests. */
const prolong = () => wait(-119);
async function guesses(email: string, count: number, from?: string) {
  for (let i = 0; i < count; i++) await guess(email, from);
}
/** A browser in which its staff member has signed in before. */
const known = (from?: string) => openSignedIn(app, from);
const noticesTo = (staffId: string) =>
  app.db.mail.findMany({ where: { staffId, kind: "notice" }, orderBy: { id: "asc" } });
const entriesOf = (action: string, subjectId: string) =>
  app.db.auditEntry.findMany({ where: { action, subjectId } });

describe("S5: guesses at one account, each from another address,", () => {
  test("wait after the fifth, also with the right password; unknown accounts wait in the same way", async () => {
    const { email } = await addStaff(app);
    const course = async (of: string) => {
      const answers: string[] = [];
      for (let i = 0; i < 7; i++) {
        if (i === 5) await prolong();
        const answer = await guess(of);
        answers.push(`${answer.status} ${await answer.text()}`);
      }
      return answers;
    };
    const [of, ofNobody] = [await course(email), await course("nobody@lovelace.org")];
    expect(of.map((answer) => answer.slice(0, 3))).toEqual([...Array(5).fill("401"), "429", "429"]);
    expect(of[5]).toContain("Too many failed sign-ins to this account. Wait 2 minutes, then try again.");
    expect(ofNobody).toEqual(of);
    expect(Number((await guess(email)).headers.get("retry-after"))).toBeGreaterThan(60);
    expect((await openBrowser(app).signIn(email)).status).toBe(429);
    await wait(300);
    expect((await openBrowser(app).signIn(email)).status).toBe(200);
    // A successful sign-in clears the failures.
    expect((await guess(email)).status).toBe(401);
  });

  test("wait twice as long after each, at most 15 minutes", async () => {
    // No staff member has this address, so no notice adds tries.
    const email = "somebody@lovelace.org";
    await guesses(email, 5);
    const waits: number[] = [];
    for (let i = 0; i < 12; i++) {
      const newest = await app.db.staffTry.findFirstOrThrow({ orderBy: { triedAt: "desc" } });
      waits.push(Math.round((newest.nextAt.getTime() - newest.triedAt.getTime()) / 1000));
      await wait(1000);
      expect((await guess(email)).status).toBe(401);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  test("are at most five when they arrive at once", async () => {
    const { email } = await addStaff(app);
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess(email)));
    // On a slow machine the first second is over when the last of them comes.
    const judged = answers.filter(({ status }) => status === 401).length;
    expect([5, 6]).toContain(judged);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - judged);
  });

  test("are emailed to its owner once with a shortened caller address, and are in the audit log", async () => {
    const { id, email } = await addStaff(app);
    await guesses(email, 4);
    expect(await noticesTo(id)).toEqual([]);
    await guess(email, "203.0.113.77");
    await wait(5);
    await guess(email);
    const [mail, ...more] = await noticesTo(id);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ toEmail: email, subject: "Failed sign-ins to your Rollcall account" });
    expect(mail?.text).toMatch(/5 times .* with Firefox on Linux, from the network 203\.0\.113\.\*\./);
    expect(mail?.text).not.toContain("203.0.113.77");
    expect(mail?.text).toContain(`${app.appUrl}/forgot`);
    expect(await entriesOf("staff.sign_in_failures", id)).toMatchObject([
      { actorKind: "visitor", detail: { failures: 5 }, address: "203.0.113.77" },
    ]);
  });
});

describe("a browser with an earlier sign-in", () => {
  test("signs them in while strangers guess, and strangers with the right password wait", async () => {
    const { staff, browser } = await known();
    await guesses(staff.email, 8);
    await prolong();
    expect((await openBrowser(app).signIn(staff.email)).status).toBe(429);
    expect((await browser.signIn(staff.email)).status).toBe(200);
  });

  test("S5: signs them in from an office address that others have locked out", async () => {
    const office = "198.51.100.9";
    const { staff, browser } = await known(office);
    const colleague = await addStaff(app);
    for (let i = 0; i < 20; i++) await guess(`nobody${i}@lovelace.org`, office);
    const locked = await openBrowser(app, office).signIn(colleague.email);
    expect(locked.status).toBe(429);
    expect(await locked.text()).toContain("from your address");
    expect((await browser.signIn(staff.email)).status).toBe(200);
    // It is known for its own account alone.
    expect((await browser.signIn(colleague.email)).status).toBe(429);
    expect((await browser.post("sign-out")).status).toBe(200);
  });

  test("has its own limit of guesses, which delays no other browser", async () => {
    const { staff, browser } = await known();
    for (let i = 0; i < 5; i++)
      expect((await browser.signIn(staff.email, "not the password")).status).toBe(401);
    await prolong();
    expect((await browser.signIn(staff.email)).status).toBe(429);
    expect((await openBrowser(app).signIn(staff.email)).status).toBe(200);
  });

  test("is recognized by a cookie that scripts and other sites can't read; a forged, foreign or old cookie is ignored", async () => {
    const { staff, browser } = await known();
    const other = await known();
    await guesses(staff.email, 6);
    await prolong();
    const [name, value] = [...browser.jar].find(([key]) => key.includes("known_")) as [string, string];
    const others = [...other.browser.jar].find(([key]) => key.includes("known_"))?.[1] as string;
    const [since, signature] = value.split(".") as [string, string];
    const aYearAgo = vi.spyOn(Date, "now").mockReturnValueOnce(Date.now() - 366 * 86_400_000);
    const [, old = ""] = /=([^;]+)/.exec(knownDeviceCookie(app, staff.id)) ?? [];
    aYearAgo.mockRestore();
    const forged = [`${since}.${"A".repeat(43)}`, `${Number(since) + 1}.${signature}`, `${since}.`];
    for (const wrong of [others, old, ...forged, "%ff", ""]) {
      const stranger = openBrowser(app);
      stranger.jar.set(name, wrong);
      expect((await stranger.signIn(staff.email)).status, wrong).toBe(429);
    }
    const set = (await browser.signIn(staff.email)).headers
      .getSetCookie()
      .find((line) => line.startsWith(name));
    expect(set).toMatch(/; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
  });
});

test("S5: guesses from one IPv6 network of 64 bits lock that network out", async () => {
  for (let i = 0; i < 20; i++) await guess(`anybody${i}@lovelace.org`, `2001:db8:77:1::${i}`);
  expect((await guess("anybody@lovelace.org", "2001:db8:77:1::ffff")).status).toBe(429);
  expect((await guess("anybody30@lovelace.org", "2001:db8:77:2::1")).status).toBe(401);
});

test("a wrong current password counts as a guess at the account; signed-in staff are not limited by address", async () => {
  const { browser } = await known();
  const change = { currentPassword: "not the password", newPassword: "another long password" };
  for (let i = 0; i < 5; i++) expect((await browser.post("change-password", change)).status).toBe(422);
  await prolong();
  const rejected = await browser.post("change-password", { ...change, currentPassword: PASSWORD });
  expect(rejected.status).toBe(429);
});

describe("a sign-in in an unknown browser", () => {
  const longAgo = new Date(Date.now() - 86_400_000);

  test("is emailed to the person once an hour, and is in the audit log", async () => {
    const { id, email } = await addStaff(app);
    await app.db.staffMember.update({ where: { id }, data: { createdAt: longAgo } });
    const browser = openBrowser(app, "2001:db8:77:3:4::5");
    expect((await browser.signIn(email)).status).toBe(200);
    await browser.signIn(email);
    await openBrowser(app).signIn(email);
    const [mail, ...more] = await noticesTo(id);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ toEmail: email, subject: "A sign-in to Rollcall on a new device" });
    expect(mail?.text).toMatch(/ UTC, with Firefox on Linux, from the network 2001:db8:77:\*\./);
    expect(await entriesOf("staff.new_device", id)).toMatchObject([{ actorKind: "staff", actorId: id }]);
  });

  test("is not emailed to people who have just joined, or whose browser is known", async () => {
    const { staff, browser } = await known();
    await app.db.staffMember.update({ where: { id: staff.id }, data: { createdAt: longAgo } });
    await browser.signIn(staff.email);
    expect(await noticesTo(staff.id)).toEqual([]);
  });
});
