import { type ChildProcess, spawn } from "node:child_process";
import { v7 as uuidv7 } from "uuid";
import { onTestFinished, vi } from "vitest";
import { type FakeResend, startFakeResend } from "../../e2e/fixtures/fake-resend";
import type { NewsletterRow } from "../accounts/shared-queries";
import type { MailTransport, ReadMailService } from "../mail/delivery/provider";
import { openOutbox } from "../mail/outbox";
import { type Database, openDatabase } from "../platform/db/client";
import { openJobs } from "../platform/jobs/jobs";
import { insertActivities } from "../subscribers/queries/activities";
import { insertFree } from "../subscribers/queries/new-subscribers";
import { createTestDatabase } from "./database";
import { type RunningDelivery, startDelivery } from "./delivery-fixture";
import { links, mailedBy, quick, type Tuning } from "./mail-fixture-values";

export type MailRow = {
  id: string;
  subscriber_id: string;
  to_email: string;
  state: string;
  error_code: string | null;
  error_message: string | null;
  deferred_until: Date | null;
  batch_id: string | null;
  batch_position: number | null;
  provider_id: string | null;
  attempts: number;
  html: string | null;
  text: string | null;
  finished_at: Date | null;
  link_expires_at: Date;
};

// A long limit, because a busy machine is slow. Tests still notice a result that never arrives.
const PATIENCE_MS = 60_000;
vi.setConfig({ testTimeout: 1.5 * PATIENCE_MS, hookTimeout: PATIENCE_MS });

/** The mail that asks a person to confirm. */
export const confirmationOf = (newsletterId: string, { id, email }: { id: string; email: string }) => ({
  ...{ newsletterId, subscriberId: id },
  ...{ toEmail: email, canonical: email.toLowerCase() },
});

