import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../kernel/ids";
import { migrate } from "../../platform/db/migrate";
import { createTestDatabase, type TestDatabase } from "../../test/database";
import { migrateBefore } from "../../test/old-schema";

const WITHDRAWAL = "20261129040000_withdraw_copy_and_merge";

let database: TestDatabase;
let client: Client;
const newsletterId = newId();

const query = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;

async function addPerson(email: string): Promise<string> {
  const id = newId();
  await query(
    "INSERT INTO subscribers (newsletter_id, id, email, email_canonical, first_name, last_name, status, source) VALUES ($1, $2, $3, $3, '', '', 'active', 'api')",
    [newsletterId, id, email],
  );
  return id;
}

async function addAction(kind: string, state: string, change: object, skipped: object = {}): Promise<string> {
  const id = newId();
  await query(
    `INSERT INTO bulk_actions (id, newsletter_id, kind, change, ids, state, total, done, skipped, ended_at)
    VALUES ($1, $2, $3, $4, '{}', $5, 2, 1, $6, CASE WHEN $5 <> 'running' THEN now() END)`,
    [id, newsletterId, kind, change, state, skipped],
  );
  return id;
}

const addActivity = (subscriberId: string, kind: string, causeId: string) =>
  query(
    `INSERT INTO subscriber_events (id, newsletter_id, subscriber_id, kind, actor_kind, cause, cause_id)
    VALUES ($1, $2, $3, $4, 'staff', 'merge', $5)`,
    [newId(), newsletterId, subscriberId, kind, causeId],
  );

/** @returns the kept subscribers that the activities of a person's merges name */
const namedBy = async (subscriberId: string) =>
  (
    await query("SELECT cause_id FROM subscriber_events WHERE subscriber_id = $1 ORDER BY id", [subscriberId])
  ).map(({ cause_id }) => cause_id);

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  client = new Client({ connectionString: database.url });
  await client.connect();
  await migrateBefore(database.url, WITHDRAWAL);
  const accountId = newId();
  await query("INSERT INTO accounts (id, name) VALUES ($1, 'Paper')", [accountId]);
  await query("INSERT INTO newsletters (id, account_id, name) VALUES ($1, $2, 'Weekly')", [
    newsletterId,
    accountId,
  ]);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe("an upgrade", () => {
  it("adds the kept person to the activities of merges, and ends running bulk actions without deleting them", async () => {
    const [kept, moved, other] = [
      await addPerson("ada@x.org"),
      await addPerson("elsewhere@x.org"),
      await addPerson("grace@x.org"),
    ];
    const seen = (id: string) => ({ id, version: 1 });
    // The addresses have changed since this merge, but the stored action names the kept person.
    const stored = await addAction("merge", "done", {
      groups: [{ keep: seen(kept), others: [seen(moved)] }],
    });
    await addActivity(kept, "changed", stored);
    await addActivity(moved, "unsubscribed", stored);
    // A merge of two groups whose action was deleted after 30 days.
    const gone = newId();
    const [grace, dotted, plain] = [
      await addPerson("grace+list@x.org"),
      await addPerson("a.l.an+x@googlemail.com"),
      await addPerson("alan@gmail.com"),
    ];
    await addActivity(other, "changed", gone);
    await addActivity(plain, "changed", gone);
    await addActivity(grace, "unsubscribed", gone);
    await addActivity(dotted, "unsubscribed", gone);
    // A merge whose kept person is erased.
    const erased = newId();
    const left = await addPerson("joan+list@x.org");
    await addActivity(left, "unsubscribed", erased);
    await addActivity(await addPerson("edith@x.org"), "changed", erased);

    const copy = { copy: { to: newsletterId, toName: "Weekly" } };
    const running = await addAction("copy", "running", copy, { suppressed_there: 2, already: 1 });
    const undoing = await addAction("merge", "undoing", { groups: [] });
    const move = await addAction("move", "done", copy, { unsubscribed_there: 1, unsubscribed: 2 });
    const tag = await addAction("tag", "running", { tags: [1] });
    for (const id of [running, tag])
      await query(
        "INSERT INTO bulk_action_changes (bulk_action_id, subscriber_id, was, tags_was, version) VALUES ($1, $2, 'active', '{}', 2)",
        [id, kept],
      );
    await query("INSERT INTO mailings (id, newsletter_id, kind, due_at) VALUES ($1, $2, 'copy', now())", [
      running,
      newsletterId,
    ]);

    await migrate({ url: database.url, log: () => {} });

    expect(await namedBy(kept)).toEqual([kept]);
    expect(await namedBy(moved)).toEqual([kept]);
    expect(await namedBy(grace)).toEqual([other]);
    expect(await namedBy(dotted)).toEqual([plain]);
    expect(await namedBy(left)).toEqual([erased]);
    const actions = await query("SELECT id, state, skipped, error FROM bulk_actions ORDER BY id");
    const removed = expect.stringContaining("stays done");
    expect(actions).toEqual([
      { id: stored, state: "done", skipped: {}, error: null },
      { id: running, state: "failed", skipped: { not_to_be_mailed: 2, already: 1 }, error: removed },
      { id: undoing, state: "failed", skipped: {}, error: removed },
      { id: move, state: "done", skipped: { unsubscribed: 3 }, error: null },
      { id: tag, state: "running", skipped: {}, error: null },
    ]);
    expect(await query("SELECT bulk_action_id FROM bulk_action_changes")).toEqual([{ bulk_action_id: tag }]);
    expect(await query("SELECT kind FROM mailings")).toEqual([{ kind: "import" }]);
    await expect(addAction("copy", "running", copy)).rejects.toThrow(/bulk_actions_withdrawn_check/);
  });
});
