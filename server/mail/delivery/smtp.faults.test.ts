import PostalMime from "postal-mime";
import { afterEach, beforeEach, expect, test } from "vitest";
import { environmentMail, loadConfig } from "../../config";
import { bench, openBenchForTests } from "../../test/mail-bench";
import { people, spawnDeliveryProcess, until } from "../../test/mail-fixture";
import { quick, type Tuning } from "../../test/mail-fixture-values";
import { startMailServer } from "../../test/smtp-fixture";
import { providerLimits } from "./provider";
import { checkSmtp } from "./smtp";

openBenchForTests();
let server: Awaited<ReturnType<typeof startMailServer>>;
let weekly: string;

/** As of a mail server, but for waits that a test need not have. */
const hasty: Partial<Tuning> = { ...providerLimits.smtp, ...quick, uncertainAfterSeconds: 0 };

beforeEach(async () => {
  server = await startMailServer();
  weekly = await bench.newsletter({ name: "Weekly, the" });
});
afterEach(async () => {
  await bench.stopDeliveries();
  await server.stop();
});

const transport = (url = server.url) => ({ kind: "smtp", url, mayBePlain: false }) as const;
const deliver = (url = server.url, tuning = hasty) => bench.deliver({ transport: transport(url), tuning });
const received = () => server.received.map(({ to }) => to).sort();

test("each mail arrives once, with the words and headers of the outbox, under its own id", async () => {
  await deliver();
  await bench.add(weekly, people(12));
  await bench.finished();
  expect(received()).toEqual(people(12).sort());
  const rows = await bench.mails();
  expect(new Set(rows.map(({ provider_id: id }) => id)).size).toBe(12);
  for (const { to, from, raw } of server.received) {
    const row = rows.find((one) => one.to_email === to);
    const mail = await PostalMime.parse(raw);
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    expect(row).toMatchObject({ state: "sent", provider_id: mail.messageId, attempts: 1 });
    expect(from).toBe("hello@list.example");
    expect(mail).toMatchObject({
      from: { address: "hello@list.example", name: "Rollcall" },
      to: [{ address: to }],
      subject: "Confirm your subscription to Weekly, the",
    });
    expect(header("auto-submitted")).toBe("auto-generated");
    expect(mail.text?.trim()).toBe(row?.text?.trim());
    expect(mail.html?.trim()).toBe(row?.html?.trim());
  }
});

test("permanent rejections fail with the server's words, at the address or after the message; the others arrive", async () => {
  server.behave((to) =>
    to.startsWith("person1@") ? { refuse: 550 } : to.startsWith("person2@") ? { reject: 554 } : {},
  );
  await deliver();
  await bench.add(weekly, people(4));
  await bench.finished();
  expect(received()).toEqual(["person0@list.example", "person3@list.example"]);
  const rows = await bench.mails();
  expect(rows.map(({ state, error_code: code }) => [state, code])).toEqual([
    ["sent", null],
    ["failed", "smtp_550"],
    ["failed", "smtp_554"],
    ["sent", null],
  ]);
  expect(rows[1]?.error_message).toContain("no such mailbox");
});

test("temporary rejections are retried for that mail only, and it arrives once", async () => {
  let asked = 0;
  server.behave((to) => (to.startsWith("person0@") && asked++ < 3 ? { refuse: 451 } : {}));
  await deliver();
  await bench.add(weekly, people(3));
  await bench.finished();
  expect(received()).toEqual(people(3));
  expect((await bench.mails()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ["sent", 4],
    ["sent", 1],
    ["sent", 1],
  ]);
});

test("a connection that breaks before the message is retried, and the mail arrives once", async () => {
  server.cut("at RCPT");
  await deliver();
  await bench.add(weekly, people(2));
  await until(() => server.conversations() >= 3, "three tries");
  server.cut(null);
  await bench.finished();
  expect(received()).toEqual(people(2));
});

test("a connection that breaks after the message leaves the mail uncertain, and it is not repeated", async () => {
  server.cut("after the message");
  await deliver();
  await bench.add(weekly, people(2));
  const rows = await bench.finished();
  expect(rows.map(({ state }) => state)).toEqual(["uncertain", "uncertain"]);
  expect(rows[0]?.error_message).toContain("can't arrive twice");
  server.cut(null);
  await bench.hurry();
  await bench.add(weekly, ["later@list.example"]);
  await bench.finished();
  expect(received()).toEqual(["later@list.example", ...people(2)]);
});

