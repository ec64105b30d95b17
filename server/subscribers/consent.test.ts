import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startBulkAction } from "../bulk-actions/bulk-actions";
import { newId } from "../kernel/ids";
import { findSuppression } from "../suppressions/queries/suppressions";
import { bench, openBenchForTests, openEditor } from "../test/mail-bench";
import { until } from "../test/mail-fixture";
import { confirmByLink } from "./confirmations";
import type { Ctx } from "./context";
import { createSubscriber, createSubscribers } from "./create-subscribers";
import { deleteSubscribers } from "./queries/subscribers";
import { NewSubscriber, SubscriberPatch } from "./schema/subscriber";
import { unsubscribe, updateSubscriber } from "./subscribers";

openBenchForTests({ reset: false });
let weekly: { id: string; accountId: string };
let ctx: Ctx;
beforeAll(async () => {
  await bench.deliver();
});
beforeEach(async () => {
  ({ weekly, ctx } = await openEditor());
});

const origin = () => ({ newsletterId: weekly.id, source: "api", sourceId: null }) as const;
const input = (email: string, status: "active" | "pending" = "active") =>
  NewSubscriber.parse({ email, status });
const create = async (email: string, status?: "active" | "pending") =>
  (await createSubscriber(ctx, { origin: origin(), input: input(email, status) })).record;
const put = (id: string, patch: object) =>
  updateSubscriber(ctx, { newsletterId: weekly.id, id, patch: SubscriberPatch.parse(patch) });
const erase = (id: string, forget = false) =>
  bench.db.$transaction((tx) => deleteSubscribers(tx, weekly.id, [id], forget ? {} : { by: "dashboard" }));
const rowOf = (id: string) => bench.db.subscriber.findFirst({ where: { newsletterId: weekly.id, id } });
const suppressed = (email: string) => findSuppression(bench.db, weekly.id, email);

/** Creates a person who was active and has unsubscribed. */
async function left(email: string): Promise<string> {
  const { id } = await create(email);
  await unsubscribe(ctx, { newsletterId: weekly.id, id });
  return id;
}

/** Presses the link in the latest email to an unsubscribed person. */
async function press(id: string) {
  const where = { newsletterId: weekly.id, subscriberId: id };
  const mail = await until(async () => {
    const latest = await bench.db.mail.findFirst({ where, orderBy: { id: "desc" } });
    return latest?.state === "sent" && latest;
  }, "the mail to have left");
  const claims = { ...where, mailId: mail.id, expiresAt: mail.linkExpiresAt };
  return confirmByLink({ ...ctx, actor: { kind: "link", address: null } }, claims);
}

