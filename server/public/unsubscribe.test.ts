import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppContext, createApp } from "../app";
import { loadConfig } from "../config";
import { newId } from "../kernel/ids";
import { makeLog } from "../kernel/log";
import { createTestDatabase, type TestDatabase } from "../test/database";
import { addLinkedPerson, addNewsletter, suppressAddress } from "../test/linked-person";
import { handlePublic } from "./handler";

const SECRET = "a secret for tests that is long enough";
const APP_URL = "https://list.example.org";
const CALLER = "203.0.113.7";
const ONE_CLICK = { "List-Unsubscribe": "One-Click" };

let database: TestDatabase;
let app: AppContext;
let newsletter: { id: string; accountId: string };

beforeAll(async () => {
  database = await createTestDatabase();
  const config = loadConfig({ LOG_LEVEL: "silent", APP_URL });
  app = await createApp(config, database.url, [SECRET], makeLog(config));
  newsletter = await addNewsletter(app.db, { name: "<i>Weekly</i>" });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const ask = (url: string, init: RequestInit = {}) => handlePublic(app, new Request(url, init), CALLER);
const post = (url: string, fields: Record<string, string>, headers?: Record<string, string>) =>
  ask(url, { method: "POST", body: new URLSearchParams(fields), headers });

async function pageOf(response: Response, status: number): Promise<string> {
  const text = await response.text();
  expect([response.status, text.slice(0, 15)]).toEqual([status, "<!doctype html>"]);
  for (const header of ["set-cookie", "location"]) expect(response.headers.get(header)).toBeNull();
  return text;
}

/** A person, their link, and all that is stored of them. */
async function link(options?: Parameters<typeof addLinkedPerson>[2], newsletterId = newsletter.id) {
  const claims = await addLinkedPerson(app.db, newsletterId, { status: "active", ...options });
  const { subscriberId } = claims;
  const row = () => app.db.subscriber.findFirst({ where: { newsletterId, id: subscriberId } });
  const events = () => app.db.subscriberEvent.findMany({ where: { subscriberId }, orderBy: { id: "asc" } });
  const mails = () => app.db.mail.findMany({ where: { subscriberId }, orderBy: { id: "asc" } });
  const all = async () => [await row(), await events(), await mails()];
  return { ...claims, url: app.links.unsubscribeUrl(claims), row, events, mails, all };
}

type Linked = Awaited<ReturnType<typeof link>>;

test("GET shows the newsletter and a button, and no address", async () => {
  const { url, email } = await link();
  const text = await pageOf(await ask(url), 200);
  expect(text).toContain("&lt;i&gt;Weekly&lt;/i&gt;");
  expect(text).toContain('value="unsubscribe"');
  expect(text).toContain("To resubscribe later, open this link again");
  // People forward emails with their links.
  expect(text).not.toContain(email);
});

test("the button unsubscribes, as an act of the person's own; a repeat says the same and changes nothing", async () => {
  const { url, row, events, all } = await link();
  expect(await pageOf(await post(url, { action: "unsubscribe" }), 200)).toContain("You are unsubscribed");
  expect(await row()).toMatchObject({ status: "unsubscribed", version: 2, unsubscribedAt: expect.any(Date) });
  expect(await events()).toMatchObject([
    { kind: "unsubscribed", actorKind: "link", actorId: null, address: CALLER },
  ]);
  const after = await all();
  for (let i = 0; i < 3; i++)
    expect(await pageOf(await post(url, { action: "unsubscribe" }), 200)).toContain("You are unsubscribed");
  expect(await pageOf(await ask(url), 200)).toContain("You are unsubscribed");
  expect(await all()).toEqual(after);
});

describe("one click of a mail program (RFC 8058)", () => {
  const multipart = () => {
    const body = new FormData();
    body.set("List-Unsubscribe", "One-Click");
    return body;
  };

  test.each([
    ["a form", () => new URLSearchParams(ONE_CLICK)],
    ["multipart", multipart],
  ])("as %s, from another site's server: 200, no redirect, no cookie", async (_, body) => {
    const { url, row, all } = await link();
    const request = () =>
      ask(url, { method: "POST", body: body(), headers: { Origin: "https://mail.example", Cookie: "a=b" } });
    await pageOf(await request(), 200);
    expect(await row()).toMatchObject({ status: "unsubscribed" });
    const after = await all();
    await pageOf(await request(), 200);
    expect(await all()).toEqual(after);
  });

  test("twenty at once unsubscribe once", async () => {
    const { url, row, events } = await link();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(url, ONE_CLICK)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await row()).toMatchObject({ status: "unsubscribed", version: 2 });
    expect(await events()).toHaveLength(1);
  });

  test("a multipart body that is broken, and one with a file for a value, decide nothing", async () => {
    const { url, row } = await link();
    const headers = { "Content-Type": "multipart/form-data; boundary=x" };
    await pageOf(await ask(url, { method: "POST", body: "--y\r\nnothing", headers }), 400);
    await pageOf(
      await ask(url, { method: "POST", body: "x", headers: { "Content-Type": "multipart/form-data" } }),
      400,
    );
    const file = new FormData();
    file.set("List-Unsubscribe", new File(["One-Click"], "a.txt"));
    await pageOf(await ask(url, { method: "POST", body: file }), 422);
    expect(await row()).toMatchObject({ status: "active" });
  });
});

test.each([
  ["no button", { method: "POST", body: new URLSearchParams() }, 422],
  ["an unknown button", { method: "POST", body: new URLSearchParams({ action: "confirm" }) }, 422],
  ["a break, which is withdrawn", { method: "POST", body: new URLSearchParams({ action: "pause30" }) }, 422],
  ["another click", { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "1" }) }, 422],
  ["no body", { method: "POST" }, 415],
])("%s decides nothing and gets a page", async (_, init, status) => {
  const { url, row } = await link();
  await pageOf(await ask(url, init), status);
  expect(await row()).toMatchObject({ status: "active", version: 1 });
});