test.each([
  ["an unreachable server", "ECONNREFUSED", { port: "1" }],
  ["a wrong password", "wrong password", { password: "wrong" }],
])("mails wait during %s, health reports it, and each arrives once", async (_, issue, wrong) => {
  const url = Object.assign(new URL(server.url), wrong);
  const delivery = await deliver(url.href);
  await bench.add(weekly, people(3));
  await until(() => delivery.state().issue, "the issue");
  expect(delivery.state().issue?.message).toContain(issue);
  expect((await bench.mails()).map(({ state }) => state)).not.toContain("uncertain");
  expect(received()).toEqual([]);
  await bench.stopDeliveries();
  await bench.hurry();
  await deliver();
  await bench.finished();
  expect(received()).toEqual(people(3));
});

test("a mail is uncertain after its process was killed during the message", async () => {
  server.behave(() => ({ ms: 60_000 }));
  const tuning = { ...hasty, timeoutMs: 60_000, leaseSeconds: 60 };
  const child = await spawnDeliveryProcess({ databaseUrl: bench.url, transport: transport(), tuning });
  await bench.add(weekly, people(1));
  await until(() => server.received.length === 1, "the message");
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
  server.behave(() => ({}));
  // Ends the lease of the killed process.
  await bench.hurry();
  await deliver();
  const [row] = await bench.finished();
  expect(row?.state).toBe("uncertain");
  expect(received()).toEqual(people(1));
});

test("two processes and a faulty server send nothing twice, and lose nothing that is not marked uncertain", async () => {
  let mails = 0;
  server.behave(() => {
    const fault = mails++ % 5;
    if (fault === 1) return { refuse: 450 };
    return fault === 3 ? { reject: 421 } : {};
  });
  server.cut("after the message", 4);
  await Promise.all([deliver(), deliver()]);
  await bench.add(weekly, people(40));
  const rows = await bench.finished();
  expect(new Set(received()).size).toBe(received().length);
  const states = Object.fromEntries(rows.map(({ to_email, state }) => [to_email, state]));
  for (const email of people(40)) {
    expect(["sent", "uncertain"]).toContain(states[email]);
    if (states[email] === "sent") expect(received()).toContain(email);
  }
  const uncertain = rows.filter(({ state }) => state === "uncertain").length;
  expect(uncertain).toBeGreaterThan(4);
  expect(uncertain).toBeLessThan(20);
});

test("remote servers require TLS with a known certificate, unless the settings allow plain text", async () => {
  const config = (env: Record<string, string>) =>
    environmentMail(loadConfig({ MAIL_FROM: "a@b.org", ...env })).transport;
  expect(config({ SMTP_URL: "smtp://mail.example.org" })).toMatchObject({ mayBePlain: false });
  expect(config({ SMTP_URL: "smtp://mail.example.org", ALLOW_PLAINTEXT: "smtp" })).toMatchObject({
    mayBePlain: true,
  });
  for (const SMTP_URL of ["http://mail.example.org", "smtp://", "smtp://50%@mail.example.org"])
    expect(() => config({ SMTP_URL })).toThrow(/SMTP_URL: must look like/);
  expect(() => loadConfig({ SMTP_URL: "smtp://mail.example.org" })).toThrow(
    /MAIL_FROM: needed with SMTP_URL/,
  );
  expect(() => config({ SMTP_URL: "smtp://x.org", RESEND_API_KEY: "re_x" })).toThrow(
    /set one of them, not both/,
  );

  const options = { mayBePlain: false, timeoutMs: 5_000 };
  expect(await checkSmtp({ ...options, url: server.url })).toBeNull();
  const strange = await startMailServer({ secure: true });
  const url = strange.url.replace("smtp:", "smtps:");
  expect(await checkSmtp({ ...options, url }).finally(strange.stop)).toMatch(/certificate/);
  expect(await checkSmtp({ ...options, url: `smtp://who:am-i@127.0.0.1:${server.port}` })).toContain(
    "wrong password",
  );
});
