import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openOutbox } from "../mail/outbox";
import type { ConfirmationClaims } from "../mail/signed-links";
import { type Database, openDatabase, type Tx } from "../platform/db/client";
import { openJobs } from "../platform/jobs/jobs";
import { findSuppression } from "../suppressions/queries/suppressions";
import { addLinkedPerson, addNewsletter, suppressAddress } from "../test/linked-person";
import { base, database, openDatabaseForTests } from "../test/open-database";
import {
  confirmByLink as confirm,
  denyByLink as deny,
  type LinkStatus,
  renewLink as renew,
  showConfirmation as show,
  unsubscribeByLink as unsubscribe,
} from "./confirmations";
import { lockSubscribers } from "./queries/subscribers";
import { setStatus } from "./set-status";
import type { Status } from "./status-moves";

openDatabaseForTests({ poolSize: 8 });
// Two pools stand for two processes: they share only the database.
let second: Database;
let ctx: ReturnType<typeof ctxOf>;
let other: ReturnType<typeof ctxOf>;
let newsletter: { id: string; accountId: string };

const ctxOf = ({ db }: Database) => ({
  db,
  outbox: openOutbox(openJobs({ databaseUrl: base.url, log: { warn: () => {}, error: () => {} } })),
  actor: { kind: "link", address: "203.0.113.7" } as const,
  requestId: "test-request",
});

beforeAll(() => {
  second = openDatabase({ url: base.url, poolSize: 8, onError: () => {} });
  [ctx, other] = [ctxOf(database), ctxOf(second)];
});
afterAll(() => second.close());
beforeEach(async () => {
  newsletter = await addNewsletter(database.db);
});

const add = (options?: Parameters<typeof addLinkedPerson>[2]) =>
  addLinkedPerson(database.db, newsletter.id, options);
const person = ({ newsletterId, subscriberId: id }: ConfirmationClaims) =>
  database.db.subscriber.findUnique({ where: { newsletterId_id: { newsletterId, id } } });
const events = ({ subscriberId }: ConfirmationClaims) =>
  database.db.subscriberEvent.findMany({ where: { subscriberId } });
const mails = ({ subscriberId }: ConfirmationClaims) =>
  database.db.mail.findMany({ where: { subscriberId }, orderBy: { id: "asc" } });
const suppressions = () => database.db.suppression.findMany({ where: { newsletterId: newsletter.id } });
const audits = (subjectId: string) => database.db.auditEntry.findMany({ where: { subjectId } });

describe("show", () => {
  test("a link of an unknown person or of another newsletter's person is not found", async () => {
    const claims = await add();
    const elsewhere = await addNewsletter(database.db);
    for (const wrong of [{ newsletterId: elsewhere.id }, { subscriberId: uuidv7() }])
      expect(await show(ctx, { ...claims, ...wrong })).toMatchObject({ linkStatus: "gone", email: null });
  });

  test("a link sent to an earlier address does not show the new address", async () => {
    const claims = await add({ status: "active" });
    await database.db.subscriber.update({
      where: { newsletterId_id: { newsletterId: newsletter.id, id: claims.subscriberId } },
      data: { email: "new@lovelace.org", emailCanonical: "new@lovelace.org" },
    });
    const view = await show(ctx, claims);
    expect(view).toMatchObject({ linkStatus: "outdated", email: null, confirmedAt: null });
  });
});

