import { beforeEach, expect, test } from "vitest";
import { ofNewsletter } from "../accounts/context";
import type { NewsletterRow } from "../accounts/shared-queries";
import type { Ctx } from "../subscribers/context";
import { suppressAddress } from "../test/linked-person";
import { arrived, bench, openBenchForTests, openEditor } from "../test/mail-bench";
import { people, until } from "../test/mail-fixture";
import { groupIssues } from "./queries/mails";
import { retryMail, retryMailsOfReason } from "./retries";

openBenchForTests();
let weekly: NewsletterRow;
let ctx: Ctx;
beforeEach(async () => {
  // Its delay is for mailings.test.ts.
  ({ weekly, ctx } = await openEditor({ sendDelaySeconds: 0 }));
});

/** People whose mails have ended like this, without anything having left. */
async function ended(
  emails: string[],
  state: "failed" | "uncertain",
  code = "validation_error",
): Promise<string[]> {
  await bench.add(weekly.id, emails);
  await bench.db.$executeRaw`DELETE FROM pgboss.job`;
  await bench.db.$executeRaw`
    UPDATE mails SET state = ${state}, error_code = ${code}, error_message = 'Because.', finished_at = now(),
      batch_id = gen_random_uuid(), batch_position = 0, html = '<p>', text = 't', subject = 's'
    WHERE state = 'waiting' AND to_email = ANY (${emails}::text[])`;
  return (await bench.mails()).filter((mail) => emails.includes(mail.to_email)).map((mail) => mail.id);
}

const statesOf = async (email: string) =>
  (await bench.mails()).filter((mail) => mail.to_email === email).map((mail) => mail.state);
const trouble = () => groupIssues(bench.db, weekly.id);
const finished = () =>
  until(async () => (await bench.mails()).every((mail) => mail.finished_at !== null), "all mails finished");

test("a retry is a new mail with a new key and link, and is recorded on the failed one", async () => {
  const [email] = people(1) as [string];
  bench.fake.fault({ kind: "reject", address: email });
  await bench.deliver();
  await bench.add(weekly.id, [email]);
  const [failed] = await bench.finished();
  const message = expect.stringContaining("cannot be mailed");
  expect(await trouble()).toMatchObject([{ state: "failed", code: "validation_error", mails: 1, message }]);
  bench.fake.heal();
  // A minute later, as the throttle asks.
  await bench.db.mailThrottle.deleteMany();
  const retry = (id?: string) => retryMail(ctx, { ...ofNewsletter(weekly), id: id as string });
  expect(await retry(failed?.id)).toEqual({ sent: 1, closed: 0 });
  await finished();
  expect(arrived()).toEqual([email]);
  const [old, fresh] = await bench.mails();
  expect([old?.state, fresh?.state]).toEqual(["failed", "sent"]);
  expect((old as { retry_id?: string }).retry_id).toBe(fresh?.id);
  expect(fresh?.batch_id).not.toBe(old?.batch_id);
  expect(bench.fake.mails[0]?.text).toContain(`/confirm/${fresh?.id}`);
  expect(await trouble()).toEqual([]);
  for (const mail of [old, fresh]) await expect(retry(mail?.id)).rejects.toMatchObject({ code: "not_found" });
  expect(arrived()).toEqual([email]);
});

test("people who must not be emailed get no retry, and the mail has the reason", async () => {
  await ended(people(6), "uncertain");
  const set = (email: string, status: string) =>
    bench.db.subscriber.updateMany({
      where: { email },
      data: { status, unsubscribedAt: status === "unsubscribed" ? new Date() : null },
    });
  await set("person0@list.example", "active");
  await set("person1@list.example", "unsubscribed");
  for (const [email, reason] of [
    ["person2@list.example", "denied"],
    ["person3@list.example", "bounced"],
  ] as const) {
    await suppressAddress(bench.db, weekly.id, { email, reason });
  }
  // A newer confirmation.
  const email = "person5@list.example";
  await bench.ask(weekly.id, await bench.db.subscriber.findFirstOrThrow({ where: { email } }));
  expect(
    await retryMailsOfReason(ctx, { ...ofNewsletter(weekly), state: "uncertain", code: "validation_error" }),
  ).toEqual({ sent: 1, closed: 5 });
  await bench.deliver();
  await finished();
  expect(arrived()).toEqual(["person4@list.example", "person5@list.example"]);
  expect(await statesOf("person4@list.example")).toEqual(["uncertain", "sent"]);
  const closed = (await bench.mails()).filter((mail) => mail.state === "cancelled");
  expect(closed.map((mail) => mail.error_code)).toEqual([
    "not_pending",
    "not_pending",
    "suppressed",
    "bounced",
    "superseded",
  ]);
  expect(await trouble()).toEqual([]);
});

test("five concurrent retries of one reason send each mail once, and leave other reasons alone", async () => {
  await ended(people(230, "a"), "failed", "validation_error");
  await ended(people(3, "b"), "failed", "invalid_from_address");
  const reason = { state: "failed", code: "validation_error" } as const;
  const results = await Promise.all(
    Array.from({ length: 5 }, () => retryMailsOfReason(ctx, { ...ofNewsletter(weekly), ...reason })),
  );
  const last = await retryMailsOfReason(ctx, { ...ofNewsletter(weekly), ...reason });
  expect([...results, last].reduce((sum, { sent }) => sum + sent, 0)).toBe(230);
  await bench.deliver();
  await finished();
  expect(arrived()).toEqual(people(230, "a").sort());
  expect(await trouble()).toMatchObject([{ code: "invalid_from_address", mails: 3 }]);
  const audit = await bench.db.auditEntry.findMany({
    where: { action: "mails.retried", accountId: weekly.accountId },
  });
  expect(audit.reduce((sum, { detail }) => sum + (detail as { mails: number }).mails, 0)).toBe(230);
});
