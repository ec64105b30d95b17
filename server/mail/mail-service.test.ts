import { afterEach, beforeEach, expect, test } from "vitest";
import { environmentMail, loadConfig } from "../config";
import { newId } from "../kernel/ids";
import type { Secrets } from "../kernel/secrets";
import { addNewsletter } from "../test/linked-person";
import { bench, openBenchForTests, weekly } from "../test/mail-bench";
import { people } from "../test/mail-fixture";
import {
  checkSendingDomains,
  getMailService,
  openMailService,
  openWebhookSecrets,
  reencryptMailSecrets,
  removeMailService,
  setMailService,
} from "./mail-service";

const [older, newer] = ["o".repeat(32), "n".repeat(32)];
const sender = "Weekly <hello@list.example>";

openBenchForTests({ reset: false });
let accountId: string;
beforeEach(async () => {
  const { accountId: id } = await bench.db.newsletter.findUniqueOrThrow({ where: { id: weekly } });
  accountId = id;
});
afterEach(async () => {
  await bench.db.mailService.deleteMany();
  await bench.reset();
});

function installation(authSecrets: Secrets = [older], env: Record<string, string> = {}) {
  const environment = environmentMail(loadConfig({ RESEND_BASE_URL: bench.fake.url, ...env }));
  const sources = { db: bench.db, authSecrets, environmentMail: environment };
  const actor = { kind: "staff", id: newId(), accountId, role: "owner", address: "192.0.2.7" } as const;
  return { ...sources, mailService: openMailService(sources), actor, requestId: "test" };
}
const set = (apiKey: string | null, as = sender, ctx = installation(), webhookSecret: string | null = null) =>
  setMailService(ctx, { accountId, service: { apiKey, sender: as, webhookSecret } });
const view = (ctx = installation()) => getMailService(ctx, { accountId });
const stored = () => bench.db.mailService.findFirst();

test("an accepted key is stored encrypted and used at once by running processes", async () => {
  const { mailService } = installation();
  const delivery = await bench.deliver({ mailService });
  await bench.add(weekly, people(1, "kept"));
  await expect.poll(async () => (await bench.mails())[0]?.state, { timeout: 15_000 }).toBe("logged");
  expect(await view()).toMatchObject({ setBy: null, isOpen: true });

  await set("re_abc_secretsecret");
  const shown = { setBy: "dashboard", kind: "resend", sender, keyStart: "re_abc", isOpen: true };
  expect(await view()).toEqual({ ...shown, reportsSetBy: null });
  expect(JSON.stringify(await stored())).not.toContain("secret");
  await bench.add(weekly, people(1, "mailed"));
  await expect.poll(() => bench.stateOf(people(1, "mailed")[0] as string), { timeout: 15_000 }).toBe("sent");
  // Mails that were only stored are not sent automatically.
  expect(bench.fake.mails.map(({ to, from }) => [to[0], from])).toEqual([
    [people(1, "mailed")[0], "Weekly <hello@list.example>"],
  ]);

  await removeMailService(installation(), { accountId });
  await bench.add(weekly, people(1, "after"));
  await expect.poll(() => bench.stateOf(people(1, "after")[0] as string), { timeout: 15_000 }).toBe("logged");
  expect(delivery.state().issue).toBeNull();
  const said = await bench.db.auditEntry.findMany({ where: { accountId }, orderBy: { id: "asc" } });
  expect(said.map(({ action, detail }) => [action, detail])).toEqual([
    ["mail_service.set", { sender, newKey: true, newWebhookSecret: false }],
    ["mail_service.removed", null],
  ]);
});

test("saving without a key changes only the sender, and needs a stored key", async () => {
  await expect(set(null)).rejects.toMatchObject({ errors: { apiKey: [expect.stringContaining("Paste")] } });
  await set("re_abc_1");
  await set(null, "hello@young.example");
  expect(await installation().mailService()).toMatchObject({
    transport: { apiKey: "re_abc_1" },
    from: "hello@young.example",
  });
});

test.each([
  ["an invalid key", "sk_live_1", sender, "apiKey"],
  ["a key with a line break", "re_a\r\nX-Evil: 1", sender, "apiKey"],
  ["a sender without an address", "re_abc_1", "Weekly", "sender"],
])("%s is rejected at its field", async (_, key, as, field) => {
  await expect(set(key, as)).rejects.toMatchObject({
    code: "validation_error",
    errors: { [field]: [expect.any(String)] },
  });
  expect(await stored()).toBeNull();
});

test("a key that Resend rejects, or does not answer for, changes nothing", async () => {
  await set("re_good_1");
  const before = await stored();
  bench.fake.fault({ kind: "error", times: 1, status: 400, name: "validation_error" });
  await expect(set("re_bad_1")).rejects.toMatchObject({
    errors: { apiKey: [expect.stringContaining("Resend rejected this key")] },
  });
  for (const fault of [{ kind: "reset" }, { kind: "error", status: 503 }, { kind: "rate" }] as const) {
    bench.fake.fault({ ...fault, times: 1 });
    await expect(set("re_new_1")).rejects.toMatchObject({ code: "service_unavailable" });
  }
  expect(await stored()).toEqual(before);
});