describe("confirm", () => {
  test("makes a pending person active at the database's time, and stores the origin", async () => {
    const claims = await add();
    const outcome = await confirm(ctx, claims);
    expect(outcome).toMatchObject({ done: true, linkStatus: "active", email: claims.email });
    const row = await person(claims);
    expect(row).toMatchObject({ status: "active", version: 2, confirmedAt: outcome.confirmedAt });
    expect(await show(ctx, claims)).toMatchObject({ linkStatus: "active", confirmedAt: row?.confirmedAt });
    expect(await events(claims)).toMatchObject([
      { kind: "confirmed", actorKind: "link", address: "203.0.113.7" },
    ]);
  });

  test("cancels waiting and held emails, and leaves sent ones unchanged", async () => {
    const claims = await add({ state: "waiting" });
    const { mailId, expiresAt, email, ...ids } = claims;
    const common = {
      ...ids,
      kind: "confirmation",
      toEmail: email,
      recipientHash: "p",
      linkExpiresAt: expiresAt,
    };
    const sent = { state: "sent", batchId: uuidv7(), batchPosition: 0, html: "", text: "" };
    for (const more of [{ state: "deferred", deferredUntil: new Date() }, { state: "failed" }, sent])
      await database.db.mail.create({ data: { ...common, id: uuidv7(), ...more } });
    await confirm(ctx, claims);
    const rows = await mails(claims);
    expect(rows.map((mail) => mail.state)).toEqual(["cancelled", "cancelled", "failed", "sent"]);
    expect(rows[1]).toMatchObject({ deferredUntil: null, finishedAt: expect.any(Date) });
  });

  test("a link still works after a change of letter case in the address", async () => {
    const claims = await add();
    await database.db.mail.update({
      where: { id: claims.mailId },
      data: { toEmail: claims.email.toUpperCase() },
    });
    expect((await confirm(ctx, claims)).done).toBe(true);
  });

  test("the database never adds an address again after 'this wasn't me'", async () => {
    const denied = await add();
    await deny(ctx, denied);
    await expect(add({ email: denied.email })).rejects.toThrow(/suppressed/);
  });
});

test("a link sent before an opt-out was recorded does not reactivate, even after another request", async () => {
  const move = async (tx: Tx, { newsletterId, subscriberId }: ConfirmationClaims, to: Status) =>
    setStatus(tx, {
      subscribers: await lockSubscribers(tx, newsletterId, [subscriberId]),
      to,
      actor: { kind: "operator" },
    });
  const claims = await second.db.$transaction(async (tx) => {
    // The transaction begins before the email is written.
    await tx.$queryRaw`SELECT now()`;
    const mailed = await add();
    await move(tx, mailed, "unsubscribed");
    return mailed;
  });
  await second.db.$transaction((tx) => move(tx, claims, "pending"));
  expect(await confirm(ctx, claims)).toMatchObject({ done: false, linkStatus: "expired" });
  expect(await person(claims)).toMatchObject({ status: "pending" });
});

describe("deny", () => {
  test("removes the pending person and their emails, suppresses the address and writes an audit entry", async () => {
    const claims = await add();
    expect(await deny(ctx, claims)).toMatchObject({ done: true, linkStatus: "denied" });
    expect(await person(claims)).toBeNull();
    expect(await mails(claims)).toEqual([]);
    expect(await suppressions()).toMatchObject([{ email: null, reason: "denied" }]);
    expect(await findSuppression(database.db, newsletter.id, claims.email)).toMatchObject({
      reason: "denied",
    });
    expect(await audits(claims.subscriberId)).toMatchObject([
      {
        action: "subscriber.denied",
        actorKind: "link",
        address: "203.0.113.7",
        requestId: "test-request",
        accountId: newsletter.accountId,
        newsletterId: newsletter.id,
      },
    ]);
  });

  test("leaves another newsletter's person with the same address unchanged", async () => {
    const claims = await add();
    const elsewhere = await addNewsletter(database.db);
    const same = await addLinkedPerson(database.db, elsewhere.id, { email: claims.email });
    await deny(ctx, claims);
    expect(await show(ctx, same)).toMatchObject({ linkStatus: "pending" });
  });

  test("of concurrent confirm and deny in two processes one counts, and neither fails", async () => {
    for (let round = 0; round < 12; round++) {
      const claims = await add();
      const presses = [
        () => confirm(ctx, claims),
        () => deny(other, claims),
        () => confirm(other, claims),
        () => deny(ctx, claims),
      ];
      if (round % 2) presses.reverse();
      const outcomes = await Promise.all(presses.map((press) => press()));
      const done = outcomes.filter((outcome) => outcome.done);
      expect(done).toHaveLength(1);
      const confirmed = done[0]?.linkStatus === "active";
      expect(outcomes.every(({ linkStatus }) => linkStatus === (confirmed ? "active" : "denied"))).toBe(true);
      expect(await events(claims)).toHaveLength(confirmed ? 1 : 0);
      expect((await person(claims)) !== null).toBe(confirmed);
      expect((await findSuppression(database.db, newsletter.id, claims.email))?.reason).toBe(
        confirmed ? undefined : "denied",
      );
      expect(await audits(claims.subscriberId)).toHaveLength(confirmed ? 0 : 1);
    }
  });
});

