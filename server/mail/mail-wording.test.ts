import { beforeEach, describe, expect, test } from "vitest";
import { getNewsletter } from "../accounts/newsletters";
import type { NewsletterRow } from "../accounts/shared-queries";
import { newId } from "../kernel/ids";
import { bench, openBenchForTests, openEditor } from "../test/mail-bench";
import { people, until } from "../test/mail-fixture";
import { mailedBy } from "../test/mail-fixture-values";
import { getMailWording, postTestMail, saveMailWording } from "./mail-wording";
import type { MailWording } from "./schema/mail-wording";
import { openLinks } from "./signed-links";

openBenchForTests();
let weekly: NewsletterRow;
let ctx: Awaited<ReturnType<typeof openEditor>>["ctx"];
beforeEach(async () => {
  ({ weekly, ctx } = await openEditor());
});

const kind = "confirmation";
const words = (subject: string | null, intro: string | null = null) => ({
  ...{ on: true, subject, intro, nextUrl: null },
});
const save = (wording: MailWording, was?: MailWording) =>
  saveMailWording(ctx, { newsletterId: weekly.id, kind, wording, was });

test("waiting mails get the words saved last; written mails keep theirs through every retry", async () => {
  await save(words("First for {newsletter}"));
  bench.fake.fault({ kind: "rate", times: 1, seconds: 60 });
  await bench.deliver();
  await bench.add(weekly.id, people(1, "early"));
  await until(async () => (await bench.mails())[0]?.error_code, "the first attempt");
  await save(words("Second", "Hello from {newsletter}"));
  await bench.stopDeliveries();
  await bench.add(weekly.id, people(1, "late"));
  await bench.deliver();
  await bench.hurry();
  await bench.finished();
  const subjects = bench.fake.mails.map((mail) => [String(mail.to), mail.subject]).sort();
  expect(subjects).toEqual([
    ["early0@list.example", "First for Weekly"],
    ["late0@list.example", "Second"],
  ]);
  const late = bench.fake.mails.find((mail) => mail.subject === "Second");
  expect(late?.text).toMatch(/^Weekly\n\nHello from Weekly\n\n/);
});

test("the audit log names the changed fields only; saving the same or invalid words adds no entry", async () => {
  const nextUrl = "https://paper.example/danke";
  await save({ ...words("Hi"), nextUrl });
  await save({ ...words(" Hi ", " \n"), nextUrl });
  await expect(save(words("Hi {name}"))).rejects.toMatchObject({
    errors: { subject: [expect.stringContaining("{name}")] },
  });
  const where = { newsletterId: weekly.id, action: "newsletter.confirmation_changed" };
  const entries = await bench.db.auditEntry.findMany({ where });
  expect(entries.map(({ detail }) => detail)).toEqual([{ changed: ["confirmSubject", "confirmNextUrl"] }]);
});

test("two forms opened at the same time save different fields; the later one is refused for the same field", async () => {
  const was = words(null);
  const first = { ...words("First"), nextUrl: "https://paper.example/danke" };
  await save(first, was);
  await save(words(null, "Second"), was);
  await expect(save(words("Second", "Intro"), was)).rejects.toMatchObject({
    code: "validation_error",
    message: expect.stringMatching(/Someone changed the same settings/),
  });
  const saved = getMailWording(await getNewsletter(bench.db, weekly.id), { kind });
  expect(saved.own).toEqual({ ...first, intro: "Second" });
});

test("one of twenty concurrent changes is saved", async () => {
  const all = Array.from({ length: 20 }, (_, i) => save(words(`Number ${i}`), words(null)));
  const results = await Promise.allSettled(all);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

describe("a test email", () => {
  const sendTest = (wording: MailWording) => {
    const links = openLinks({ secrets: ["s".repeat(32)], appUrl: "https://list.example" });
    const sending = { ...ctx, mailService: mailedBy(null), links };
    return postTestMail(sending, { newsletter: weekly, staff, kind, wording });
  };
  let staff: { id: string; email: string };
  beforeEach(async () => {
    const { accountId } = weekly;
    staff = { id: newId(), email: "tester@list.example" };
    await bench.db.staffMember.create({ data: { ...staff, accountId, name: "Tester", role: "editor" } });
  });

  test("goes to its requester with unsaved words, and isn't limited like confirmations", async () => {
    for (const subject of ["One", "Two"]) await sendTest(words(subject, "Hello {newsletter}"));
    await bench.deliver();
    await bench.finished();
    expect(bench.fake.mails.map(({ to, subject }) => [String(to), subject])).toEqual([
      [staff.email, "One"],
      [staff.email, "Two"],
    ]);
    expect(bench.fake.mails[0]?.text).toContain("https://list.example/confirm/example");
    expect(bench.fake.mails[0]?.text).toContain("Hello Weekly");
    expect(await bench.db.mailThrottle.count()).toBe(0);
  });

  test("is rejected for the eleventh time in ten minutes", async () => {
    for (let i = 0; i < 10; i++) await sendTest(words(null));
    await expect(sendTest(words(null))).rejects.toMatchObject({ code: "validation_error" });
  });
});
