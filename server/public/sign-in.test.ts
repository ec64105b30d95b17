import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { newId } from "../kernel/ids";
import { askForEmail } from "../staff/own-account";
import { insertInvitation } from "../staff/queries/invitations";
import { findSignedIn } from "../staff/sign-in/staff-session";
import { codeOf } from "../test/authenticator";
import { app, openHttpAppForTests } from "../test/http-app";
import { addStaff, openBrowser, openSignedIn, PASSWORD } from "../test/staff-browser";
import { handlePublic } from "./handler";

const ORGANISATION = { OIDC_ISSUER: "http://127.0.0.1:1", OIDC_CLIENT_ID: "x", OIDC_CLIENT_SECRET: "y" };

openHttpAppForTests({
  RESEND_API_KEY: "re_test",
  MAIL_FROM: "Rollcall <hello@list.example>",
  ...ORGANISATION,
});

type Browser = ReturnType<typeof openBrowser>;

const NEW = "another long password";
const whoIs = async (browser: Browser) => (await findSignedIn(app, browser.headers()))?.id ?? null;
const placeOf = (response: Response) => [response.status, response.headers.get("location")];

/** Fails unless the answer is a page with this status. @returns its HTML */
async function pageOf(response: Response, status = 200): Promise<string> {
  const html = await response.text();
  expect([response.status, html.slice(0, 15)], html).toEqual([status, "<!doctype html>"]);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cache-control": "no-store",
    "x-robots-tag": "noindex, nofollow",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
  });
  return html;
}