test("a key that can only send is accepted", async () => {
  bench.fake.fault({ kind: "error", status: 401, name: "restricted_api_key" });
  await set("re_sends_1");
  expect(await checkSendingDomains(installation(), { accountId })).toEqual({
    domains: [],
    problem: expect.stringContaining("can only send"),
  });
});

test("the domains of all senders are shown with their state at Resend", async () => {
  await set("re_abc_1");
  await bench.db.newsletter.update({ where: { id: weekly }, data: { sender: "a@Young.example" } });
  const absent = await bench.newsletter();
  await bench.db.newsletter.update({
    where: { id: absent },
    data: { accountId, sender: "B <b@no.example>" },
  });
  await bench.db.account.deleteMany({ where: { id: { not: accountId } } });
  try {
    const { domains, problem } = await checkSendingDomains(installation(), { accountId });
    expect(problem).toBeNull();
    expect(Object.fromEntries(domains.map(({ domain, state }) => [domain, state]))).toEqual({
      "list.example": "verified",
      "young.example": "waiting",
      "no.example": "absent",
    });
    bench.fake.fault({ kind: "reset", times: 1 });
    expect((await checkSendingDomains(installation(), { accountId })).problem).toContain("does not answer");
  } finally {
    await bench.db.newsletter.updateMany({ data: { sender: null } });
  }
});

test("the environment takes precedence, and nothing can be set beside it", async () => {
  await set("re_own_1");
  const ctx = installation([older], { RESEND_API_KEY: "re_env_1", MAIL_FROM: "Env <env@list.example>" });
  expect(await ctx.mailService()).toMatchObject({
    transport: { apiKey: "re_env_1" },
    from: "Env <env@list.example>",
  });
  expect(await view(ctx)).toMatchObject({ setBy: "environment", keyStart: null, isOpen: false });
  await expect(set("re_new_1", sender, ctx)).rejects.toMatchObject({ code: "forbidden" });
  await expect(removeMailService(ctx, { accountId })).rejects.toMatchObject({ code: "forbidden" });
  expect(await installation().mailService()).toMatchObject({ transport: { apiKey: "re_own_1" } });
});

test("accounts that share an installation can't set the service or see domains", async () => {
  await set("re_abc_1");
  const other = await addNewsletter(bench.db);
  try {
    expect(await view()).toMatchObject({ isOpen: false });
    await expect(set("re_new_1")).rejects.toMatchObject({ code: "forbidden" });
    await expect(removeMailService(installation(), { accountId })).rejects.toMatchObject({
      code: "forbidden",
    });
    expect((await checkSendingDomains(installation(), { accountId })).domains).toEqual([]);
  } finally {
    await bench.db.newsletter.delete({ where: { id: other.id } });
    await bench.db.account.delete({ where: { id: other.accountId } });
  }
});

test("a key is re-encrypted for a new secret; without its secret mails wait for another key", async () => {
  await set("re_abc_1");
  const both = installation([newer, older]);
  expect(await both.mailService()).toMatchObject({ transport: { apiKey: "re_abc_1" } });
  await reencryptMailSecrets(both);
  expect(await installation([newer]).mailService()).toMatchObject({ transport: { apiKey: "re_abc_1" } });

  const lost = installation([older]);
  expect(await view(lost)).toMatchObject({ setBy: "dashboard", keyStart: null });
  await expect(set(null, sender, lost)).rejects.toMatchObject({ code: "validation_error" });
  const delivery = await bench.deliver({ mailService: lost.mailService });
  await bench.add(weekly, people(1));
  await expect.poll(() => delivery.state().issue?.message, { timeout: 15_000 }).toContain("AUTH_SECRET");
  expect((await bench.mails()).map(({ state }) => state)).toEqual(["sending"]);
  await set("re_again_1", sender, lost);
  await bench.hurry();
  await bench.finished();
  expect(bench.fake.mails.map(({ to }) => to[0])).toEqual(people(1));
});

test("the webhook secret is stored encrypted until it is replaced; the environment's takes precedence", async () => {
  const [secret, other] = [`whsec_${"a".repeat(24)}`, `whsec_${"b".repeat(24)}`];
  const secrets = (ctx = installation()) => openWebhookSecrets(ctx)();
  await expect(set("re_abc_1", sender, installation(), "secret")).rejects.toMatchObject({
    errors: { webhookSecret: [expect.stringContaining("whsec_")] },
  });
  await set("re_abc_1");
  expect(await secrets()).toBeNull();
  await set(null, sender, installation(), secret);
  await set(null, "hello@list.example");
  expect(await secrets()).toEqual([secret]);
  expect(await view()).toMatchObject({ reportsSetBy: "dashboard" });
  expect(JSON.stringify(await stored())).not.toContain("aaaa");

  await reencryptMailSecrets(installation([newer, older]));
  expect(await secrets(installation([newer]))).toEqual([secret]);
  expect(await secrets(installation([older]))).toBeNull();
  const beside = installation([newer], { RESEND_WEBHOOK_SECRET: other });
  expect(await secrets(beside)).toEqual([other]);
  expect(await view(beside)).toMatchObject({ setBy: "dashboard", reportsSetBy: "environment" });

  await removeMailService(installation(), { accountId });
  expect(await secrets()).toBeNull();
});