/** Opens a database, a fake Resend and an outbox. Tests start deliveries, which stop at the end of each test. */
export async function openMailBench() {
  const test = await createTestDatabase();
  const database: Database = openDatabase({ url: test.url, poolSize: 10, onError: () => {} });
  const { db } = database;
  const fake: FakeResend = await startFakeResend();
  const logged: { level: string; details: object; message: string }[] = [];
  const note = (level: string) => (details: object, message: string) => {
    logged.push({ level, details, message });
  };
  const log = { info: note("info"), warn: note("warn"), error: note("error") };
  const jobs = openJobs({ databaseUrl: test.url, log });
  const outbox = openOutbox(jobs);
  const deliveries: RunningDelivery[] = [];

  async function newsletter(fields: Partial<NewsletterRow> = {}) {
    const account = await db.account.create({ data: { id: uuidv7(), name: "Account" } });
    const created = await db.newsletter.create({
      data: { id: uuidv7(), accountId: account.id, name: "Weekly", domainMailsPerDay: 100_000, ...fields },
    });
    return created.id;
  }

  /**
   * Adds pending people and an email for each, in one transaction: like a bulk request, or like a sign-up of all of them
   * through the page.
   */
  async function add(
    newsletterId: string,
    emails: string[],
    source = "api",
    sourceId: string | null = null,
  ): Promise<string[]> {
    const common = { newsletterId, firstName: "", lastName: "", source, sourceId };
    const rows = emails.map((email) => ({
      ...{ ...common, id: uuidv7(), status: "pending" as const },
      ...{ email, emailCanonical: email.toLowerCase() },
    }));
    await db.$transaction(async (tx) => {
      await insertFree(tx, rows);
      const confirmations = rows.map((row) => confirmationOf(newsletterId, row));
      await outbox.post(tx, confirmations);
      const ids = rows.map(({ id }) => id);
      const visitor = { kind: "page", id: null, address: null };
      if (source === "public")
        await insertActivities(tx, { newsletterId, ids, kind: "created", actor: visitor });
    });
    return rows.map((row) => row.id);
  }
  const signUp = (newsletterId: string, emails: string[]) => add(newsletterId, emails, "public");

  /** Posts another confirmation to a person. */
  const ask = (newsletterId: string, person: { id: string; email: string }) =>
    db.$transaction((tx) => outbox.post(tx, [confirmationOf(newsletterId, person)]));

  async function deliver(
    options: {
      key?: boolean;
      tuning?: Partial<Tuning>;
      url?: string;
      transport?: MailTransport;
      mailService?: ReadMailService;
    } = {},
  ) {
    const delivery = await startDelivery({
      db,
      databaseUrl: test.url,
      mailService:
        options.mailService ??
        mailedBy(
          options.key === false
            ? null
            : (options.transport ?? { kind: "resend", apiKey: "re_test", baseUrl: options.url ?? fake.url }),
        ),
      links,
      log,
      tuning: { ...quick, ...options.tuning },
    });
    deliveries.push(delivery);
    return delivery;
  }

  /** Returns all emails, in the order of posting. */
  const mails = () => db.$queryRaw<MailRow[]>`SELECT * FROM mails ORDER BY id`;
  const stateOf = async (email: string) => (await mails()).find((mail) => mail.to_email === email)?.state;

  return {
    url: test.url,
    database,
    db,
    fake,
    log,
    logged,
    jobs,
    outbox,
    newsletter,
    add,
    signUp,
    ask,
    deliver,
    mails,
    stateOf,
    /** Waits until all emails are finished, and returns them. */
    finished: () =>
      until(async () => {
        const rows = await mails();
        return rows.length > 0 && rows.every((row) => row.finished_at !== null) && rows;
      }, "all mails finished"),
    /** Makes all waiting emails due now. */
    async hurry() {
      await db.$executeRaw`UPDATE mail_batches SET next_attempt_at = now() - interval '1 second' WHERE finished_at IS NULL`;
      await db.$executeRaw`UPDATE pgboss.job SET start_after = now() - interval '1 second' WHERE state < 'active'`;
    },
    async stopDeliveries() {
      await Promise.all(deliveries.splice(0).map((delivery) => delivery.stop()));
    },
    /** Resets everything but the tables, which take long to create. */
    async reset() {
      await this.stopDeliveries();
      await db.$executeRaw`TRUNCATE accounts, subscribers, mail_throttle, mail_batches CASCADE`;
      const [queue] = await db.$queryRaw<
        { made: boolean }[]
      >`SELECT to_regclass('pgboss.job') IS NOT NULL AS made`;
      if (queue?.made) await db.$executeRaw`DELETE FROM pgboss.job`;
      fake.reset();
      logged.length = 0;
    },
    async close() {
      await this.stopDeliveries();
      await fake.stop();
      await database.close();
      await test.drop();
    },
  };
}

export type MailBench = Awaited<ReturnType<typeof openMailBench>>;

/** Waits for a truthy value, polling for at most a minute, and returns it. */
export async function until<T>(
  probe: () => Promise<T> | T,
  what: string,
): Promise<Exclude<T, false | null | undefined>> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await probe();
    if (value) return value as Exclude<T, false | null | undefined>;
    if (Date.now() > giveUpAt) throw new Error(`waited a minute in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export const people = (count: number, prefix = "person") =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@list.example`);

/** Starts a delivery process, which is killed after the test; resolves when it works. */
export const spawnDeliveryProcess = (options: {
  databaseUrl: string;
  transport: MailTransport;
  tuning: Partial<Tuning>;
}) => spawnFixture("delivery-process-fixture", options);

/** Starts a process of a fixture in this folder, killed after the test; resolves when it has written its first line. */
export async function spawnFixture(name: string, options: object): Promise<ChildProcess> {
  const file = new URL(`./${name}.ts`, import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", "tsx", file, JSON.stringify(options)], {
    stdio: "pipe",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [output, problems] = ["", ""];
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (problems += chunk));
  await until(() => {
    if (child.exitCode !== null) throw new Error(`the process ended: ${output}${problems}`);
    return output.includes("\n");
  }, "the process to work");
  return child;
}
