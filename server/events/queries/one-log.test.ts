import { Client } from "pg";
import { expect, test } from "vitest";
import { newId } from "../../kernel/ids";
import { migrate } from "../../platform/db/migrate";
import { createTestDatabase } from "../../test/database";
import { migrateBefore } from "../../test/old-schema";

const HIGHEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

test("webhooks of an earlier version go on where they were: nothing unread is lost, and nothing is read again", async ({
  onTestFinished,
}) => {
  const { url, drop } = await createTestDatabase({ empty: true });
  onTestFinished(() => drop());
  await migrateBefore(url, "20261130020000_one_log");
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const sql = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;
  const account = newId();
  await sql("INSERT INTO accounts (id, name) VALUES ($1, 'Lovelace')", [account]);

  /**
   * A newsletter with a webhook. Changes and events are given by their transactions.
   * @returns of the entries behind the webhook's position after the migration, the transactions
   */
  async function open(given: { changes: number[]; events: number[]; at: number; eventsAt: number }) {
    const [newsletter, person] = [newId(), newId()];
    await sql("INSERT INTO newsletters (id, account_id, name) VALUES ($1, $2, 'Notes')", [
      newsletter,
      account,
    ]);
    for (const xid of given.changes)
      await sql(
        "INSERT INTO changes (newsletter_id, xid, subscriber_id, kind) VALUES ($1, $2, $3, 'updated')",
        [...[newsletter, xid, person]],
      );
    const ids = new Map<number, string>();
    for (const xid of given.events) {
      ids.set(xid, newId());
      await sql(
        `INSERT INTO webhook_events (newsletter_id, xid, id, type, subscriber_id, detail)
         VALUES ($1, $2, $3, 'subscriber.bounced', $4, '{"reason": "No such user"}')`,
        [newsletter, xid, ids.get(xid), person],
      );
    }
    await sql(
      `INSERT INTO webhook_endpoints (id, newsletter_id, url, description, events, secret, epoch, xid, subscriber_id, event_xid, event_id)
       VALUES ($1, $2, 'https://shop.example/', '', '{}', '', $1, $3, $4, $5, $6)`,
      [newId(), newsletter, given.at, HIGHEST, given.eventsAt, ids.get(given.eventsAt) ?? newId()],
    );
    return async () => {
      const rows = await sql(
        `SELECT c.xid::int, c.kind, c.about, c.detail FROM changes c JOIN webhook_endpoints e USING (newsletter_id)
         WHERE newsletter_id = $1 AND (c.xid, c.subscriber_id) > (e.xid, e.subscriber_id) ORDER BY c.xid, c.subscriber_id`,
        [newsletter],
      );
      for (const { about, detail } of rows.filter(({ kind }) => kind === "bounced"))
        expect([about, detail]).toEqual([person, { reason: "No such user" }]);
      return rows.map(({ xid, kind }) => `${xid} ${kind}`);
    };
  }

  const off = await open({ changes: [5, 9, 12], events: [6, 10], at: 7, eventsAt: 6 });
  const eventsAhead = await open({ changes: [5, 12], events: [10, 11], at: 7, eventsAt: 10 });
  const eventsBehind = await open({ changes: [5, 9], events: [6, 8], at: 20, eventsAt: 6 });
  const between = await open({ changes: [5, 9], events: [10], at: 7, eventsAt: 10 });
  await migrate({ url, log: () => {} });
  expect(await off()).toEqual(["9 updated", "10 bounced", "12 updated"]);
  expect(await eventsAhead()).toEqual(["11 bounced", "12 updated"]);
  // Both positions in one state that only lasts while much is read: rather twice than never.
  expect(await eventsBehind()).toEqual(["8 bounced", "9 updated"]);
  expect(await between()).toEqual(["9 updated", "10 bounced"]);
});

test("a process of the earlier version, which still runs during an upgrade, writes its events into the log", async ({
  onTestFinished,
}) => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(() => drop());
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const [account, newsletter, person] = [newId(), newId(), newId()];
  await client.query("INSERT INTO accounts (id, name) VALUES ($1, 'Lovelace')", [account]);
  await client.query("INSERT INTO newsletters (id, account_id, name) VALUES ($1, $2, 'Notes')", [
    newsletter,
    account,
  ]);
  await client.query(
    `INSERT INTO webhook_events (newsletter_id, xid, id, type, subscriber_id, detail)
     SELECT $1::uuid, this_transaction(), $2::uuid, $3, $4::uuid, $5::jsonb`,
    [newsletter, newId(), "subscriber.bounced", person, '{"reason": "No such user"}'],
  );
  const { rows } = await client.query("SELECT kind, about, detail FROM changes WHERE newsletter_id = $1", [
    newsletter,
  ]);
  expect(rows).toEqual([{ kind: "bounced", about: person, detail: { reason: "No such user" } }]);
});
