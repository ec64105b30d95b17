import { v7 as uuidv7 } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { makeSetupLink } from "../newsletters/set-up";
import { findSignedIn } from "../staff/sign-in/staff-session";
import { openDatabaseLine } from "../test/database-line";
import { addLinkedPerson, addNewsletter } from "../test/linked-person";
import {
  APP_URL,
  app,
  ask,
  CALLER,
  database,
  openApp,
  openAppForTests,
  pageOf,
  post,
} from "../test/public-pages";

openAppForTests();

test("the link of a test email explains itself in the reader's language and does nothing", async () => {
  const path = app.links.exampleUrl.slice(APP_URL.length);
  expect(await pageOf(await ask(path))).toContain("is from a test email");
  const french = await ask(path, { headers: { "accept-language": "fr-CA,fr;q=0.9" } });
  expect(await pageOf(french, 200)).toContain("vient d’un message d’essai");
  await pageOf(await post(path, { action: "confirm" }));
});

describe("/setup", () => {
  let path: string;
  beforeAll(async () => {
    path = (await makeSetupLink(app)).slice(APP_URL.length);
  });
  const good = {
    account: "Lovelace & Co",
    newsletter: "Weekly",
    name: "Ada Lovelace",
    email: "ada@lovelace.org",
    password: "correct horse",
  };

  test.each([
    ["no token", "/setup"],
    ["a wrong token", "/setup?token=wrong"],
    ["a long token", `/setup?token=${"x".repeat(5_000)}`],
  ])("%s opens nothing and creates nothing", async (_, wrong) => {
    expect(await pageOf(await ask(wrong), 404)).toContain("set-up link doesn’t work");
    await pageOf(await post(wrong, good), 404);
    expect(await app.db.account.count()).toBe(0);
  });

  test("errors are shown at their fields with the entered values, without the password", async () => {
    expect(await pageOf(await ask(path))).toContain('name="password"');
    const wrong = { ...good, email: "ada", newsletter: '"><b>', password: "hunter2" };
    const text = await pageOf(await post(path, wrong), 422);
    expect(text).toContain("exactly one @ sign");
    expect(text).toContain("at least 10 characters");
    expect(text).toContain('value="Lovelace &amp; Co"');
    expect(text).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect(text).not.toContain("hunter2");
    const guessable = { ...good, password: "Lovelace2026" };
    expect(await pageOf(await post(path, guessable), 422)).toContain("too similar");
    expect(await app.db.account.count()).toBe(0);
  });

  test("every printed link works in every process for an hour, and the database has no token", async () => {
    const other = await openApp(database.url);
    const again = (await makeSetupLink(other)).slice(APP_URL.length);
    await other.close();
    for (const printed of [path, again]) await pageOf(await ask(printed));
    const token = new URL(path, APP_URL).searchParams.get("token") as string;
    expect(JSON.stringify(await app.db.staffVerification.findMany())).not.toContain(token);
    await app.db.$executeRaw`
      UPDATE staff_verifications SET expires_at = expires_at - interval '1 hour' WHERE created_at = (SELECT max(created_at) FROM staff_verifications)`;
    await pageOf(await post(again, good), 404);
    await pageOf(await ask(path));
  });

  test("of two requests at once, one gets the installation and is signed in, and the link is used up", async () => {
    const answers = await Promise.all([post(path, good), post(path, { ...good, email: "eve@lovelace.org" })]);
    const winner = answers.find((answer) => answer.status === 303);
    const loser = answers.find((answer) => answer !== winner);
    await pageOf(loser as Response, 404);
    expect(winner?.headers.get("location")).toBe("/");
    const cookie = (winner?.headers.getSetCookie() ?? []).map((set) => set.split(";")[0]).join("; ");
    expect(await findSignedIn(app, new Headers({ cookie }))).toMatchObject({
      name: "Ada Lovelace",
      role: "owner",
    });
    expect(await app.db.apiKey.count()).toBe(0);
    await pageOf(await ask(path), 404);
    await pageOf(await post(path, good), 404);
    expect(await app.db.account.count()).toBe(1);
    await expect(makeSetupLink(app)).rejects.toMatchObject({ code: "validation_error" });
    const entry = await app.db.auditEntry.findFirst({ where: { action: "account.created" } });
    expect(entry).toMatchObject({ actorKind: "link", address: CALLER });
  });
});

