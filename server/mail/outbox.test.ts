import { v7 as uuidv7 } from "uuid";
import { afterEach, beforeEach, expect, test } from "vitest";
import { throttleKey } from "../kernel/email";
import { openJobs } from "../platform/jobs/jobs";
import { type MailBench, openMailBench, until } from "../test/mail-fixture";
import { openOutbox } from "./outbox";
import { recipientHash } from "./recipient-hash";

let bench: MailBench;
let weekly: string;
beforeEach(async () => {
  bench = await openMailBench();
  weekly = await bench.newsletter();
});
afterEach(() => bench.close());

const jobs = () => bench.db.$queryRaw<object[]>`SELECT id FROM pgboss.job WHERE name = 'mail-batch'`;

test("a rolled-back transaction leaves neither person, mail nor job", async () => {
  await bench.add(weekly, ["first@list.example"]);
  const [mails, packs] = [await bench.mails(), await jobs()];
  await expect(
    bench.db.$transaction(async (tx) => {
      const id = uuidv7();
      await tx.$executeRaw`
        INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source)
        VALUES (${weekly}::uuid, ${id}::uuid, 'ada@list.example', 'ada@list.example', 'pending', 'api')`;
      const mail = {
        newsletterId: weekly,
        subscriberId: id,
        toEmail: "ada@list.example",
        canonical: "ada@list.example",
      };
      await bench.outbox.post(tx, [mail]);
      throw new Error("changed my mind");
    }),
  ).rejects.toThrow("changed my mind");
  expect(await bench.mails()).toEqual(mails);
  expect(await jobs()).toEqual(packs);
});

test("processes that post for the first time all at once don't fight over the queue's tables, nor use up the pool", async () => {
  const outboxes = Array.from({ length: 4 }, () =>
    openOutbox(openJobs({ databaseUrl: bench.url, log: bench.log })),
  );
  const deliveries = [bench.deliver(), bench.deliver()];
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const id = uuidv7();
      const email = `person${i}@list.example`;
      await bench.db.$transaction(async (tx) => {
        await tx.$executeRaw`
          INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source)
          VALUES (${weekly}::uuid, ${id}::uuid, ${email}, ${email}, 'pending', 'api')`;
        const mail = { newsletterId: weekly, subscriberId: id, toEmail: email, canonical: email };
        await outboxes[i % outboxes.length]?.post(tx, [mail]);
      });
    }),
  );
  await Promise.all(deliveries);
  await until(() => bench.fake.mails.length === 20, "20 mails");
  await bench.finished();
  expect(bench.fake.mails).toHaveLength(20);
});

test("a mail names its person by a digest that says nothing of the address and is the same for all spellings", () => {
  expect(recipientHash("ada+x@gmail.com")).toMatch(/^[0-9a-f]{64}$/);
  expect(recipientHash("a.d.a@googlemail.com")).toBe(recipientHash("ada+x@gmail.com"));
  expect(recipientHash("ada@list.example")).not.toBe(recipientHash("a.da@list.example"));
  expect(throttleKey("ada+x@list.example")).toBe("ada@list.example");
});

test("without a key mails are written and logged only, links and all, and are not mailed when a key is set later", async () => {
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
