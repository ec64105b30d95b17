import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../kernel/ids";
import { addLinkedPerson, addNewsletter, suppressAddress } from "../test/linked-person";
import { APP_URL, app, ask, CALLER, openAppForTests, pageOf, post } from "../test/public-pages";

const ONE_CLICK = { "List-Unsubscribe": "One-Click" };

openAppForTests();
let newsletter: { id: string; accountId: string };
beforeAll(async () => {
  newsletter = await addNewsletter(app.db, { name: "<i>Weekly</i>" });
});

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

test("the page shows the newsletter and a button, and no address", async () => {
  const { url, email } = await link();
  const text = await pageOf(await ask(url));
  expect(text).toContain("&lt;i&gt;Weekly&lt;/i&gt;");
  expect(text).toContain('value="unsubscribe"');
  // People forward emails with their links.
  expect(text).not.toContain(email);
});

test("the button unsubscribes the person; a repeat says the same and changes nothing", async () => {
  const { url, row, events, all } = await link();
  expect(await pageOf(await post(url, { action: "unsubscribe" }))).toContain("You are unsubscribed");
  expect(await row()).toMatchObject({ status: "unsubscribed", version: 2, unsubscribedAt: expect.any(Date) });
  expect(await events()).toMatchObject([
    { kind: "unsubscribed", actorKind: "link", actorId: null, address: CALLER },
  ]);
  const after = await all();
  const multipart = new FormData();
  multipart.set("List-Unsubscribe", "One-Click");
  for (const body of [new URLSearchParams({ action: "unsubscribe" }), multipart])
    expect(await pageOf(await ask(url, { method: "POST", body }))).toContain("You are unsubscribed");
  expect(await all()).toEqual(after);
});

test("20 one-click requests at once unsubscribe once, without a redirect or a cookie (RFC 8058)", async () => {
  const { url, row, events } = await link();
  const headers = { Origin: "https://mail.example", Cookie: "a=b" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(url, ONE_CLICK, headers)));
  for (const answer of answers) await pageOf(answer);
  expect(await row()).toMatchObject({ status: "unsubscribed", version: 2 });
  expect(await events()).toHaveLength(1);
});

const multipart = { "Content-Type": "multipart/form-data; boundary=x" };
const file = new FormData();
file.set("List-Unsubscribe", new File(["One-Click"], "a.txt"));

test.each([
  ["another click", { body: new URLSearchParams({ "List-Unsubscribe": "1" }) }, 422],
  ["a file for a value", { body: file }, 422],
  ["broken multipart", { body: "--y\r\nnothing", headers: multipart }, 400],
])("a POST with %s gets a page and changes nothing", async (_, init, status) => {
  const { url, row } = await link();
  await pageOf(await ask(url, { method: "POST", ...init }), status);
  expect(await row()).toMatchObject({ status: "active", version: 1 });
});