describe("/sign-in", () => {
  test("signs in by password, records it as the endpoint does, and opens the requested page", async () => {
    const staff = await addStaff(app);
    const browser = openBrowser(app, "2001:db8:aaaa::1");
    const path = "/sign-in?next=%2Fn%2F1%2Fpeople%3Fq%3Da";
    const html = await pageOf(await browser.open(path));
    expect(html).toMatch(/<input id="email"[^>]*autocomplete="username"/i);
    expect(html).toMatch(/<input id="password"[^>]*type="password"[^>]*autocomplete="current-password"/i);
    const answer = await browser.send(path, { email: staff.email.toUpperCase(), password: PASSWORD });
    expect(placeOf(answer)).toEqual([303, "/n/1/people?q=a"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await whoIs(browser)).toBe(staff.id);
    const entries = await app.db.auditEntry.findMany({ where: { subjectId: staff.id } });
    expect(entries).toMatchObject([
      { action: "staff.signed_in", actorKind: "staff", address: "2001:db8:aaaa::1" },
    ]);
    const session = await app.db.staffSession.findFirst({ where: { staffId: staff.id } });
    expect(session).toMatchObject({
      userAgent: expect.stringContaining("Firefox"),
      ipAddress: expect.anything(),
    });
    // Staff who are signed in need no form.
    expect(placeOf(await browser.open(path))).toEqual([303, "/n/1/people?q=a"]);
    const head = new Request(`${app.appUrl}${path}`, { method: "HEAD", headers: browser.headers() });
    expect(placeOf(await handlePublic(app, head, null))).toEqual([303, "/n/1/people?q=a"]);
  });

  test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "evil", "javascript:alert(1)"])(
    "never leads to another site: %s",
    async (next) => {
      const { browser, staff } = await openSignedIn(app);
      const path = `/sign-in?next=${encodeURIComponent(next)}`;
      expect(placeOf(await browser.open(path))).toEqual([303, "/"]);
      const sent = { email: staff.email, password: PASSWORD };
      expect(placeOf(await browser.send(path, sent))).toEqual([303, "/"]);
    },
  );

  test("after a wrong password shows why in the reader's language, and keeps the address, not the password", async () => {
    const { email } = await addStaff(app);
    const browser = openBrowser(app);
    const german = { "Accept-Language": "de" };
    const sent = { email, password: "not the password" };
    const html = await pageOf(await browser.send("/sign-in", sent, german), 401);
    expect(html).toMatch(/role="alert" id="problem">E-Mail oder Passwort falsch/);
    expect(html).toContain(`value="${email}"`);
    expect(html).not.toContain(sent.password);
    expect(html).toMatch(/<input id="password"[^>]*aria-describedby="problem"/);
    expect(html.match(/autofocus/gi)).toHaveLength(1);
    expect(html).toMatch(/<input id="password"[^>]*autofocus/i);
    expect(browser.jar.size).toBe(0);
    expect(await pageOf(await browser.send("/sign-in", { email, password: "" }), 422)).toContain(
      "Enter your email and password.",
    );
  });

  test("waits after five wrong passwords, also with the right one", async () => {
    const { email } = await addStaff(app);
    const wrong = { email, password: "not the password" };
    for (let i = 0; i < 5; i++) await pageOf(await openBrowser(app).send("/sign-in", wrong), 401);
    await app.db.$executeRaw`UPDATE staff_tries SET next_at = next_at + interval '119 seconds'`;
    const answer = await openBrowser(app).send("/sign-in", { email, password: PASSWORD });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(60);
    expect(await pageOf(answer, 429)).toContain("Too many failed sign-ins to this account. Wait 2 minutes");
  });

  test.each([
    ["another site", { Origin: "https://evil.example" }],
    ["no page", { Origin: "null" }],
  ])("takes no form of %s", async (_, from) => {
    const { email } = await addStaff(app);
    const browser = openBrowser(app);
    const answer = await browser.send("/sign-in", { email, password: PASSWORD }, from);
    expect(await pageOf(answer, 403)).toContain("did not come from a page of Rollcall");
    expect(browser.jar.size).toBe(0);
  });

  test("lets the browser name the Origin, and runs only its own script", async () => {
    const answer = await openBrowser(app).open("/sign-in");
    expect(answer.headers.get("referrer-policy")).toBe("same-origin");
    const policy = answer.headers.get("content-security-policy") ?? "";
    const html = await pageOf(answer);
    const scripts = Array.from(html.matchAll(/<script[^>]*>(.*?)<\/script>/gs), ([, script]) => script ?? "");
    expect(scripts).toHaveLength(1);
    const digest = createHash("sha256")
      .update(scripts[0] as string)
      .digest("base64");
    expect(policy).toContain(`script-src 'sha256-${digest}'; connect-src 'self';`);
    expect(policy).not.toMatch(/unsafe|script-src 'self'/);
    expect(html).not.toMatch(/<script src|\son\w+=|https?:\/\/(?!www\.w3\.org)/i);
    // Without scripts the button for passkeys can't work.
    expect(html).toMatch(/<form[^>]*id="passkey"[^>]*hidden/);
  });

  test("offers the organisation's sign-in, and explains its failure", async () => {
    const browser = openBrowser(app);
    expect(await pageOf(await browser.open("/sign-in"))).toContain('value="oidc"');
    expect(await pageOf(await browser.open("/sign-in?oidc=failed"))).toContain("You were not signed in.");
    // Nothing answers at the issuer's address.
    const answer = await browser.send("/sign-in", { way: "oidc" });
    expect(await pageOf(answer, 503)).toContain("sign-in can&#x27;t be reached");
    expect(answer.headers.get("retry-after")).toBe("10");
  });

  test("rejects an answer of no passkey", async () => {
    for (const passkey of ["", "{", '{"id":"x"}'])
      expect(await pageOf(await openBrowser(app).send("/sign-in", { passkey }), 400)).toMatch(/role="alert"/);
  });
});

