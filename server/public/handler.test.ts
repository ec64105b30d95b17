import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppContext, createApp } from "../app";
import { loadConfig } from "../config";
import { makeLog } from "../kernel/log";
import { makeSetupLink } from "../newsletters/set-up";
import { createTestDatabase, type TestDatabase } from "../test/database";
import { openDatabaseLine } from "../test/database-line";
import { addLinkedPerson, addNewsletter } from "../test/linked-person";
import { handlePublic } from "./handler";

const SECRET = "a secret for tests that is long enough";
const APP_URL = "https://list.example.org";
const CALLER = "203.0.113.7";

let database: TestDatabase;
let app: AppContext;
/** The app under test; another one when the database is unreachable. */
let current: AppContext;
let newsletterId: string;

const open = (url: string) => {
  const config = loadConfig({ LOG_LEVEL: "silent", APP_URL });
  return createApp(config, url, [SECRET], makeLog(config));
};

beforeAll(async () => {
  database = await createTestDatabase();
  app = await open(database.url);
  current = app;
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

function ask(path: string, init: RequestInit = {}) {
  const url = path.startsWith("http") ? path : `${APP_URL}${path}`;
  return handlePublic(current, new Request(url, init), CALLER);
}
const post = (path: string, fields: Record<string, string>, headers?: Record<string, string>) =>
  ask(path, { method: "POST", body: new URLSearchParams(fields), headers });

/** Fails unless the answer is one of our pages with all its security headers. */
async function pageOf(response: Response, status: number): Promise<string> {
  const text = await response.text();
  expect([response.status, text.slice(0, 15)]).toEqual([status, "<!doctype html>"]);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
  });
  return text;
}

test("the link of a test mail says what it is, in the reader's language, and does nothing", async () => {
  const path = app.links.exampleUrl.slice(APP_URL.length);
  expect(await pageOf(await ask(path), 200)).toContain("is from a test email");
  const french = await ask(path, { headers: { "accept-language": "fr-CA,fr;q=0.9" } });
  expect(await pageOf(french, 200)).toContain("vient d’un message d’essai");
  await pageOf(await post(path, { action: "confirm" }), 200);
});

