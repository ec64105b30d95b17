import { beforeEach, describe, expect, test } from "vitest";
import { type OfNewsletter, ofNewsletter } from "../accounts/context";
import { startBulkAction } from "../bulk-actions/bulk-actions";
import { signUp } from "../sign-up/sign-up";
import { hardReasons } from "../suppressions/schema/suppressions";
import { suppressAddress } from "../test/linked-person";
import { bench, openBenchForTests, openEditor } from "../test/mail-bench";
import { until } from "../test/mail-fixture";
import type { Ctx } from "./context";
import { createSubscriber } from "./create-subscribers";
import { askAgain, getPerson } from "./person";
import { deleteSubscribers } from "./queries/subscribers";
import { resendConfirmation } from "./resend-confirmation";
import { NewSubscriber } from "./schema/subscriber";

openBenchForTests();
const EMAIL = "ada@list.example";
let of: OfNewsletter;
let ctx: Ctx;
beforeEach(async () => {
  const { weekly, ...editor } = await openEditor();
  of = ofNewsletter(weekly);
  ctx = editor.ctx;
});

const people = () => bench.db.subscriber.findMany({ where: { newsletterId: of.newsletterId } });
const mails = () =>
  bench.db.mail.findMany({ where: { newsletterId: of.newsletterId }, orderBy: { id: "asc" } });
const suppressAda = (reason: Parameters<typeof suppressAddress>[2]["reason"] = "unsubscribed") =>
  suppressAddress(bench.db, of.newsletterId, { email: EMAIL, reason });
/** As if an email had asked that many days ago, and nothing had been sent since. */
async function askedBefore(days: number) {
  await bench.db.$executeRaw`UPDATE suppressions SET asked_at = now() - make_interval(days => ${days}::int)
    WHERE newsletter_id = ${of.newsletterId}::uuid`;
  await bench.db.$executeRaw`DELETE FROM mail_throttle`;
  await bench.db
    .$executeRaw`UPDATE mails SET state = 'logged' WHERE state = 'waiting' AND newsletter_id = ${of.newsletterId}::uuid`;
}
/** The days since the last email that asked; null: never. */
async function daysSinceAsked() {
  const { askedAt } = await bench.db.suppression.findFirstOrThrow({
    where: { newsletterId: of.newsletterId },
  });
  return askedAt && Math.round((Date.now() - askedAt.getTime()) / 86_400_000);
}

const create = () =>
  createSubscriber(ctx, {
    origin: { newsletterId: of.newsletterId, source: "api", sourceId: null },
    input: NewSubscriber.parse({ email: EMAIL, status: "pending" }),
  });
const onPage = () => {
  const { email, name } = NewSubscriber.parse({ email: EMAIL });
  const agreement = { wording: "Yes.", version: 1, page: "", from: null, at: new Date().toISOString() };
  const visitor = { ...ctx, actor: { kind: "page", address: null } as const };
  return signUp(visitor, { newsletterId: of.newsletterId, email, name, fields: {}, agreement });
};
const quietly = (work: Promise<unknown>) => work.catch(() => {});

describe("a suppressed address that is not on the list", () => {
  test.each([
    ["a create", create],
    ["the sign-up page", onPage],
  ])("is asked by %s at first, and again only after 180 days", async (_, ask) => {
    await suppressAda();
    const asks = async () => {
      await quietly(ask());
      const [person] = await people();
      if (person)
        await bench.db.$transaction((tx) => deleteSubscribers(tx, of.newsletterId, [person.id], {}));
      return person?.status;
    };
    expect([await asks(), await daysSinceAsked()]).toEqual(["pending", 0]);
    expect(await asks()).toBeUndefined();
    await askedBefore(179);
    expect([await asks(), await daysSinceAsked()]).toEqual([undefined, 179]);
    await askedBefore(181);
    expect([await asks(), await daysSinceAsked()]).toEqual(["pending", 0]);
    expect(await asks()).toBeUndefined();
  });

  test.each(hardReasons)("is never asked if it is %s", async (reason) => {
    await suppressAda(reason);
    await askedBefore(400);
    await expect(create()).rejects.toMatchObject({ code: "email_suppressed" });
    await onPage();
    expect([await people(), await mails(), await daysSinceAsked()]).toEqual([[], [], 400]);
  });
});

describe("a pending person whose address is suppressed", () => {
  const ways: [string, (id: string) => Promise<unknown>][] = [
    ["staff on the dashboard", (id) => askAgain(ctx, { ...of, id })],
    ["the API", (id) => resendConfirmation(ctx, { ...of, id })],
    ["the sign-up page", onPage],
  ];

  test.each(ways)("is asked again by %s only after 180 days, and the email is sent", async (_, ask) => {
    await suppressAda();
    const { id } = (await create()).record;
    for (const [days, sent] of [
      [179, 1],
      [181, 2],
      [0, 2],
    ] as const) {
      await askedBefore(days);
      const before = (await getPerson(ctx, { ...of, id })).person.asking;
      expect(before).toBe(days > 180 ? null : "not_to_be_mailed");
      await quietly(ask(id));
      expect([(await mails()).length, await daysSinceAsked()]).toEqual([sent, days > 180 ? 0 : days]);
      if (days !== 181) continue;
      await bench.deliver();
      await until(async () => (await mails()).at(-1)?.state === "sent", "the mail to leave");
      expect(bench.fake.mails.map(({ to }) => String(to))).toEqual([EMAIL]);
    }
  });

  test("is not asked by a bulk action, or for a hard reason by anyone", async () => {
    await suppressAda();
    const { id } = (await create()).record;
    await askedBefore(400);
    const { newsletterId } = of;
    const bulk = await startBulkAction(ctx, { newsletterId, kind: "confirm", target: { ids: [id] } });
    expect(bulk).toMatchObject({ done: 0, skipped: { not_to_be_mailed: 1 } });
    await suppressAda("complained");
    for (const [, ask] of ways) await quietly(ask(id));
    expect([(await mails()).length, await daysSinceAsked()]).toEqual([1, 400]);
  });
});
