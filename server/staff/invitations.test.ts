import { afterEach, beforeEach, expect, test } from "vitest";
import { newId } from "../kernel/ids";
import { openLinks } from "../mail/signed-links";
import { bench, openBenchForTests } from "../test/mail-bench";
import { until } from "../test/mail-fixture";
import {
  findInvitation,
  getInvitation,
  invite,
  inviteAgain,
  join,
  listInvitations,
  withdrawInvitation,
} from "./invitations";

const links = openLinks({ secrets: ["s".repeat(32)], appUrl: "https://list.example" });
const joining = { name: "Grace", password: "a long enough password" };

openBenchForTests({ reset: false });
let accountId: string;
let owner: string;

beforeEach(async () => {
  accountId = (await bench.db.account.create({ data: { id: newId(), name: 'Paper & "Ink"' } })).id;
  owner = newId();
  const robin = {
    id: owner,
    accountId,
    email: `${owner}@list.example`,
    name: "Robin\r\nCalder",
    role: "owner",
  };
  await bench.db.staffMember.create({ data: robin });
});
afterEach(async () => {
  await bench.db.invitation.deleteMany();
  await bench.reset();
});

const ctx = () =>
  ({
    db: bench.db,
    outbox: bench.outbox,
    actor: { kind: "staff", id: owner, accountId, role: "owner", address: "192.0.2.7" },
    requestId: "test",
    links,
  }) as unknown as Parameters<typeof invite>[0];
const ask = (email = "grace@navy.mil") => invite(ctx(), { accountId, invitation: { email, role: "editor" } });
const tokenIn = (text: string | undefined) =>
  /https:\/\/list\.example\/join\/([\w-]{32})\n/.exec(text ?? "")?.[1] as string;
const listed = async () => (await listInvitations(bench, { accountId }))[0];
/** A minute passes. */
const later = () => bench.db.$executeRaw`UPDATE mails SET created_at = created_at - interval '2 minutes'`;

test("an invitation email names its sender, account, role and expiry, and its link works once", async () => {
  await ask();
  await bench.deliver();
  const [row] = await bench.finished();
  expect(row).toMatchObject({ state: "sent", subscriber_id: null, to_email: "grace@navy.mil" });
  const [mail] = bench.fake.mails;
  expect(mail).toMatchObject({
    from: "Rollcall <hello@list.example>",
    to: ["grace@navy.mil"],
    subject: 'Robin Calder invites you to Paper & "Ink"',
  });
  expect(mail?.text).toContain(
    `Robin Calder (${owner}@list.example) invites you to the staff of Paper & "Ink", as an editor`,
  );
  expect(mail?.text).toContain("once, for 7 days");
  const token = tokenIn(mail?.text);
  expect(await findInvitation(bench, { token })).toMatchObject({ email: "grace@navy.mil", role: "editor" });
  for (const password of ["grace@navy.mil", "GraceHopper1"])
    await expect(join(ctx(), { token, joining: { name: "Grace Hopper", password } })).rejects.toMatchObject({
      errors: { password: [expect.stringContaining("too similar")] },
    });
  expect(await join(ctx(), { token, joining })).toEqual({ email: "grace@navy.mil" });
  await expect(join(ctx(), { token, joining: { ...joining, name: "Eve" } })).rejects.toMatchObject({
    code: "not_found",
  });
  // The mail held the link; it goes with the invitation.
  expect(await bench.mails()).toEqual([]);
  expect(await listed()).toBeUndefined();
});