describe("/setup", () => {
  let path: string;
  beforeAll(async () => {
    path = (await makeSetupLink(app)).slice(APP_URL.length);
  });
  const good = {
    account: "Lovelace & Co",
    newsletter: "Weekly",
    email: "ada@lovelace.org",
    password: "correct horse",
  };

  test.each([
    ["", "/setup"],
    ["wrong", "/setup?token=wrong"],
    ["long", `/setup?token=${"x".repeat(5_000)}`],
  ])("a %s token opens nothing and creates nothing", async (_, wrong) => {
    expect(await pageOf(await ask(wrong), 404)).toContain("set-up link doesn’t work");
    await pageOf(await post(wrong, good), 404);
    expect(await app.db.account.count()).toBe(0);
  });

  test("opening the link shows the form and creates nothing", async () => {
    expect(await pageOf(await ask(path), 200)).toContain('name="password"');
    expect(await app.db.account.count()).toBe(0);
  });

  test("says what is wrong at its field, keeps the values and never the password", async () => {
    const text = await pageOf(
      await post(path, { ...good, email: "ada", newsletter: '"><b>', password: "hunter2" }),
      422,
    );
    expect(text).toContain("exactly one @ sign");
    expect(text).toContain("at least 10 characters");
    expect(text).toContain('value="Lovelace &amp; Co"');
    expect(text).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect(text).not.toContain("hunter2");
    expect(await app.db.account.count()).toBe(0);
  });

  test("every link that was printed works, by whichever process, for an hour", async () => {
    const other = await open(database.url);
    const again = (await makeSetupLink(other)).slice(APP_URL.length);
    expect(again).not.toBe(path);
    for (const printed of [path, again]) await pageOf(await ask(printed), 200);
    await app.db.$executeRaw`
      UPDATE staff_verifications SET expires_at = expires_at - interval '1 hour' WHERE created_at = (SELECT max(created_at) FROM staff_verifications)`;
    await pageOf(await ask(again), 404);
    await pageOf(await post(again, good), 404);
    await pageOf(await ask(path), 200);
    await other.close();
  });

  test("the database holds no token, only what one is known by", async () => {
    const token = new URL(path, APP_URL).searchParams.get("token") as string;
    const rows = await app.db.staffVerification.findMany();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("two people at once: one gets the installation and its key, the other a calm page, and the link is used up", async () => {
    const answers = await Promise.all([post(path, good), post(path, { ...good, email: "eve@lovelace.org" })]);
    const winner = answers.find((answer) => answer.status === 200);
    const loser = answers.find((answer) => answer !== winner);
    const text = await pageOf(winner as Response, 200);
    await pageOf(loser as Response, 404);
    expect(text).toMatch(/<pre>sk_[0-9A-Za-z]{32}<\/pre>/);
    expect(text).toContain(`curl &#x27;${APP_URL}/api/v1/subscribers&#x27;`);
    await pageOf(await ask(path), 404);
    await pageOf(await post(path, good), 404);
    expect(await app.db.account.count()).toBe(1);
    expect(await app.db.staffVerification.count()).toBe(0);
    await expect(makeSetupLink(app)).rejects.toMatchObject({ code: "validation_error" });
    expect(await app.db.auditEntry.findFirst({ where: { action: "account.created" } })).toMatchObject({
      actorKind: "link",
      address: CALLER,
    });
  });
});

describe("/confirm/{token}", () => {
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

  test("GET and HEAD show how things stand and change nothing", async () => {
    const { url, email, status } = await link();
    const text = await pageOf(await ask(url), 200);
    expect(text).toContain("&lt;i&gt;Weekly&lt;/i&gt;");
    expect(text).toContain(email);
    const head = await ask(url, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    expect(await status()).toBe("pending");
  });

  test("the button confirms, from the address that pressed it; a second press says so", async () => {
    const { url, subscriberId, status } = await link();
    expect(await pageOf(await post(url, { action: "confirm" }), 200)).toContain("You’re on the list.");
    expect(await status()).toBe("active");
    expect(await app.db.subscriberEvent.findMany({ where: { subscriberId } })).toMatchObject([
      { address: CALLER },
    ]);
    expect(await pageOf(await post(url, { action: "confirm" }), 200)).toContain("already on the list");
  });

  test("a slash at the end of the link does no harm", async () => {
    const { url, status } = await link();
    await pageOf(await post(`${url}/`, { action: "confirm" }), 200);
    expect(await status()).toBe("active");
  });

  test("'this wasn't me' removes the person; a second press and the link say so", async () => {
    const { url, status } = await link();
    expect(await pageOf(await post(url, { action: "deny" }), 200)).toContain("Your address was removed");
    expect(await status()).toBeNull();
    expect(await pageOf(await post(url, { action: "deny" }), 200)).toContain("already removed");
    expect(await pageOf(await ask(url), 200)).toContain("already removed");
  });

  test("an expired link says so and sends a new one on a press", async () => {
    const { url, subscriberId, status } = await link({ expiresInMs: -2_000, state: "failed" });
    expect(await pageOf(await ask(url), 410)).toContain('value="renew"');
    expect(await pageOf(await post(url, { action: "confirm" }), 410)).toContain("has expired");
    expect(await pageOf(await post(url, { action: "renew" }), 200)).toContain("on its way");
    expect(await pageOf(await post(url, { action: "renew" }), 410)).toContain("newer one was sent");
    expect(await status()).toBe("pending");
    expect(await app.db.mail.count({ where: { subscriberId, state: "waiting" } })).toBe(1);
  });

  test.each([
    ["half a link", (url: string) => url.slice(0, -20)],
    ["a forged link", (url: string) => `${url.slice(0, -4)}AAAA`],
    ["a longer path", (url: string) => `${url}/more`],
    ["no token", () => "/confirm/"],
    ["nothing of ours", () => "/elsewhere"],
    ["bytes that are no text", () => "/confirm/%ff%00"],
  ])("%s is a page that says so, for every verb", async (_, change) => {
    const { url, status } = await link();
    expect(await pageOf(await ask(change(url)), 404)).toContain("This link doesn’t work");
    await pageOf(await post(change(url), { action: "confirm" }), 404);
    expect(await status()).toBe("pending");
  });

  test("a link of a newsletter that is gone is not found", async () => {
    const claims = await link();
    await pageOf(await ask(app.links.confirmationUrl({ ...claims, newsletterId: uuidv7() })), 404);
  });

  test.each([
    ["no button", { method: "POST", body: new URLSearchParams() }, 422],
    ["an unknown button", { method: "POST", body: new URLSearchParams({ action: "toString" }) }, 422],
    [
      "no form",
      { method: "POST", body: '{"action":"confirm"}', headers: { "content-type": "application/json" } },
      415,
    ],
    ["no body", { method: "POST" }, 415],
    [
      "a huge form",
      { method: "POST", body: new URLSearchParams({ action: "confirm", x: "x".repeat(20_000) }) },
      413,
    ],
    ["another verb", { method: "PUT", body: "action=confirm" }, 405],
    ["a DELETE", { method: "DELETE" }, 405],
  ])("%s decides nothing and gets a page", async (_, init, expected) => {
    const { url, status } = await link();
    const response = await ask(url, init);
    if (expected === 405) expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
    await pageOf(response, expected);
    expect(await status()).toBe("pending");
  });

  test("pages that know of no newsletter are in the reader's language, the others in the newsletter's", async () => {
    const { url } = await link();
    const german = { headers: { "accept-language": "de-DE,de;q=0.9" } };
    expect(await pageOf(await ask("/confirm/x", german), 404)).toContain('<html lang="de">');
    expect(await pageOf(await ask(url, german), 200)).toContain('<html lang="en">');
  });

  test("says that nothing was changed while the database is away, and comes back with it", async () => {
    const { url, status } = await link();
    const away = await open("postgresql://postgres@127.0.0.1:9/nowhere");
    current = away;
    try {
      for (const response of [
        await ask(url),
        await post(url, { action: "confirm" }),
        await ask("/setup?token=x"),
      ]) {
        if (response.status === 404) continue; // a wrong set-up token is told without asking the database
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
        expect(await pageOf(response, 503)).toContain("nothing was changed");
      }
    } finally {
      current = app;
      await away.close();
    }
    expect(await status()).toBe("pending");
    await pageOf(await post(url, { action: "confirm" }), 200);
  });

  test("says that it is not known whether it was done when the database falls silent in the middle", async () => {
    const { url, status } = await link();
    const line = await openDatabaseLine(database.url);
    const silent = await open(line.url);
    current = silent;
    try {
      await pageOf(await ask(url), 200);
      line.silence();
      expect(await pageOf(await post(url, { action: "confirm" }), 503)).toContain(
        "not known whether your change was saved",
      );
      expect(await pageOf(await post(url, { action: "confirm" }), 503)).toContain("nothing was changed");
      expect(await pageOf(await ask(url), 503)).toContain("nothing was changed");
    } finally {
      current = app;
      line.fix();
      await silent.close();
      line.close();
    }
    expect(["pending", "active"]).toContain(await status());
  });

  test("a fault of ours is a page with a number to report, and says nothing of the inside", async () => {
    const { url } = await link();
    const broken = {
      ...app,
      links: {
        ...app.links,
        readConfirmation: () => {
          throw new Error("secret inside");
        },
      },
    };
    current = broken;
    try {
      const response = await ask(url);
      const text = await pageOf(response, 500);
      expect(text).toContain(response.headers.get("x-request-id"));
      expect(text).not.toContain("secret inside");
    } finally {
      current = app;
    }
  });
});
