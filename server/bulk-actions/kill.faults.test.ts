import { once } from "node:events";
import { expect, it } from "vitest";
import { peopleWith } from "../subscribers/queries/people-filter";
import { openEditorContext } from "../test/editor-context";
import { addPeople } from "../test/linked-person";
import { spawnFixture } from "../test/mail-fixture";
import { base, database, openDatabaseForTests } from "../test/open-database";
import { startBulkAction } from "./bulk-actions";
import { type BulkActionRow, findBulkAction } from "./queries/bulk-actions";

const PEOPLE = 4_000;

openDatabaseForTests();

/** A process that works on bulk actions; resolves when the process is ready. */
const startWorker = () => spawnFixture("work-process-fixture", { databaseUrl: base.url });

it("a killed process loses its current chunk, and the next process continues after the last committed chunk", async () => {
  const { newsletter, ctx } = await openEditorContext(database, base.url);
  const newsletterId = newsletter.id;
  await addPeople(database.db, newsletterId, PEOPLE);
  const first = await startWorker();
  const target = { filter: peopleWith(newsletterId) };
  const { id } = await startBulkAction(ctx, { newsletterId: newsletter.id, kind: "unsubscribe", target });
  const row = async () => (await findBulkAction(database.db, newsletterId, id)) as BulkActionRow;
  const unsubscribed = () =>
    database.db.subscriber.count({ where: { newsletterId, status: "unsubscribed" } });
  await expect.poll(async () => (await row()).done, { timeout: 15_000, interval: 5 }).toBeGreaterThan(0);
  first.kill("SIGKILL");
  await once(first, "exit");
  const left = await row();
  expect(left.state).toBe("running");
  expect(left.done).toBeLessThan(PEOPLE);
  // People and progress commit together: nothing of the interrupted chunk is stored.
  await expect.poll(async () => (await unsubscribed()) === (await row()).done, { timeout: 5_000 }).toBe(true);
  // A dead worker's job is detected after 10 s without a heartbeat.
  await database.db
    .$executeRaw`UPDATE pgboss.job SET heartbeat_on = now() - interval '11 s' WHERE state = 'active'`;
  await startWorker();
  await expect.poll(async () => (await row()).state, { timeout: 30_000, interval: 50 }).toBe("done");
  expect(await row()).toMatchObject({ done: PEOPLE, skipped: {} });
  expect(await unsubscribed()).toBe(PEOPLE);
  expect(await database.db.subscriberEvent.count({ where: { newsletterId, kind: "unsubscribed" } })).toBe(
    PEOPLE,
  );
}, 60_000);