test("a link that is longer, of another kind or of a newsletter that is gone decides nothing", async () => {
  const one = await link({ status: "pending" });
  const tokenOf = (url: string) => url.split("/").at(-1) as string;
  for (const wrong of [
    `${one.url}/more`,
    `${APP_URL}/unsubscribe/${tokenOf(app.links.confirmationUrl(one))}`,
    app.links.unsubscribeUrl({ ...one, newsletterId: one.mailId }),
  ])
    await pageOf(await post(wrong, ONE_CLICK), 404);
  await pageOf(await post(`${APP_URL}/confirm/${tokenOf(one.url)}`, { action: "confirm" }), 404);
  expect(await one.row()).toMatchObject({ status: "pending" });
});

test("an erased person's link is dead, and brings nobody back", async () => {
  const { url, newsletterId, subscriberId } = await link();
  await app.db.subscriber.delete({ where: { newsletterId_id: { newsletterId, id: subscriberId } } });
  expect(await pageOf(await ask(url), 410)).toContain("no longer on the list");
  for (const fields of [ONE_CLICK, { action: "unsubscribe" }, { action: "comeBack" }])
    expect(await pageOf(await post(url, fields), 410)).not.toContain("<button");
  expect(await app.db.subscriber.count({ where: { newsletterId, id: subscriberId } })).toBe(0);
});

test("one press unsubscribes from all newsletters of the account, and from no other account's", async () => {
  const second = await addNewsletter(app.db, { accountId: newsletter.accountId });
  const email = "ada@analytical.org";
  const one = await link({ email });
  expect(await pageOf(await ask(one.url), 200)).not.toContain('value="unsubscribeAll"');
  const there = await link({ email, status: "pending" }, second.id);
  const elsewhere = await link({ email }, (await addNewsletter(app.db)).id);
  const text = await pageOf(await post(one.url, { action: "unsubscribe" }), 200);
  expect(text).toContain('value="unsubscribeAll"');
  expect(await there.row()).toMatchObject({ status: "pending" });
  expect(await pageOf(await post(one.url, { action: "unsubscribeAll" }), 200)).toContain(
    "from all newsletters of",
  );
  for (const { row } of [one, there]) expect(await row()).toMatchObject({ status: "unsubscribed" });
  expect(await elsewhere.row()).toMatchObject({ status: "active" });
  expect(await pageOf(await ask(one.url), 200)).not.toContain('value="unsubscribeAll"');
});

test("who is pending can unsubscribe: the confirmation that waits is cancelled, and one that left confirms nobody", async () => {
  const one = await link({ status: "pending", state: "waiting", mailed: false });
  expect(await pageOf(await ask(one.url), 200)).toContain("haven’t confirmed");
  await pageOf(await post(one.url, ONE_CLICK), 200);
  expect(await one.row()).toMatchObject({ status: "unsubscribed" });
  expect(await one.mails()).toMatchObject([{ state: "cancelled" }]);

  const mailed = await link({ status: "pending" });
  await pageOf(await post(mailed.url, ONE_CLICK), 200);
  await post(app.links.confirmationUrl(mailed), { action: "confirm" });
  expect(await mailed.row()).toMatchObject({ status: "unsubscribed" });
});

test.each(["bounced", "complained", "denied", "manual", "unsubscribed"] as const)(
  "who is suppressed (%s) unsubscribes like anybody, and stays suppressed",
  async (reason) => {
    const one = await link();
    await suppressAddress(app.db, newsletter.id, { email: one.email, reason });
    const text = await pageOf(await post(one.url, ONE_CLICK), 200);
    expect(await one.row()).toMatchObject({ status: "unsubscribed" });
    const mayReturn = reason === "manual" || reason === "unsubscribed";
    expect(text.includes('value="comeBack"')).toBe(mayReturn);
    await pageOf(await post(one.url, { action: "comeBack" }), 200);
    expect(await one.row()).toMatchObject({ status: mayReturn ? "pending" : "unsubscribed" });
    expect(await app.db.suppression.count({ where: { newsletterId: newsletter.id, email: one.email } })).toBe(
      1,
    );
  },
);

