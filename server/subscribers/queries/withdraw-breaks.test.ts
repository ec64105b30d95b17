import { Client } from "pg";
import { expect, type TestContext, test } from "vitest";
import { startFakeResend } from "../../../e2e/fixtures/fake-resend";
import { createApp } from "../../app";
import { loadConfig } from "../../config";
import { newId } from "../../kernel/ids";
import { makeLog } from "../../kernel/log";
import { migrate } from "../../platform/db/migrate";
import { prepareJobs } from "../../platform/jobs/jobs";
import { handlePublic } from "../../public/handler";
import { createTestDatabase } from "../../test/database";
import { openJobRunner, passTime } from "../../test/every-job";
import { migrateBefore } from "../../test/old-schema";
import { listActivities } from "../timeline";

const WITHDRAWAL = "20261129010000_withdraw_breaks";

/** A database of an earlier version, with the queue of the job that ended breaks. */
async function openBefore({ onTestFinished }: TestContext) {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.drop());
  await migrateBefore(database.url, WITHDRAWAL);
  await prepareJobs(database.url);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(
    `SELECT pgboss.create_queue('pauses', '{"policy": "exclusive"}');
     INSERT INTO pgboss.schedule (name, key, cron, timezone) VALUES ('pauses', '', '7 * * * *', 'UTC');
     INSERT INTO pgboss.job (name, data) VALUES ('pauses', 'null')`,
  );
  return {
    url: database.url,
    sql: async (text: string, values?: unknown[]) => (await client.query(text, values)).rows,
  };
}
type Sql = Awaited<ReturnType<typeof openBefore>>["sql"];

/** A person who took a break 40 days ago, as the earlier version stored it. @param days the length of the break */
async function takeBreak(sql: Sql, newsletterId: string, { email, days }: { email: string; days: number }) {
  const id = newId();
  await sql(
    `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source, version, created_at, unsubscribed_at)
     VALUES ($1, $2, $3, $3, 'unsubscribed', 'api', 2, now() - interval '50 days', now() - interval '40 days')`,
    [newsletterId, id, email],
  );
  await sql(
    `INSERT INTO pauses (newsletter_id, subscriber_id, left_at, until)
     SELECT newsletter_id, id, unsubscribed_at, unsubscribed_at + make_interval(days => $2) FROM subscribers WHERE id = $1`,
    [id, days],
  );
  await sql(
    `INSERT INTO subscriber_events (id, newsletter_id, subscriber_id, at, kind, actor_kind, cause, detail)
     SELECT $2, newsletter_id, subscriber_id, left_at, 'unsubscribed', 'link', 'pause', jsonb_build_object('until', jsonb_build_array('', until))
     FROM pauses WHERE subscriber_id = $1`,
    [id, newId()],
  );
  return id;
}

/** The app of this version on that database, with a mail provider. */
async function openApp({ onTestFinished }: TestContext, url: string) {
  const fake = await startFakeResend();
  onTestFinished(() => fake.stop());
  const config = loadConfig({
    LOG_LEVEL: "silent",
    APP_URL: "https://list.example.org",
    RESEND_API_KEY: "re_test",
    RESEND_BASE_URL: fake.url,
    MAIL_FROM: "Notes <hello@list.example>",
  });
  const app = await createApp(config, url, ["a secret for tests that is long enough"], makeLog(config));
  onTestFinished(() => app.close());
  return { app, fake };
}

test("an upgrade keeps people on a break unsubscribed, even after the break; only their own link makes them active", async (test) => {
  const { url, sql } = await openBefore(test);
  const [accountId, newsletterId] = [newId(), newId()];
  await sql("INSERT INTO accounts (id, name) VALUES ($1, 'Lovelace')", [accountId]);
  await sql("INSERT INTO newsletters (id, account_id, name) VALUES ($1, $2, 'Notes')", [
    newsletterId,
    accountId,
  ]);
  const running = await takeBreak(sql, newsletterId, { email: "running@lovelace.org", days: 90 });
  const over = await takeBreak(sql, newsletterId, { email: "over@lovelace.org", days: 30 });

  expect(await migrate({ url, log: () => {} })).toContain(WITHDRAWAL);
  const statuses = () =>
    sql("SELECT email, status, unsubscribed_at IS NULL AS never_left FROM subscribers ORDER BY email");
  const unsubscribed = { status: "unsubscribed", never_left: false };
  const both = [
    { email: "over@lovelace.org", ...unsubscribed },
    { email: "running@lovelace.org", ...unsubscribed },
  ];
  expect(await statuses()).toEqual(both);
  expect(await sql("SELECT to_regclass('pauses') AS left")).toEqual([{ left: null }]);
  for (const table of ["queue", "schedule", "job"])
    expect(await sql(`SELECT 1 FROM pgboss.${table} WHERE name = 'pauses'`), table).toEqual([]);
  await expect(
    sql("UPDATE subscribers SET status = 'active', unsubscribed_at = NULL WHERE id = $1", [over]),
  ).rejects.toThrow(/their own press/);

  const { app, fake } = await openApp(test, url);
  const jobs = await openJobRunner(app);
  for (const interval of ["1 hour", "31 days", "91 days"]) {
    await passTime(url, interval);
    await jobs.runAll();
    expect(await statuses(), `after ${interval}`).toEqual(both);
  }

  const ask = async (link: string, init?: RequestInit) =>
    (await handlePublic(app, new Request(link, init), "203.0.113.7")).text();
  const press = (link: string, action: string) =>
    ask(link, { method: "POST", body: new URLSearchParams({ action }) });
  for (const id of [running, over]) {
    const { items: records } = await listActivities(app, { newsletterId, id }, { limit: 10, after: null });
    expect(records.map(({ type, detail }) => ({ type, detail }))).toEqual([
      { type: "unsubscribed", detail: { through: { kind: "pause", id: null } } },
      { type: "created", detail: {} },
    ]);
    const link = app.links.unsubscribeUrl({ newsletterId, subscriberId: id });
    expect(await ask(link)).toContain("You are unsubscribed");
    expect(await press(link, "comeBack")).toContain("is on its way to you");
  }
  await jobs.runDue("mail-batch");
  expect(fake.mails.map(({ to }) => String(to)).sort()).toEqual(both.map(({ email }) => email));
  for (const { text } of fake.mails)
    await press(/https:\S+\/confirm\/[\w-]+/.exec(text ?? "")?.[0] as string, "confirm");
  expect(await statuses()).toEqual(both.map((one) => ({ ...one, status: "active", never_left: true })));
});
