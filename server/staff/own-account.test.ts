import { describe, expect, test } from "vitest";
import { app, openHttpAppForTests } from "../test/http-app";
import { mailedBy } from "../test/mail-fixture-values";
import { addStaff, openBrowser, openSignedIn, proceduresFor } from "../test/staff-browser";
import { confirmEmail, readEmailLink } from "./own-account";
import { countResetMail, mailReset, readReset, resetPassword } from "./password-reset";
import { findSignedIn } from "./sign-in/staff-session";

const NEW = "another long password";
const settings = { RESEND_API_KEY: "re_test", MAIL_FROM: "Rollcall <hello@list.example>" };

openHttpAppForTests(settings);

let callers = 0;
/** The verbs for a person who isn't signed in. @param address their own, unless one is given */
function stranger(address = `192.0.2.${++callers}`) {
  const ctx = { ...app, actor: { kind: "link", address } as const, requestId: "test" };
  return {
    async forgot({ email }: { email: string }) {
      await countResetMail(app, { email, address });
      await mailReset(ctx, { email });
    },
    reset: (input: { token: string; password: string }) => resetPassword(ctx, input),
    confirmEmail: (input: { token: string }) => confirmEmail(ctx, input),
  };
}

const mailsTo = (staffId: string) =>
  app.db.mail.findMany({ where: { staffId, kind: "notice" }, orderBy: { id: "asc" } });
const actionsOf = async (subjectId: string) =>
  (await app.db.auditEntry.findMany({ where: { subjectId }, orderBy: { id: "asc" } })).map(
    ({ action, actorKind }) => `${actorKind} ${action}`,
  );

