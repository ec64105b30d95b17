import { v7 as uuidv7 } from "uuid";
import { expect, test } from "vitest";
import { openJobs } from "../platform/jobs/jobs";
import { bench, openBenchForTests, weekly } from "../test/mail-bench";
import { confirmationOf, until } from "../test/mail-fixture";
import { openOutbox } from "./outbox";

openBenchForTests();

/** Adds a pending person and posts their mail through this outbox. */
async function addPerson(email: string, outbox: Pick<typeof bench.outbox, "post">, fail = false) {
  const id = uuidv7();
  await bench.db.$transaction(async (tx) => {
    await tx.$executeRaw`
      INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source)
      VALUES (${weekly}::uuid, ${id}::uuid, ${email}, ${email}, 'pending', 'api')`;
    await outbox.post(tx, [confirmationOf(weekly, { id, email })]);
    if (fail) throw new Error("changed my mind");
  });
}

// The first test: the queue has no tables yet.
test("processes can post for the first time at once without errors or a full pool", async () => {
  const outboxes = Array.from({ length: 4 }, () =>
    openOutbox(openJobs({ databaseUrl: bench.url, log: bench.log })),
  );
  const deliveries = [bench.deliver(), bench.deliver()];
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      addPerson(`person${i}@list.example`, outboxes[i % outboxes.length] ?? bench.outbox),
    ),
  );
  await Promise.all(deliveries);
  await until(() => bench.fake.mails.length === 20, "20 mails");
  await bench.finished();
  expect(bench.fake.mails).toHaveLength(20);
});

test("a rolled-back transaction leaves no person, mail or job", async () => {
  await bench.add(weekly, ["first@list.example"]);
  const stored = async () => [
    await bench.mails(),
    await bench.db.$queryRaw<object[]>`SELECT id FROM pgboss.job WHERE name = 'mail-batch'`,
    await bench.db.subscriber.count(),
  ];
  const before = await stored();
  await expect(addPerson("ada@list.example", bench.outbox, true)).rejects.toThrow("changed my mind");
  expect(await stored()).toEqual(before);
});

test("without a provider mails are stored with their links, and not sent when a provider is set later", async () => {
  await bench.deliver({ key: false });
  await bench.add(weekly, ["ada@list.example"]);
  const [logged] = await until(async () => {
    const rows = await bench.mails();
    return rows[0]?.state === "logged" && rows;
  }, "the mail to be logged");
  expect(logged).toMatchObject({ batch_id: null, finished_at: null, error_code: null });
  expect(logged?.html).toContain(`https://list.example/confirm/${logged?.id}?a=1&amp;b=2`);
  expect(logged?.text).toContain(`https://list.example/confirm/${logged?.id}?a=1&b=2`);
  // Nothing was sent, so nothing counts against the person.
  expect(await bench.db.mailThrottle.count()).toBe(0);
  await bench.stopDeliveries();

  await bench.deliver();
  await bench.add(weekly, ["grace@list.example"]);
  await until(() => bench.fake.mails.length > 0, "the new person's mail");
  await bench.hurry();
  await until(async () => (await bench.stateOf("grace@list.example")) === "sent", "it to be marked");
  expect(bench.fake.mails.map((mail) => mail.to)).toEqual([["grace@list.example"]]);
  expect(await bench.stateOf("ada@list.example")).toBe("logged");
});
