import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../app";
import { loadConfig } from "../config";
import { noOutcomes } from "../imports/schema/import-counts";
import { newId } from "../kernel/ids";
import { makeLog } from "../kernel/log";
import { prepareJobs } from "../platform/jobs/jobs";
import { openJobRunner } from "../test/every-job";
import { openBefore } from "../test/old-schema";

const LONG_WORK = "20261201010000_long_work";

test("an upgrade continues running imports, undos and bulk actions, and ends work that was cancelled or has no job", async () => {
  const { url, sql, newsletterId: newsletter, upgrade } = await openBefore(LONG_WORK);
  await prepareJobs(url);
  const [staff, person, imported] = Array.from({ length: 3 }, newId);
  const [running, undoing, lost, cancelled] = Array.from({ length: 4 }, newId);
  const [action, lostAction] = Array.from({ length: 2 }, newId);
  await sql(
    `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source, source_id)
     VALUES ($1, $2, 'ada@x.org', 'ada@x.org', 'active', 'api', NULL), ($1, $3, 'eve@x.org', 'eve@x.org', 'active', 'import', $4)`,
    [newsletter, person, imported, undoing],
  );
  const states = { running: [running, lost, cancelled], undoing: [undoing] };
  let number = 0;
  for (const [state, ids] of Object.entries(states))
    for (const id of ids)
      await sql(
        `INSERT INTO imports (id, newsletter_id, staff_id, state, number, started_at, counts, heartbeat_at, ended_at)
         VALUES ($1, $2, $3, $4, $5, now(), $6, now(), CASE $4 WHEN 'undoing' THEN now() END)`,
        [id, newsletter, staff, state, ++number, noOutcomes],
      );
  await sql("UPDATE imports SET cancel_asked_at = now() WHERE id = $1", [cancelled]);
  for (const id of [action, lostAction])
    await sql(
      `INSERT INTO bulk_actions (id, newsletter_id, staff_id, address, kind, ids, state, total)
       VALUES ($1, $2, $3, '192.0.2.7', 'unsubscribe', $4, 'running', 1)`,
      [id, newsletter, staff, [person]],
    );
  const startedBy = { staffId: staff, address: null, requestId: "earlier" };
  for (const [queue, state, data] of [
    ["import", "active", { newsletterId: newsletter, importId: running, startedBy }],
    ["import", "created", { newsletterId: newsletter, importId: cancelled, startedBy }],
    ["import-undo", "retry", { newsletterId: newsletter, importId: undoing, startedBy, removeOptOuts: true }],
    ["bulk-action", "created", { newsletterId: newsletter, id: action }],
  ] as const) {
    await sql(`SELECT pgboss.create_queue($1, '{"policy": "standard"}')`, [queue]);
    await sql("INSERT INTO pgboss.job (name, state, data) VALUES ($1, $2, $3)", [queue, state, data]);
  }

  expect(await upgrade()).toContain(LONG_WORK);
  expect(
    await sql("SELECT name FROM pgboss.queue WHERE name IN ('import', 'import-undo', 'bulk-action')"),
  ).toEqual([]);
  // The same as an expired lease of the process that ran the job.
  await sql("UPDATE pgboss.job SET state = 'retry' WHERE name = 'work' AND state = 'active'");

  const config = loadConfig({ LOG_LEVEL: "silent" });
  const app = await createApp(config, url, ["a secret for tests that is long enough"], makeLog(config));
  onTestFinished(() => app.close());
  await (await openJobRunner(app)).runDue("work");
  expect(await sql("SELECT number, state FROM imports ORDER BY number")).toEqual([
    { number: 1, state: "done" },
    { number: 2, state: "failed" },
    { number: 3, state: "cancelled" },
    { number: 4, state: "undone" },
  ]);
  expect(await sql("SELECT state, done FROM bulk_actions ORDER BY id")).toEqual([
    { state: "done", done: 1 },
    { state: "failed", done: 0 },
  ]);
  expect(await sql("SELECT email, status FROM subscribers")).toEqual([
    { email: "ada@x.org", status: "unsubscribed" },
  ]);
  const acts = await sql("SELECT action, actor_id, address FROM audit_entries ORDER BY action");
  expect(acts).toEqual([
    { action: "import.done", actor_id: staff, address: null },
    { action: "import.undone", actor_id: staff, address: null },
    { action: "people.unsubscribe", actor_id: staff, address: "192.0.2.7" },
  ]);
});