/** Waits until a staff member has this number of emails. @returns the token in the last email */
async function tokenOfMail(staffId: string, count = 1): Promise<string> {
  for (;;) {
    const mails = await mailsTo(staffId);
    if (mails.length >= count)
      return /\/(?:reset|confirm-email)\/([\w-]{32})/.exec(mails.at(-1)?.text ?? "")?.[1] as string;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function signedIn() {
  const { staff, browser } = await openSignedIn(app);
  return { staff, browser, own: proceduresFor(app, browser).own };
}
const isSignedIn = async (browser: ReturnType<typeof openBrowser>) =>
  (await findSignedIn(app, browser.headers())) !== null;

/** As if so many minutes had gone by. */
const wait = (minutes: number) =>
  app.db
    .$executeRaw`UPDATE staff_verifications SET expires_at = expires_at - make_interval(mins => ${minutes}::int)`;

describe("S5: a forgotten password", () => {
  test("is replaced through the emailed link: all sessions and other links end, the person is notified, and the audit log records it", async () => {
    const { staff, browser } = await signedIn();
    await stranger().forgot({ email: staff.email.toUpperCase() });
    const first = await tokenOfMail(staff.id);
    await stranger().forgot({ email: staff.email });
    const second = await tokenOfMail(staff.id, 2);
    expect(await readReset(app, { token: second })).toEqual({ email: staff.email });
    expect(await stranger().reset({ token: second, password: NEW })).toEqual({ email: staff.email });
    expect(await isSignedIn(browser)).toBe(false);
    expect((await openBrowser(app).signIn(staff.email)).status).toBe(401);
    expect((await openBrowser(app).signIn(staff.email, NEW)).status).toBe(200);
    for (const token of [first, second]) {
      await expect(stranger().reset({ token, password: "yet another password" })).rejects.toThrow(
        /was already used/,
      );
      expect(await readReset(app, { token })).toBe(null);
    }
    const mails = await mailsTo(staff.id);
    expect(mails.map(({ subject }) => subject)).toEqual([
      "Choose a new Rollcall password",
      "Choose a new Rollcall password",
      "Your Rollcall password was changed",
    ]);
    expect(await actionsOf(staff.id)).toEqual([
      "staff staff.signed_in",
      "link staff.reset_mailed",
      "link staff.reset_mailed",
      "link staff.password_reset",
      "staff staff.signed_in",
    ]);
  });

  test("is not replaced by a link older than 30 minutes, or by a link's digest from the database", async () => {
    const staff = await addStaff(app);
    await stranger().forgot({ email: staff.email });
    const token = await tokenOfMail(staff.id);
    const stored = await app.db.staffVerification.findMany();
    expect(JSON.stringify(stored)).not.toContain(token);
    const digest = stored.at(-1)?.identifier.split(" ").at(-1) as string;
    await expect(stranger().reset({ token: digest, password: NEW })).rejects.toMatchObject({
      code: "not_found",
    });
    await wait(30);
    expect(await readReset(app, { token })).toBe(null);
    await expect(stranger().reset({ token, password: NEW })).rejects.toThrow(/has expired/);
    expect((await openBrowser(app).signIn(staff.email)).status).toBe(200);
  });

  test("is not replaced by a rejected new password, and the link still works afterwards", async () => {
    const staff = await addStaff(app, "Grace Hopper");
    await stranger().forgot({ email: staff.email });
    const token = await tokenOfMail(staff.id);
    for (const password of ["short", "password123", "gracehopper1"])
      await expect(stranger().reset({ token, password })).rejects.toMatchObject({
        ...{ code: "validation_error", errors: { password: [expect.any(String)] } },
      });
    await stranger().reset({ token, password: NEW });
  });

  test("of an unknown address sends no email, and has the same answer and limits", async () => {
    const staff = await addStaff(app);
    const before = await app.db.mail.count();
    const course = async (email: string) => {
      const answers: unknown[] = [];
      for (let i = 0; i < 4; i++) {
        const asked = stranger().forgot({ email });
        answers.push(await asked.catch((error: Error) => error.message));
      }
      return answers;
    };
    const ofNobody = await course("nobody@nowhere.org");
    expect(ofNobody.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    expect(ofNobody[3]).toMatch(/another one in 60 minutes/);
    expect(await app.db.mail.count()).toBe(before);
    expect(await course(staff.email)).toEqual(ofNobody);
    await tokenOfMail(staff.id, 3);
    expect(await mailsTo(staff.id)).toHaveLength(3);
  });

  test("is emailed to at most ten accounts an hour for one caller address", async () => {
    const from = stranger("198.51.100.20");
    for (let i = 0; i < 10; i++) await from.forgot({ email: `nobody${i}@nowhere.org` });
    await expect(from.forgot({ email: "nobody11@nowhere.org" })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
  });
});

describe("one's own account", () => {
  test("has a supported language, or the browser's", async () => {
    const { staff, own } = await signedIn();
    const language = async () =>
      (await app.db.staffMember.findUniqueOrThrow({ where: { id: staff.id } })).language;
    await own.setLanguage({ language: "fr" });
    expect(await language()).toBe("fr");
    await expect(own.setLanguage({ language: "it" as "fr" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await own.setLanguage({ language: null });
    expect(await language()).toBe(null);
  });

  test("has a new name at once, and the audit log records it", async () => {
    const { staff, own } = await signedIn();
    await own.rename({ name: "  Grace Hopper " });
    expect(await app.db.staffMember.findUnique({ where: { id: staff.id } })).toMatchObject({
      name: "Grace Hopper",
    });
    await expect(own.rename({ name: "" })).rejects.toMatchObject({
      cause: { errors: { name: ["Enter a name."] } },
    });
    expect(await actionsOf(staff.id)).toEqual(["staff staff.signed_in", "staff staff.renamed"]);
  });

  test("has a new address after its emailed link is opened; the old address is notified, and its links end", async () => {
    const { staff, browser, own } = await signedIn();
    const email = `new.${staff.email}`;
    await own.changeEmail({ email });
    const token = await tokenOfMail(staff.id);
    expect(await mailsTo(staff.id)).toMatchObject([
      { toEmail: email, subject: "Confirm your new address for Rollcall" },
    ]);
    await stranger().forgot({ email: staff.email });
    const reset = await tokenOfMail(staff.id, 2);
    // Reading changes nothing.
    expect(await readEmailLink(app, { token })).toEqual({ email });
    expect((await openBrowser(app).signIn(staff.email)).status).toBe(200);
    expect(await stranger().confirmEmail({ token })).toEqual({ email });
    expect((await openBrowser(app).signIn(staff.email)).status).toBe(401);
    expect((await openBrowser(app).signIn(email)).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await mailsTo(staff.id)).at(-1)).toMatchObject({
      toEmail: staff.email,
      subject: "Your Rollcall sign-in address was changed",
    });
    const closed = { code: "not_found" };
    await expect(stranger().confirmEmail({ token })).rejects.toMatchObject(closed);
    await expect(stranger().reset({ token: reset, password: NEW })).rejects.toMatchObject(closed);
    expect(await actionsOf(staff.id)).toEqual(
      expect.arrayContaining(["staff staff.email_asked", "link staff.email_changed"]),
    );
  });

  test("does not get another staff member's address, even if it was taken after the email was sent", async () => {
    const { staff, own } = await signedIn();
    const other = await addStaff(app);
    await expect(own.changeEmail({ email: other.email })).rejects.toThrow(/already uses this address/);
    await expect(own.changeEmail({ email: staff.email })).rejects.toThrow(
      /This is already your sign-in address/,
    );
    const email = `late.${staff.email}`;
    await own.changeEmail({ email });
    const token = await tokenOfMail(staff.id);
    await app.db.staffMember.update({ where: { id: other.id }, data: { email } });
    await expect(stranger().confirmEmail({ token })).rejects.toThrow(/already uses this address/);
    expect(await app.db.staffMember.findUnique({ where: { id: staff.id } })).toMatchObject({
      email: staff.email,
    });
  });

  test("gets links for three addresses an hour, and each link ends after an hour", async () => {
    const { staff, own } = await signedIn();
    for (const i of [1, 2, 3]) await own.changeEmail({ email: `n${i}.${staff.email}` });
    await expect(own.changeEmail({ email: `n4.${staff.email}` })).rejects.toMatchObject({
      cause: { code: "rate_limit_exceeded" },
    });
    const token = await tokenOfMail(staff.id, 3);
    await wait(60);
    await expect(stranger().confirmEmail({ token })).rejects.toMatchObject({ code: "not_found" });
  });

  test("keeps its address and says so when email is not set up", async () => {
    const { staff, browser } = await signedIn();
    const { own } = proceduresFor({ ...app, mailService: mailedBy(null) }, browser);
    await expect(own.changeEmail({ email: `x.${staff.email}` })).rejects.toThrow(/Email is not set up/);
  });
});