describe("the second step of /sign-in", () => {
  let email: string;
  let id: string;
  let secret: string;
  let recovery: string[];
  beforeAll(async () => {
    // A code lives for half a minute, and a busy machine may take longer between two lines of a test.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const { staff, browser } = await openSignedIn(app);
    ({ email, id } = staff);
    const enabled = await browser.post("two-factor/enable", { password: PASSWORD });
    const { totpURI, backupCodes } = (await enabled.json()) as { totpURI: string; backupCodes: string[] };
    secret = new URL(totpURI).searchParams.get("secret") as string;
    recovery = backupCodes;
    const code = codeOf(secret, Date.now() - 30_000);
    expect((await browser.post("two-factor/confirm", { code })).status).toBe(200);
    return () => vi.useRealTimers();
  });

  /** A browser that has sent the right password. @returns it, and the path that it is led to */
  async function openStep() {
    const browser = openBrowser(app);
    const answer = await browser.send("/sign-in?next=%2Fn%2F1", { email, password: PASSWORD });
    const path = answer.headers.get("location") as string;
    expect([answer.status, path]).toEqual([303, "/sign-in?step=code&next=%2Fn%2F1"]);
    expect(await whoIs(browser)).toBe(null);
    return { browser, path };
  }

  test("takes the code of the app after the password", async () => {
    const { browser, path } = await openStep();
    expect(await pageOf(await browser.open(path))).toMatch(
      /<input id="code"[^>]*autocomplete="one-time-code"[^>]*inputmode="numeric"/i,
    );
    const wrong = await pageOf(await browser.send(path, { code: "123 456" }), 422);
    expect(wrong).toMatch(/role="alert" id="problem">This code is wrong/);
    expect(await whoIs(browser)).toBe(null);
    const code = codeOf(secret).replace(/(...)/, "$1 ");
    expect(placeOf(await browser.send(path, { code }))).toEqual([303, "/n/1"]);
    expect(await whoIs(browser)).toBe(id);
  });

  test("takes each recovery code once", async () => {
    const code = recovery[0] as string;
    for (const works of [true, false]) {
      const { browser, path } = await openStep();
      const html = await pageOf(await browser.open(path));
      const other = /<a href="([^"]+)">Use a recovery code/
        .exec(html)?.[1]
        ?.replaceAll("&amp;", "&") as string;
      expect(await pageOf(await browser.open(other))).toContain("Use the app instead");
      const answer = await browser.send(other, { code });
      if (works) expect(placeOf(answer)).toEqual([303, "/n/1"]);
      else expect(await pageOf(answer, 422)).toContain("This recovery code is wrong");
      expect(await whoIs(browser)).toBe(works ? id : null);
    }
  });

  test("says so without a password before it", async () => {
    const answer = await openBrowser(app).send("/sign-in?step=code", { code: codeOf(secret) });
    expect(await pageOf(answer, 401)).toContain("Start again with your password.");
  });
});