describe("no other way reverses an opt-out", () => {
  test("DELETE, PUT pending, PUT active or bulk action active: rejected until they confirm", async () => {
    const id = await left("ada@list.example");
    const since = (await rowOf(id))?.unsubscribedAt;
    await put(id, { status: "pending" });
    expect(await rowOf(id)).toMatchObject({ status: "pending", unsubscribedAt: since });
    await expect(put(id, { status: "active" })).rejects.toMatchObject({
      code: "validation_error",
      errors: { status: [expect.stringMatching(/Only they can resubscribe/)] },
    });
    const bulk = await startBulkAction(ctx, {
      newsletterId: weekly.id,
      kind: "activate",
      target: { ids: [id] },
    });
    expect(bulk).toMatchObject({ done: 0, skipped: { unsubscribed: 1 } });
    expect(await press(id)).toMatchObject({ done: true, linkStatus: "active" });
    expect(await rowOf(id)).toMatchObject({ status: "active", unsubscribedAt: null });
  });

  test("DELETE, PUT another email, POST the old one: rejected, single and bulk; as pending, one email is sent", async () => {
    const id = await left("old@list.example");
    await put(id, { email: "new@list.example" });
    expect(await suppressed("old@list.example")).toMatchObject({ reason: "unsubscribed" });
    await expect(create("old@list.example")).rejects.toMatchObject({
      code: "email_suppressed",
      errors: { email: ["The person at this address unsubscribed. Leave this address out."] },
    });
    const items = ["old@list.example", "other@list.example"].map((email, index) => ({
      index,
      input: input(email),
    }));
    const bulk = { origin: origin(), items, faults: [] };
    await expect(createSubscribers(ctx, { ...bulk, onDuplicate: "error" })).rejects.toMatchObject({
      code: "validation_error",
      items: [{ index: 0, code: "suppressed" }],
      message: expect.stringContaining("on_duplicate=skip"),
    });
    expect(await bench.db.subscriber.count({ where: { newsletterId: weekly.id } })).toBe(1);
    for (const onDuplicate of ["skip", "update"] as const)
      expect((await createSubscribers(ctx, { ...bulk, onDuplicate })).skipped).toEqual([
        { index: 0, email: "old@list.example", reason: "suppressed" },
      ]);
    expect(await bench.db.subscriber.count({ where: { newsletterId: weekly.id } })).toBe(2);
    const again = await create("old@list.example", "pending");
    await expect(put(again.id, { status: "active" })).rejects.toMatchObject({ code: "validation_error" });
    expect(await press(again.id)).toMatchObject({ done: true, linkStatus: "active" });
    expect(await suppressed("old@list.example")).toBeNull();
  });

  test("erasing all data of a person who opted out keeps a digest of their address", async () => {
    await erase(await left("ada@list.example"), true);
    const [digest] = await bench.db.suppression.findMany({ where: { newsletterId: weekly.id } });
    expect(digest).toMatchObject({ email: null, reason: "unsubscribed", source: "person" });
    await expect(create("ada@list.example")).rejects.toMatchObject({ code: "email_suppressed" });
  });

  test("an active person can't get the address of an unsubscribed person", async () => {
    await erase(await left("gone@list.example"));
    const { id } = await create("ada@list.example");
    await expect(put(id, { email: "gone@list.example" })).rejects.toMatchObject({ code: "email_suppressed" });
  });
});

describe("the database rejects, whatever the code does:", () => {
  const WHERE = "WHERE newsletter_id = $1::uuid AND id = $2::uuid";
  const run = (statement: string, ...values: unknown[]) =>
    bench.db.$executeRawUnsafe(statement, weekly.id, ...values);

  test("activating by hand, with and without a claimed confirmation", async () => {
    const id = await left("ada@list.example");
    const active = `UPDATE subscribers SET status = 'active', unsubscribed_at = NULL ${WHERE}`;
    const pending = `UPDATE subscribers SET status = 'pending', unsubscribed_at = NULL ${WHERE}`;
    for (const change of [active, pending]) await expect(run(change, id)).rejects.toThrow(/their own press/);
    const stillLeft = run(`UPDATE subscribers SET status = 'active' ${WHERE}`, id);
    await expect(stillLeft).rejects.toThrow(/subscribers_left_check/);
    const press = (mailId: string) =>
      bench.db.$transaction(async (tx) => {
        await tx.$executeRawUnsafe("SELECT set_config('rollcall.pressed_mail', $1, true)", mailId);
        await tx.$executeRawUnsafe(active, weekly.id, id);
      });
    await expect(press(newId())).rejects.toThrow(/their own press/);
    // An email to another person, and an email that was never sent.
    const other = await create("other@list.example", "pending");
    const sent = { subscriberId: other.id, state: "sent" };
    const mailed = await until(() => bench.db.mail.findFirst({ where: sent }), "a mail");
    await expect(press(mailed.id)).rejects.toThrow(/their own press/);
  });

  test("erasing and adding again, changing the address, and deleting the digest", async () => {
    const id = await left("ada@list.example");
    const insert = `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source)
      VALUES ($1::uuid, $2::uuid, 'ada@list.example', 'ada@list.example', $3, 'api')`;
    await run(`DELETE FROM subscribers ${WHERE}`, id);
    for (const status of ["active", "pending"])
      await expect(run(insert, newId(), status)).rejects.toThrow(/suppressed/);
    for (const change of ["DELETE FROM suppressions", "UPDATE suppressions SET reason = 'manual'"])
      await expect(run(`${change} WHERE newsletter_id = $1::uuid`)).rejects.toThrow(/their own press/);
    const { id: other } = await create("other@list.example");
    const move = `UPDATE subscribers SET email = 'ada@list.example', email_canonical = 'ada@list.example' ${WHERE}`;
    await expect(run(move, other)).rejects.toThrow(/suppressed/);
  });
});