describe("a link of somebody whom an earlier version merged into another", () => {
  /** Merges rows as the merge and its migration leave them. */
  const merge = async (kept: Linked, ...others: Linked[]) => {
    for (const { subscriberId } of others) {
      const left = { status: "unsubscribed", unsubscribedAt: new Date(), version: { increment: 1 } };
      await app.db.subscriber.updateMany({ where: { id: subscriberId }, data: left });
      const activity = { id: newId(), newsletterId: newsletter.id, subscriberId, actorKind: "staff" };
      const through = { kind: "unsubscribed", cause: "merge", causeId: kept.subscriberId };
      await app.db.subscriberEvent.create({ data: { ...activity, ...through } });
    }
  };
  const pair = async (name: string) => {
    const kept = await link({ email: `${name}@lovelace.org` });
    const other = await link({ email: `${name}+list@lovelace.org` });
    await merge(kept, other);
    return { kept, other };
  };
  const statuses = async (...all: Linked[]) => Promise.all(all.map(async (one) => (await one.row())?.status));

  test("shows and unsubscribes the person who was kept, and asks that person back", async () => {
    const { kept, other } = await pair("ada");
    expect(await pageOf(await ask(other.url), 200)).toContain('value="unsubscribe"');
    expect(await pageOf(await post(other.url, ONE_CLICK), 200)).toContain("You are unsubscribed");
    expect((await kept.events()).at(-1)).toMatchObject({ kind: "unsubscribed", actorKind: "link" });
    expect(await statuses(kept, other)).toEqual(["unsubscribed", "unsubscribed"]);
    await pageOf(await post(other.url, { action: "comeBack" }), 200);
    expect(await statuses(kept, other)).toEqual(["pending", "unsubscribed"]);
  });

  test("is followed over a second merge, and ends where two were merged into each other", async () => {
    const { kept, other } = await pair("grace");
    const last = await link({ email: "grace+new@lovelace.org" });
    await merge(last, kept);
    await post(other.url, { action: "unsubscribe" });
    expect(await statuses(last)).toEqual(["unsubscribed"]);
    await merge(other, last);
    expect(await pageOf(await ask(other.url), 200)).toContain("You are unsubscribed");
  });

  test("is their own again once they were asked, came back, or the person who was kept is erased", async () => {
    const again = await pair("joan");
    await app.db.subscriber.updateMany({
      where: { id: again.other.subscriberId },
      data: { status: "pending" },
    });
    await post(again.other.url, { action: "unsubscribe" });
    expect(await statuses(again.kept, again.other)).toEqual(["active", "unsubscribed"]);
    const alone = await pair("edith");
    await app.db.subscriber.deleteMany({ where: { id: alone.kept.subscriberId } });
    expect(await pageOf(await post(alone.other.url, ONE_CLICK), 200)).toContain("You are unsubscribed");
  });
});

describe("coming back", () => {
  test("is one confirmation away: the button writes a mail, and only the link in that mail makes them active", async () => {
    const one = await link();
    await post(one.url, { action: "unsubscribe" });
    const leftAt = (await one.row())?.unsubscribedAt;
    const text = await pageOf(await post(one.url, { action: "comeBack" }), 200);
    expect(text).toContain("is on its way to you");
    expect(text).not.toContain("<button");
    expect(await one.row()).toMatchObject({ status: "pending", unsubscribedAt: leftAt });
    expect((await one.events()).map(({ kind }) => kind)).toEqual(["unsubscribed", "status.pending"]);
    // A confirmation link from before the unsubscribe doesn't resubscribe.
    await post(app.links.confirmationUrl(one), { action: "confirm" });
    expect(await one.row()).toMatchObject({ status: "pending" });

    const [, mail] = await one.mails();
    expect(mail).toMatchObject({ kind: "confirmation", state: "waiting", toEmail: one.email });
    const sent = { state: "sent", batchId: one.mailId, batchPosition: 1, html: "", text: "" };
    await app.db.mail.update({ where: { id: mail?.id as string }, data: sent });
    const claims = { ...one, mailId: mail?.id as string, expiresAt: mail?.linkExpiresAt as Date };
    await pageOf(await post(app.links.confirmationUrl(claims), { action: "confirm" }), 200);
    expect(await one.row()).toMatchObject({ status: "active", unsubscribedAt: null });
  });

  test("asked for again while a mail waits writes no other, and can be called off", async () => {
    const one = await link({ status: "unsubscribed" });
    for (let i = 0; i < 3; i++) await pageOf(await post(one.url, { action: "comeBack" }), 200);
    expect((await one.mails()).map(({ state }) => state)).toEqual(["sent", "waiting"]);
    expect(await pageOf(await ask(one.url), 200)).toContain('value="unsubscribe"');
    expect(await pageOf(await post(one.url, { action: "unsubscribe" }), 200)).toContain(
      "You are unsubscribed",
    );
    expect((await one.mails()).map(({ state }) => state)).toEqual(["sent", "cancelled"]);
  });

  test.each(["active", "pending"] as const)("does nothing to who is %s", async (status) => {
    const one = await link({ status });
    const before = await one.all();
    await pageOf(await post(one.url, { action: "comeBack" }), 200);
    expect(await one.all()).toEqual(before);
  });
});