describe("/confirm/{token}", () => {
  let newsletterId: string;
  beforeAll(async () => {
    newsletterId = (await addNewsletter(app.db, { name: "<i>Weekly</i>" })).id;
  });

  async function link(options?: Parameters<typeof addLinkedPerson>[2]) {
    const claims = await addLinkedPerson(app.db, newsletterId, options);
    const url = app.links.confirmationUrl(claims);
    const status = async () =>
      (await app.db.subscriber.findFirst({ where: { id: claims.subscriberId }, select: { status: true } }))
        ?.status ?? null;
    return { ...claims, url, status };
  }

  test("GET and HEAD show the state and change nothing", async () => {
    const { url, email, status } = await link();
    const text = await pageOf(await ask(url));
    expect(text).toContain("&lt;i&gt;Weekly&lt;/i&gt;");
    expect(text).toContain(email);
    const head = await ask(url, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    expect(await status()).toBe("pending");
  });

  test("the button confirms and records the caller's address; a repeat says so", async () => {
    const { url, subscriberId, status } = await link();
    // A slash at the end does no harm.
    expect(await pageOf(await post(`${url}/`, { action: "confirm" }))).toContain("You’re on the list.");
    expect(await status()).toBe("active");
    expect(await app.db.subscriberEvent.findMany({ where: { subscriberId } })).toMatchObject([
      { address: CALLER },
    ]);
    expect(await pageOf(await post(url, { action: "confirm" }))).toContain("already on the list");
  });

  test("other buttons deny and renew", async () => {
    const denied = await link();
    expect(await pageOf(await post(denied.url, { action: "deny" }))).toContain("Your address was removed");
    expect(await pageOf(await ask(denied.url))).toContain("already removed");
    const expired = await link({ expiresInMs: -2_000, state: "failed" });
    expect(await pageOf(await ask(expired.url), 410)).toContain('value="renew"');
    expect(await pageOf(await post(expired.url, { action: "renew" }))).toContain("on its way");
    expect(await pageOf(await post(expired.url, { action: "renew" }), 410)).toContain("newer one was sent");
  });

  test.each<[string, (claims: Awaited<ReturnType<typeof link>>) => string]>([
    ["half a link", ({ url }) => url.slice(0, -20)],
    ["a longer path", ({ url }) => `${url}/more`],
    ["bytes that are no text", () => "/confirm/%ff%00"],
    [
      "a link of a deleted newsletter",
      (claims) => app.links.confirmationUrl({ ...claims, newsletterId: uuidv7() }),
    ],
  ])("%s gets an error page and changes nothing", async (_, change) => {
    const claims = await link();
    expect(await pageOf(await ask(change(claims)), 404)).toContain("This link doesn’t work");
    await pageOf(await post(change(claims), { action: "confirm" }), 404);
    expect(await claims.status()).toBe("pending");
  });

  test.each([
    ["an unknown button", { method: "POST", body: new URLSearchParams({ action: "toString" }) }, 422],
    [
      "no form",
      { method: "POST", body: '{"action":"confirm"}', headers: { "content-type": "application/json" } },
      415,
    ],
    [
      "a huge form",
      { method: "POST", body: new URLSearchParams({ action: "confirm", x: "x".repeat(20_000) }) },
      413,
    ],
    ["another verb", { method: "PUT", body: "action=confirm" }, 405],
  ])("%s gets a page and changes nothing", async (_, init, expected) => {
    const { url, status } = await link();
    const response = await ask(url, init);
    if (expected === 405) expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
    await pageOf(response, expected);
    expect(await status()).toBe("pending");
  });

  test("pages without a newsletter are in the reader's language, others in the newsletter's", async () => {
    const { url } = await link();
    const german = { headers: { "accept-language": "de-DE,de;q=0.9" } };
    expect(await pageOf(await ask("/confirm/x", german), 404)).toContain('<html lang="de">');
    expect(await pageOf(await ask(url, german))).toContain('<html lang="en">');
  });

  test("the page says that nothing was changed while the database is away", async () => {
    const { url, status } = await link();
    const current = await openApp("postgresql://postgres@127.0.0.1:9/nowhere");
    const form = { method: "POST", body: new URLSearchParams({ action: "confirm" }) };
    for (const init of [{}, form]) {
      const response = await ask(url, init, { current });
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await pageOf(response, 503)).toContain("nothing was changed");
    }
    await current.close();
    expect(await status()).toBe("pending");
  });

  test("the page says that the result is not known when the database falls silent during the change", async () => {
    const { url } = await link();
    const line = await openDatabaseLine(database.url);
    const current = await openApp(line.url);
    const form = () => ({ method: "POST", body: new URLSearchParams({ action: "confirm" }) });
    try {
      await pageOf(await ask(url, {}, { current }));
      line.silence();
      const unknown = await pageOf(await ask(url, form(), { current }), 503);
      expect(unknown).toContain("not known whether your change was saved");
      expect(await pageOf(await ask(url, form(), { current }), 503)).toContain("nothing was changed");
    } finally {
      line.fix();
      await current.close();
      line.close();
    }
  });

  test("a bug gets a page with an id to report, and nothing of the inside", async () => {
    const { url } = await link();
    const readConfirmation = () => {
      throw new Error("secret inside");
    };
    const current = { ...app, links: { ...app.links, readConfirmation } };
    const response = await ask(url, {}, { current });
    const text = await pageOf(response, 500);
    expect(text).toContain(response.headers.get("x-request-id"));
    expect(text).not.toContain("secret inside");
  });
});