describe("/join/{token}", () => {
  async function invite(role = "editor") {
    const { accountId, id: invitedBy } = await addStaff(app);
    await app.db.staffMember.update({ where: { id: invitedBy }, data: { role: "owner" } });
    const id = newId();
    const { url, digest } = app.links.invitationLink(id);
    const email = `${id}@navy.mil`;
    await insertInvitation(app.db as never, {
      id,
      accountId,
      email,
      role: role as "editor",
      digest,
      invitedBy,
    });
    return { path: url.slice(app.appUrl.length), email, accountId };
  }
  const joining = { name: "Grace Hopper", password: NEW };

  test("makes the person staff once and signs them in", async () => {
    const { path, email, accountId } = await invite();
    const browser = openBrowser(app);
    const html = await pageOf(await browser.open(path));
    expect(html).toContain(`You are invited as an editor and will sign in as <b>${email}</b>.`);
    expect(html).toMatch(/<input[^>]*autoComplete="username"[^>]*hidden[^>]*@navy\.mil"/);
    const wrong = await pageOf(await browser.send(path, { name: "Grace", password: "hunter2" }), 422);
    expect(wrong).toMatch(/id="password-wrong">[^<]*at least 10 characters/);
    expect(wrong).toContain('value="Grace"');
    expect(wrong).not.toContain("hunter2");
    expect(placeOf(await browser.send(path, joining))).toEqual([303, "/"]);
    const member = await app.db.staffMember.findFirstOrThrow({ where: { email } });
    expect(member).toMatchObject({ accountId, role: "editor", name: "Grace Hopper" });
    expect(await whoIs(browser)).toBe(member.id);
    const actions = await app.db.auditEntry.findMany({
      where: { subjectId: member.id },
      orderBy: { id: "asc" },
    });
    expect(actions.map(({ action }) => action)).toEqual(["staff.joined", "staff.signed_in"]);
    for (const again of [await browser.open(path), await browser.send(path, joining)])
      expect(await pageOf(again, 404)).toContain("This invitation no longer works");
  });

  test("makes nobody staff for a form of another site", async () => {
    const { path, email } = await invite("owner");
    const browser = openBrowser(app);
    const answer = await browser.send(path, joining, { Origin: "https://evil.example" });
    expect(await pageOf(answer, 403)).toContain("did not come from a page of Rollcall");
    expect(await app.db.staffMember.count({ where: { email } })).toBe(0);
    expect(placeOf(await browser.send(path, joining))).toEqual([303, "/"]);
  });
});

describe("/forgot, /reset/{token} and /confirm-email/{token}", () => {
  /** The path of the link in a staff member's email. */
  async function linkTo(staffId: string): Promise<string> {
    const find = () => app.db.mail.findMany({ where: { staffId, kind: "notice" }, orderBy: { id: "desc" } });
    await expect.poll(async () => (await find()).length).toBeGreaterThan(0);
    const link = /\/(?:reset|confirm-email)\/[\w-]{32}/.exec((await find())[0]?.text ?? "");
    return link?.[0] as string;
  }

  test("mail a link that sets a new password once", async () => {
    const { staff, browser } = await openSignedIn(app);
    const other = openBrowser(app);
    await pageOf(await other.open("/forgot"));
    const asked = await pageOf(await other.send("/forgot", { email: staff.email }));
    expect(asked).toContain(`role="status">If an account uses <b>${staff.email}</b>`);
    const unknown = await pageOf(await other.send("/forgot", { email: "x@nowhere.org" }));
    expect(unknown).toBe(asked.replaceAll(staff.email, "x@nowhere.org"));
    const path = await linkTo(staff.id);
    for (let i = 0; i < 2; i++) {
      const answer = await other.open(path);
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(await pageOf(answer)).toContain(staff.email);
    }
    expect(await pageOf(await other.send(path, { password: "password123" }), 422)).toContain(
      "This is one of the most common passwords.",
    );
    // The token grants the right to post.
    expect(await pageOf(await other.send(path, { password: NEW }, { Origin: "null" }))).toContain(
      "Password changed",
    );
    expect(await whoIs(browser)).toBe(null);
    expect(await pageOf(await other.send(path, { password: NEW }), 404)).toContain(
      "This link no longer works",
    );
    const sent = { email: staff.email, password: NEW };
    expect(placeOf(await other.send("/sign-in", sent))).toEqual([303, "/"]);
  });

  test("need an address, our own form, and no more than three requests an hour", async () => {
    const browser = openBrowser(app);
    const send = (email: string, more = {}) => browser.send("/forgot", { email }, more);
    expect(await pageOf(await send(" "), 422)).toMatch(/id="email-wrong"/);
    expect(await pageOf(await send("y@nowhere.org", { Origin: "null" }), 403)).toMatch(/role="alert"/);
    for (let i = 0; i < 3; i++) await pageOf(await send("y@nowhere.org"));
    const answer = await send("y@nowhere.org");
    expect(answer.headers.get("retry-after")).toBe("3600");
    expect(await pageOf(answer, 429)).toContain("another one in 60 minutes");
  });

  test("change the sign-in address", async () => {
    const { staff, browser } = await openSignedIn(app);
    const actor = { kind: "staff", ...staff, role: "editor", address: null } as const;
    const email = `new.${staff.email}`;
    await askForEmail({ ...app, actor, requestId: "test" }, { ...staff, email });
    const path = await linkTo(staff.id);
    expect(await pageOf(await browser.open(path))).toContain(`You will sign in as <b>${email}</b>`);
    expect(await pageOf(await browser.send(path, {}))).toContain("Address changed");
    expect(await pageOf(await browser.open(path), 404)).toContain("Your sign-in address has not changed.");
    expect(await app.db.staffMember.count({ where: { email } })).toBe(1);
  });
});