test("a longer link, a link of another kind and a link of a deleted newsletter change nothing", async () => {
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

test("an erased person's link adds no one", async () => {
  const { url, newsletterId, subscriberId } = await link();
  await app.db.subscriber.delete({ where: { newsletterId_id: { newsletterId, id: subscriberId } } });
  expect(await pageOf(await ask(url), 410)).toContain("no longer on the list");
  for (const fields of [ONE_CLICK, { action: "comeBack" }])
    expect(await pageOf(await post(url, fields), 410)).not.toContain("<button");
  expect(await app.db.subscriber.count({ where: { newsletterId, id: subscriberId } })).toBe(0);
});

test("one button unsubscribes from all newsletters of the account, and from no other account's", async () => {
  const second = await addNewsletter(app.db, { accountId: newsletter.accountId });
  const email = "ada@analytical.org";
  const one = await link({ email });
  expect(await pageOf(await ask(one.url))).not.toContain('value="unsubscribeAll"');
  const there = await link({ email, status: "pending" }, second.id);
  const elsewhere = await link({ email }, (await addNewsletter(app.db)).id);
  const text = await pageOf(await post(one.url, { action: "unsubscribe" }));
  expect(text).toContain('value="unsubscribeAll"');
  expect(await there.row()).toMatchObject({ status: "pending" });
  const fromAll = await pageOf(await post(one.url, { action: "unsubscribeAll" }));
  expect(fromAll).toContain("from all newsletters of");
  for (const { row } of [one, there]) expect(await row()).toMatchObject({ status: "unsubscribed" });
  expect(await elsewhere.row()).toMatchObject({ status: "active" });
});

test("pending people can unsubscribe: their waiting confirmation is cancelled, and a sent one no longer works", async () => {
  const one = await link({ status: "pending", state: "waiting", mailed: false });
  expect(await pageOf(await ask(one.url))).toContain("haven’t confirmed");
  await pageOf(await post(one.url, ONE_CLICK));
  expect(await one.row()).toMatchObject({ status: "unsubscribed" });
  expect(await one.mails()).toMatchObject([{ state: "cancelled" }]);

  const mailed = await link({ status: "pending" });
  await pageOf(await post(mailed.url, ONE_CLICK));
  await post(app.links.confirmationUrl(mailed), { action: "confirm" });
  expect(await mailed.row()).toMatchObject({ status: "unsubscribed" });
});

test.each(["bounced", "complained", "denied", "manual", "unsubscribed"] as const)(
  "suppressed people (%s) can unsubscribe and stay suppressed",
  async (reason) => {
    const one = await link();
    await suppressAddress(app.db, newsletter.id, { email: one.email, reason });
    const text = await pageOf(await post(one.url, ONE_CLICK));
    expect(await one.row()).toMatchObject({ status: "unsubscribed" });
    const mayReturn = reason === "manual" || reason === "unsubscribed";
    expect(text.includes('value="comeBack"')).toBe(mayReturn);
    await pageOf(await post(one.url, { action: "comeBack" }));
    expect(await one.row()).toMatchObject({ status: mayReturn ? "pending" : "unsubscribed" });
    const suppressed = { newsletterId: newsletter.id, email: one.email };
    expect(await app.db.suppression.count({ where: suppressed })).toBe(1);
  },
);

describe("the link of a person who was merged into another by an earlier version", () => {
  /** Merges rows as the merge and its migration leave them. */
  const merge = async (kept: Linked, { subscriberId }: Linked) => {
    const left = { status: "unsubscribed", unsubscribedAt: new Date(), version: { increment: 1 } };
    await app.db.subscriber.updateMany({ where: { id: subscriberId }, data: left });
    const activity = { id: newId(), newsletterId: newsletter.id, subscriberId, actorKind: "staff" };
    const through = { kind: "unsubscribed", cause: "merge", causeId: kept.subscriberId };
    await app.db.subscriberEvent.create({ data: { ...activity, ...through } });
  };
  const statuses = async (...all: Linked[]) => Promise.all(all.map(async (one) => (await one.row())?.status));

  test("unsubscribes the kept person, over several merges, and ends where two were merged into each other", async () => {
    const [first, second, last] = [await link(), await link(), await link()];
    await merge(second, first);
    await merge(last, second);
    expect(await pageOf(await ask(first.url))).toContain('value="unsubscribe"');
    await pageOf(await post(first.url, ONE_CLICK));
    await pageOf(await post(first.url, { action: "comeBack" }));
    expect(await statuses(first, second, last)).toEqual(["unsubscribed", "unsubscribed", "pending"]);
    await merge(first, last);
    expect(await pageOf(await ask(first.url))).toContain("You are unsubscribed");
  });

  test("works for its own person again after that person returns, or the kept person is erased", async () => {
    const [kept, other] = [await link(), await link()];
    await merge(kept, other);
    await app.db.subscriber.updateMany({ where: { id: other.subscriberId }, data: { status: "pending" } });
    await post(other.url, { action: "unsubscribe" });
    expect(await statuses(kept, other)).toEqual(["active", "unsubscribed"]);
    await app.db.subscriber.deleteMany({ where: { id: kept.subscriberId } });
    expect(await pageOf(await post(other.url, ONE_CLICK))).toContain("You are unsubscribed");
  });
});

describe("resubscribing", () => {
  test("takes one confirmation: the button sends an email, and only its link makes the person active", async () => {
    const one = await link();
    await post(one.url, { action: "unsubscribe" });
    const leftAt = (await one.row())?.unsubscribedAt;
    const text = await pageOf(await post(one.url, { action: "comeBack" }));
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
    await pageOf(await post(app.links.confirmationUrl(claims), { action: "confirm" }));
    expect(await one.row()).toMatchObject({ status: "active", unsubscribedAt: null });
  });

  test("sends no second email while one waits, and can be cancelled", async () => {
    const one = await link({ status: "unsubscribed" });
    for (let i = 0; i < 3; i++) await pageOf(await post(one.url, { action: "comeBack" }));
    expect((await one.mails()).map(({ state }) => state)).toEqual(["sent", "waiting"]);
    expect(await pageOf(await ask(one.url))).toContain('value="unsubscribe"');
    await pageOf(await post(one.url, { action: "unsubscribe" }));
    expect((await one.mails()).map(({ state }) => state)).toEqual(["sent", "cancelled"]);
  });

  test.each(["active", "pending"] as const)("changes nothing for %s people", async (status) => {
    const one = await link({ status });
    const before = await one.all();
    await pageOf(await post(one.url, { action: "comeBack" }));
    expect(await one.all()).toEqual(before);
  });
});