describe("unsubscribe", () => {
  test("lets the owner of the mailbox unsubscribe after another person confirmed", async () => {
    const claims = await add();
    await confirm(ctx, claims);
    await suppressAddress(database.db, newsletter.id, { email: claims.email, reason: "bounced" });
    expect(await unsubscribe(ctx, claims)).toMatchObject({ done: true, linkStatus: "unsubscribed" });
    // Only a confirmation lifts it.
    expect(await suppressions()).toMatchObject([{ reason: "bounced" }]);
    expect(await person(claims)).toMatchObject({
      status: "unsubscribed",
      unsubscribedAt: expect.any(Date),
      version: 3,
    });
    expect((await events(claims)).map((event) => event.kind)).toEqual(["confirmed", "unsubscribed"]);
    expect(await unsubscribe(other, claims)).toMatchObject({ done: false, linkStatus: "unsubscribed" });
  });
});

describe("renew", () => {
  test("sends one new link, however often it is requested", async () => {
    const claims = await add({ expiresInMs: -2_000, state: "failed" });
    const outcomes = await Promise.all([ctx, other, ctx, other].map((who) => renew(who, claims)));
    expect(outcomes.filter(({ done }) => done)).toHaveLength(1);
    expect(outcomes.every(({ renewed }) => renewed)).toBe(true);
    const rows = await mails(claims);
    expect(rows.map((mail) => mail.state)).toEqual(["failed", "waiting"]);
    expect(rows[1]?.toEmail).toBe(claims.email);
    expect(await show(ctx, claims)).toMatchObject({ linkStatus: "expired", renewed: true });
  });
});

type Linked = Awaited<ReturnType<typeof add>>;
type Case = [
  title: string,
  press: typeof confirm,
  found: LinkStatus,
  options?: Parameters<typeof add>[0],
  before?: (claims: Linked) => unknown,
];
const expired = { expiresInMs: -2_000 };
const failed = { state: "failed" };
const active = { status: "active" } as const;
const changeAddress = ({ mailId: id }: Linked) =>
  database.db.mail.update({ where: { id }, data: { toEmail: "old@lovelace.org" } });
const denyBefore = ({ email }: Linked) =>
  suppressAddress(database.db, newsletter.id, { email, reason: "denied" });

test.each<Case>([
  ["confirm, unsubscribed", confirm, "unsubscribed", { status: "unsubscribed" }],
  ["confirm, active with an expired link", confirm, "active", { ...active, ...expired }],
  ["confirm, expired link", confirm, "expired", expired],
  ["confirm, link to an earlier address", confirm, "outdated", {}, changeAddress],
  ["confirm, denied address", confirm, "suppressed", {}, denyBefore],
  ["deny, active", deny, "active", active],
  ["unsubscribe, pending", unsubscribe, "pending"],
  ["unsubscribe, active with an expired link", unsubscribe, "active", { ...active, ...expired }],
  ["renew, working link", renew, "pending", failed],
  ["renew, denied address", renew, "suppressed", { ...failed, ...expired }, denyBefore],
])("a press changes nothing: %s", async (_, press, found, options, before) => {
  const claims = await add(options);
  await before?.(claims);
  const read = async () => [await person(claims), await mails(claims), await suppressions()];
  const stored = await read();
  expect(await press(ctx, claims)).toMatchObject({ done: false, linkStatus: found });
  expect(await read()).toEqual(stored);
});
