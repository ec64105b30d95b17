import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { getNewsletter } from "../accounts/newsletters";
import { newId } from "../kernel/ids";
import { bench, openBenchForTests } from "../test/mail-bench";
import { people, until } from "../test/mail-fixture";
import { mailedBy } from "../test/mail-fixture-values";
import { getMailWords, saveConfirmationWording, sendTest } from "./confirmation-mail";
import { openLinks } from "./signed-links";

openBenchForTests({ reset: false });
let weekly: string;
let staff: { id: string; email: string };
const sending = {
  mailService: mailedBy(null),
  links: openLinks({ secrets: ["s".repeat(32)], appUrl: "https://list.example" }),
};

beforeEach(async () => {
  weekly = await bench.newsletter();
  const { accountId } = await getNewsletter(bench.db, weekly);
  staff = { id: newId(), email: "editor@list.example" };
  await bench.db.staffMember.create({ data: { ...staff, accountId, name: "Editor", role: "editor" } });
});
afterEach(async () => {
  await bench.db.staffMember.deleteMany();
  await bench.reset();
});

const ctx = () =>
  ({
    db: bench.db,
    outbox: bench.outbox,
    actor: { kind: "staff", id: staff.id, accountId: newId(), role: "editor", address: "192.0.2.7" },
    requestId: "test",
    ...sending,
  }) as unknown as Parameters<typeof sendTest>[0];
const words = (subject: string | null, intro: string | null = null) => ({ subject, intro, nextUrl: null });

test("a mail that waits leaves with the words saved last; one that is written keeps its own through every retry", async () => {
  await saveConfirmationWording(ctx(), { newsletterId: weekly, words: words("First for {newsletter}") });
  bench.fake.fault({ kind: "rate", times: 1, seconds: 60 });
  await bench.deliver();
  await bench.add(weekly, people(1, "early"));
  await until(async () => (await bench.mails())[0]?.error_code, "the first attempt");
  await saveConfirmationWording(ctx(), {
    newsletterId: weekly,
    words: words("Second", "Hello from {newsletter}"),
  });
  await bench.stopDeliveries();
  await bench.add(weekly, people(1, "late"));
  await bench.deliver();
  await bench.hurry();
  await bench.finished();
  const subjects = bench.fake.mails.map((mail) => [String(mail.to), mail.subject]).sort();
  expect(subjects).toEqual([
    ["early0@list.example", "First for Weekly"],
    ["late0@list.example", "Second"],
  ]);
  expect(bench.fake.mails.find((mail) => mail.subject === "Second")?.text).toMatch(
    /^Weekly\n\nHello from Weekly\n\n/,
  );
});

test("what is saved is noted with its author, by field and without the words; nothing new is noted when nothing changed", async () => {
  await saveConfirmationWording(ctx(), {
    newsletterId: weekly,
    words: { subject: "Hi", intro: null, nextUrl: "https://paper.example/danke" },
  });
  await saveConfirmationWording(ctx(), {
    newsletterId: weekly,
    words: { subject: " Hi ", intro: " \n", nextUrl: "https://paper.example/danke" },
  });
  const entries = await bench.db.auditEntry.findMany({ where: { newsletterId: weekly } });
  expect(entries.map(({ action, actorId, detail }) => ({ action, actorId, detail }))).toEqual([
    {
      action: "newsletter.confirmation_changed",
      actorId: staff.id,
      detail: { changed: ["confirmSubject", "confirmNextUrl"] },
    },
  ]);
  await expect(
    saveConfirmationWording(ctx(), { newsletterId: weekly, words: words("Hi {name}") }),
  ).rejects.toMatchObject({
    code: "validation_error",
    errors: { subject: [expect.stringContaining("{name}")] },
  });
});

describe("two forms that were opened at the same time", () => {
  const was = words(null);
  const saved = async () => {
    const { own } = getMailWords(await getNewsletter(bench.db, weekly));
    return own;
  };
  const first = { subject: "First", intro: null, nextUrl: "https://paper.example/danke" };

  test("both keep what they changed, where it is not the same", async () => {
    await saveConfirmationWording(ctx(), { newsletterId: weekly, words: first, was });
    await saveConfirmationWording(ctx(), { newsletterId: weekly, words: words(null, "Second"), was });
    expect(await saved()).toEqual({ ...first, intro: "Second" });
  });

  test("do not write over each other: the later one saves nothing, and is told", async () => {
    await saveConfirmationWording(ctx(), { newsletterId: weekly, words: first, was });
    const second = saveConfirmationWording(ctx(), {
      newsletterId: weekly,
      words: words("Second", "Intro"),
      was,
    });
    await expect(second).rejects.toMatchObject({
      code: "validation_error",
      message: expect.stringMatching(/Someone changed the same settings/),
    });
    expect(await saved()).toEqual(first);
  });

  test("of twenty at once one is saved", async () => {
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        saveConfirmationWording(ctx(), { newsletterId: weekly, words: words(`Number ${i}`), was }),
      ),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

test("a test goes to who asked, with words that are not saved, and is not held back for having asked twice", async () => {
  const newsletter = await getNewsletter(bench.db, weekly);
  for (const subject of ["One", "Two"])
    await sendTest(ctx(), { newsletter, staff, words: words(subject, "Hello {newsletter}") });
  await bench.deliver();
  await bench.finished();
  expect(bench.fake.mails.map(({ to, subject }) => [String(to), subject])).toEqual([
    [staff.email, "One"],
    [staff.email, "Two"],
  ]);
  expect(bench.fake.mails[0]?.text).toContain("https://list.example/confirm/example");
  expect(bench.fake.mails[0]?.text).toContain("Hello Weekly");
  expect((await bench.mails()).map((mail) => [mail.state, mail.subscriber_id])).toEqual([
    ["sent", null],
    ["sent", null],
  ]);
  // Nobody's place among those who may be mailed today is taken.
  expect(await bench.db.mailThrottle.count()).toBe(0);
});

test("a test is kept when nothing leaves, and the eleventh in ten minutes is rejected", async () => {
  const newsletter = await getNewsletter(bench.db, weekly);
  const ask = () => sendTest(ctx(), { newsletter, staff, words: words(null) });
  for (let i = 0; i < 10; i++) await ask();
  await expect(ask()).rejects.toMatchObject({ code: "validation_error" });
  await bench.deliver({ key: false });
  await until(async () => (await bench.mails()).every((mail) => mail.state === "logged"), "all are kept");
  expect(await bench.mails()).toHaveLength(10);
});
