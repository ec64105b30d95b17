import { beforeEach, expect, test } from "vitest";
import { getNewsletter } from "../accounts/newsletters";
import { confirmByLink } from "../subscribers/confirmations";
import { setStatus } from "../subscribers/set-status";
import { unsubscribe } from "../subscribers/subscribers";
import { suppressAddress } from "../test/linked-person";
import { bench, openBenchForTests, weekly } from "../test/mail-bench";
import { until } from "../test/mail-fixture";
import { saveMailWording } from "./mail-wording";

openBenchForTests();
beforeEach(async () => {
  await save({ on: true, subject: "Hello from {newsletter}", intro: "One\n\nTwo {newsletter}" });
});

const link = { kind: "link", address: null } as const;
const ctx = () => ({ db: bench.db, outbox: bench.outbox, actor: link, requestId: "test" });
const staff = { kind: "operator" } as const;
const save = (words: { on: boolean; subject: string | null; intro: string | null }) => {
  const wording = { ...words, nextUrl: null };
  return saveMailWording({ ...ctx(), actor: staff }, { newsletterId: weekly, kind: "welcome", wording });
};

/** The link of the newest confirmation to a person. */
async function claimsOf(subscriberId: string) {
  const mail = (await bench.mails()).findLast(
    (one) => one.subscriber_id === subscriberId && one.html?.includes("/confirm/"),
  );
  if (!mail) throw new Error("no confirmation");
  return { newsletterId: weekly, subscriberId, mailId: mail.id, expiresAt: mail.link_expires_at };
}

/** Adds a person who confirms by the link in their mail. */
async function joined(email: string): Promise<string> {
  const [id = ""] = await bench.add(weekly, [email]);
  await bench.finished();
  expect(await confirmByLink(ctx(), await claimsOf(id))).toMatchObject({ done: true });
  return id;
}
const subjectsTo = (email: string) =>
  bench.fake.mails.filter((mail) => String(mail.to) === email).map((mail) => mail.subject);
const welcomes = () => bench.db.mail.findMany({ where: { kind: "welcome" }, orderBy: { id: "asc" } });

test("a confirmation sends the welcome at once, in the newsletter's words, with an unsubscribe link", async () => {
  await bench.deliver();
  const id = await joined("ada@list.example");
  await until(() => subjectsTo("ada@list.example").length === 2, "the welcome");
  const [asked, welcome] = bench.fake.mails;
  const unsubscribeUrl = `https://list.example/unsubscribe/${id}`;
  expect(asked?.subject).toBe("Confirm your subscription to Weekly");
  expect(welcome).toMatchObject({ subject: "Hello from Weekly", to: ["ada@list.example"] });
  expect(welcome?.headers).toMatchObject({
    "List-Unsubscribe": `<${unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
  expect(welcome?.text).toBe(
    `Weekly\n\nOne\n\nTwo Weekly\n\nYou received this email because you confirmed your subscription to Weekly.\n\nUnsubscribe:\n${unsubscribeUrl}\n`,
  );
  expect(welcome?.html).toContain(`href="${unsubscribeUrl}"`);
  // The throttle would not have let a second confirmation leave within the minute; it has counted the first alone.
  const [counted] = await bench.db.$queryRaw<{ allowed_at: Date[] }[]>`SELECT allowed_at FROM mail_throttle`;
  expect(counted?.allowed_at).toHaveLength(1);
});

test("a repeated confirmation within a day sends no second welcome; a day later it does", async () => {
  await bench.deliver();
  const id = await joined("ada@list.example");
  expect(await confirmByLink(ctx(), await claimsOf(id))).toMatchObject({ done: false });
  await until(async () => (await welcomes())[0]?.state === "sent", "the welcome");
  const comeBack = async () => {
    await unsubscribe({ db: bench.db, actor: link }, { newsletterId: weekly, id });
    await bench.db.$executeRaw`DELETE FROM mail_throttle`;
    await bench.db.$executeRaw`UPDATE subscribers SET status = 'pending' WHERE id = ${id}::uuid`;
    await bench.ask(weekly, { id, email: "ada@list.example" });
    await bench.finished();
    expect(await confirmByLink(ctx(), await claimsOf(id))).toMatchObject({ done: true });
  };
  await comeBack();
  expect(await welcomes()).toHaveLength(1);
  await bench.db
    .$executeRaw`UPDATE mails SET created_at = created_at - interval '25 hours' WHERE kind = 'welcome'`;
  await comeBack();
  expect(await welcomes()).toHaveLength(2);
});

test("no welcome is sent while it is off, for people made active by staff, or after a failed confirmation", async () => {
  await bench.deliver();
  await save({ on: false, subject: null, intro: null });
  await joined("off@list.example");
  await save({ on: true, subject: null, intro: null });
  const [id = ""] = await bench.add(weekly, ["staff@list.example"]);
  const row = await bench.db.subscriber.findFirstOrThrow({ where: { id } });
  await bench.db.$transaction((tx) =>
    setStatus(tx, { subscribers: [row as never], to: "active", actor: staff }),
  );
  const [other = ""] = await bench.add(weekly, ["failing@list.example"]);
  await bench.finished();
  const broken = { ...bench.outbox, postWelcome: () => Promise.reject(new Error("crash")) };
  await expect(confirmByLink({ ...ctx(), outbox: broken }, await claimsOf(other))).rejects.toThrow("crash");
  expect(await bench.db.subscriber.findFirst({ where: { id: other } })).toMatchObject({ status: "pending" });
  expect(await welcomes()).toEqual([]);
});

test("a waiting welcome is cancelled after an unsubscribe or suppression, or when it is off or late", async () => {
  const delivery = await bench.deliver();
  const ids: string[] = [];
  for (const name of ["a", "b", "c", "d"]) {
    const [id = ""] = await bench.add(weekly, [`${name}@list.example`]);
    ids.push(id);
  }
  await bench.finished();
  await delivery.stop();
  for (const id of ids) await confirmByLink(ctx(), await claimsOf(id));
  expect(await welcomes()).toHaveLength(4);
  await unsubscribe({ db: bench.db, actor: link }, { newsletterId: weekly, id: ids[0] as string });
  await suppressAddress(bench.db, weekly, { email: "b@list.example", reason: "complained" });
  await bench.db
    .$executeRaw`UPDATE mails SET link_expires_at = now() WHERE subscriber_id = ${ids[2]}::uuid AND kind = 'welcome'`;
  await save({ on: false, subject: null, intro: null });
  await bench.deliver();
  await bench.finished();
  expect((await welcomes()).map(({ state, errorCode }) => [state, errorCode])).toEqual([
    ["cancelled", null],
    ["cancelled", "complained"],
    ["cancelled", "welcome_late"],
    ["cancelled", "welcome_off"],
  ]);
  expect(bench.fake.mails).toHaveLength(4);
});

test("the audit log names the changed fields; unknown placeholders are rejected", async () => {
  await expect(save({ on: true, subject: null, intro: "Hello {name}" })).rejects.toMatchObject({
    errors: { intro: [expect.stringContaining("{name}")] },
  });
  await save({ on: false, subject: "Hello from {newsletter}", intro: null });
  const { accountId } = await getNewsletter(bench.db, weekly);
  const entries = await bench.db.auditEntry.findMany({ where: { accountId }, orderBy: { id: "asc" } });
  expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
    ["newsletter.welcome_changed", { on: true, changed: ["welcomeOn", "welcomeSubject", "welcomeText"] }],
    ["newsletter.welcome_changed", { on: false, changed: ["welcomeOn", "welcomeText"] }],
  ]);
});