test("the link is emailed at most once whatever Resend answers, and a rejected email can be sent again under a new key", async () => {
  bench.fake.fault({ kind: "reset", after: true, times: 1 });
  await ask();
  await bench.deliver();
  await bench.finished();
  expect(bench.fake.mails).toHaveLength(1);
  expect(new Set(bench.fake.requests.map((request) => request.key)).size).toBe(1);
  await expect(inviteAgain(ctx(), { accountId, id: (await listed())?.id as string })).rejects.toMatchObject({
    code: "validation_error",
  });
  await later();
  const first = await listed();
  await bench.db.$executeRaw`UPDATE invitations SET expires_at = now() - interval '1 second'`;
  expect(await listed()).toMatchObject({ expired: true });
  expect(await findInvitation(bench, { token: tokenIn(bench.fake.mails[0]?.text) })).toBe(null);
  await inviteAgain(ctx(), { accountId, id: first?.id as string });
  await until(async () => bench.fake.mails.length === 2, "the second mail");
  expect(bench.fake.mails[1]?.key).not.toBe(bench.fake.mails[0]?.key);
  expect(tokenIn(bench.fake.mails[1]?.text)).toBe(tokenIn(bench.fake.mails[0]?.text));
  expect(await listed()).toMatchObject({ expired: false });
  expect(await findInvitation(bench, { token: tokenIn(bench.fake.mails[1]?.text) })).not.toBe(null);
});

test("without a Resend key the email is stored, and staff can copy the link", async () => {
  const { url } = await ask();
  await bench.deliver({ key: false });
  await until(async () => (await bench.mails())[0]?.state === "logged", "the mail is kept");
  const found = await listed();
  expect(found).toMatchObject({
    email: "grace@navy.mil",
    invitedBy: "Robin\r\nCalder",
    mail: { state: "logged" },
  });
  const { url: again, mail } = await getInvitation(
    { db: bench.db, links },
    { accountId, id: found?.id as string },
  );
  expect(again).toBe(url);
  expect(mail?.text).toContain(url);
});

test("an invitation withdrawn before it is sent is not emailed, and its link opens nothing", async () => {
  const { url } = await ask();
  await withdrawInvitation(ctx(), { accountId, id: (await listed())?.id as string });
  await bench.deliver();
  await bench.add(await bench.newsletter(), ["someone@list.example"]);
  await bench.finished();
  expect(bench.fake.mails.map((mail) => String(mail.to))).toEqual(["someone@list.example"]);
  expect(await findInvitation(bench, { token: url.slice(-32) })).toBe(null);
});

test("an address has one invitation at a time; staff of the account can't be invited, and staff of other accounts stay unknown", async () => {
  await ask();
  await expect(ask("GRACE@navy.mil")).rejects.toMatchObject({
    errors: { email: [expect.stringContaining("already")] },
  });
  await expect(ask(`${owner}@list.example`)).rejects.toMatchObject({ code: "validation_error" });
  const id = (await listed())?.id as string;
  const stranger = newId();
  for (const act of [
    () => inviteAgain(ctx(), { accountId: stranger, id }),
    () => withdrawInvitation(ctx(), { accountId: stranger, id }),
    () => getInvitation({ db: bench.db, links }, { accountId: stranger, id }),
  ])
    await expect(act()).rejects.toMatchObject({ code: "not_found" });
  expect(await listInvitations(bench, { accountId: newId() })).toEqual([]);
});

test("after a rotation of AUTH_SECRET an invitation still opens, and sending it again makes a new link", async () => {
  const { url } = await ask();
  const id = (await listed())?.id as string;
  await bench.deliver();
  await bench.finished();
  await later();
  const rotated = (...secrets: [string, ...string[]]) => ({
    ...ctx(),
    links: openLinks({ secrets, appUrl: "https://list.example" }),
  });
  const [older, newer] = ["s".repeat(32), "t".repeat(32)];
  expect(await findInvitation(bench, { token: url.slice(-32) })).not.toBe(null);
  expect((await getInvitation(rotated(newer, older), { accountId, id })).url).toBe(url);
  await expect(getInvitation(rotated(newer), { accountId, id })).rejects.toMatchObject({
    code: "validation_error",
  });
  await inviteAgain(rotated(newer), { accountId, id });
  await until(async () => bench.fake.mails.length === 2, "the second mail");
  const token = tokenIn(bench.fake.mails[1]?.text);
  expect(token).not.toBe(url.slice(-32));
  expect(await findInvitation(bench, { token })).not.toBe(null);
  expect(await findInvitation(bench, { token: url.slice(-32) })).toBe(null);
});
