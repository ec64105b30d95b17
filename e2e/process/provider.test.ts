import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, BULK } from "../contract/client";
import type { Fault } from "../fixtures/fake-resend";
import { misdeliveries, noMisdeliveries, outboxIsEmpty } from "./mails";
import { mountOf, openSite, until } from "./site";

type Mail = { to: string; state: string; reason: string | null };

type Running = Awaited<ReturnType<typeof openSite>>;

let site: Running;
/** Where the provider is silent: that takes its time, while the other tests run. */
let silent: Running;

beforeAll(async () => {
  [site, silent] = await Promise.all([openSite({ database: "shared" }), openSite({ database: "shared" })]);
  silent.fake.fault({ kind: "silence", ms: 30_000, after: true, times: 1 });
  await addPeople(silent);
});
afterAll(async () => {
  await Promise.all([site?.close(), silent?.close()]);
});

let group = 0;

/** Six pending people who came in one bulk. */
async function addPeople(at = site): Promise<string[]> {
  const emails = Array.from({ length: 6 }, (_, i) => `g${group}-${i}@lovelace.org`);
  group++;
  const json = emails.map((email) => ({ email, status: "pending" }));
  const answer = await ask(mountOf(at.first), { key: at.key, path: BULK, json });
  expect(answer.status).toBe(201);
  return emails;
}

/** What the operator reads of these people's mails. */
async function listed(emails: string[]): Promise<Mail[]> {
  const { mails } = await site.admin<{ mails: Mail[] }>("mails", "list", "--limit", "1000");
  return emails.map((email) => mails.find((mail) => mail.to === email) as Mail);
}

const timesOf = (email: string) => site.fake.mails.filter((mail) => [mail.to].flat().includes(email)).length;

/** Plays a fault on six people's mails, and expects each to arrive once and to be marked as sent. */
async function survives(fault: Fault): Promise<void> {
  site.fake.fault(fault);
  const emails = await addPeople();
  await outboxIsEmpty(site);
  site.fake.heal();
  expect(emails.filter((email) => timesOf(email) !== 1)).toEqual([]);
  await areSent(emails);
}

async function areSent(emails: string[]): Promise<void> {
  const rows = await site.sql("SELECT state, error_message FROM mails WHERE to_email = ANY ($1)", [emails]);
  expect(rows).toEqual(emails.map(() => ({ state: "sent", error_message: null })));
}

/** The requests for the last group's mails, in order. */
const attempts = (from: number) => site.fake.requests.slice(from).map(({ status, name }) => name ?? status);

describe("every mail arrives exactly once when Resend", () => {
  it("asks to wait (429 with retry-after), for as long as it asks", async () => {
    const from = site.fake.requests.length;
    await survives({ kind: "rate", seconds: 2, times: 1 });
    expect(attempts(from)).toEqual(["rate_limit_exceeded", 200]);
    const [first, second] = site.fake.requests.slice(from).map((request) => Date.parse(request.at));
    expect((second as number) - (first as number)).toBeGreaterThanOrEqual(1_950);
  });

  it("has used up the day's quota, and meanwhile the list of mails says so", async () => {
    const from = site.fake.requests.length;
    site.fake.fault({ kind: "daily", seconds: 6, times: 1 });
    const emails = await addPeople();
    await until("the rejection", () => site.fake.requests.length > from);
    const waiting = await until("the reason", async () => {
      const mails = await listed(emails);
      return mails.every((mail) => mail.reason) && mails;
    });
    for (const mail of waiting)
      expect(mail).toMatchObject({ state: "sending", reason: /limit of your Resend plan is reached/ });
    await outboxIsEmpty(site);
    expect(emails.filter((email) => timesOf(email) !== 1)).toEqual([]);
    expect(attempts(from)).toEqual(["daily_quota_exceeded", 200]);
  });

  it("answers 500 before taking them", () => survives({ kind: "error", times: 1 }));

  it("answers 500 after taking them", async () => {
    const from = site.fake.requests.length;
    await survives({ kind: "error", after: true, times: 1 });
    // The same key and bytes again, which the provider knows.
    expect(new Set(site.fake.requests.slice(from).map(({ key, sha256 }) => `${key} ${sha256}`)).size).toBe(1);
  });

  it("resets the connection before or after taking them", async () => {
    await survives({ kind: "reset", times: 1 });
    await survives({ kind: "reset", after: true, times: 1 });
  });

  it("rejects one address of a batch: the others arrive, and that one shows why", async () => {
    const rejected = `g${group}-5@lovelace.org`;
    site.fake.fault({ kind: "reject", address: rejected });
    const emails = await addPeople();
    await outboxIsEmpty(site);
    site.fake.heal();
    const others = emails.filter((email) => email !== rejected);
    expect(others.filter((email) => timesOf(email) !== 1)).toEqual([]);
    expect(timesOf(rejected)).toBe(0);
    const reason = expect.stringContaining(`${rejected} cannot be mailed`);
    expect(await listed([rejected])).toMatchObject([{ to: rejected, state: "failed", reason }]);
    await areSent(others);
  });

  it("rejects a batch without saying which: the others arrive all the same", async () => {
    const rejected = `g${group}-1@lovelace.org`;
    site.fake.fault({ kind: "reject", address: rejected }, { kind: "strict" });
    const emails = await addPeople();
    await outboxIsEmpty(site);
    site.fake.heal();
    expect(emails.filter((email) => timesOf(email) !== (email === rejected ? 0 : 1))).toEqual([]);
    expect(await listed([rejected])).toMatchObject([
      { state: "failed", reason: expect.stringContaining("Rejected by the email provider") },
    ]);
  });

  it("says nothing for 30 s after taking them: nobody waits that long", async () => {
    expect(await misdeliveries(silent)).toEqual(noMisdeliveries);
    const { requests } = silent.fake;
    expect(new Set(requests.map(({ key, sha256 }) => `${key} ${sha256}`)).size).toBe(1);
    const [first, second] = requests.map((request) => Date.parse(request.at));
    expect((second as number) - (first as number)).toBeLessThan(25_000);
  });
});
