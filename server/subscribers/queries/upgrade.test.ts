// Upgrades from versions with breaks, merges and nested segments keep opt-outs and the people of segments.
import { expect, test } from "vitest";
import { newId } from "../../kernel/ids";
import { openBefore } from "../../test/old-schema";

async function openWithPeople(migration: string) {
  const old = await openBefore(migration);
  const { sql, newsletterId } = old;
  const addPerson = async (email: string, status: string) => {
    const id = newId();
    await sql(
      `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source, unsubscribed_at)
       VALUES ($1, $2, $3, $3, $4, 'api', CASE WHEN $4 = 'unsubscribed' THEN now() - interval '40 days' END)`,
      [newsletterId, id, email, status],
    );
    return id;
  };
  return { ...old, addPerson };
}

test("an upgrade keeps people on a break unsubscribed, also after the end of the break", async () => {
  const { sql, newsletterId, addPerson, upgrade } = await openWithPeople("20261129010000_withdraw_breaks");
  const id = await addPerson("ada@lovelace.org", "unsubscribed");
  await sql(
    `INSERT INTO pauses (newsletter_id, subscriber_id, left_at, until)
     SELECT $1, id, unsubscribed_at, unsubscribed_at + interval '30 days' FROM subscribers WHERE id = $2`,
    [newsletterId, id],
  );
  await upgrade();
  expect(await sql("SELECT status, unsubscribed_at IS NULL AS never FROM subscribers")).toEqual([
    { status: "unsubscribed", never: false },
  ]);
  await expect(sql("UPDATE subscribers SET status = 'active', unsubscribed_at = NULL")).rejects.toThrow(
    /their own press/,
  );
});

test("an upgrade stores the kept person of a merge, and ends running bulk actions of removed kinds", async () => {
  const old = await openWithPeople("20261129040000_withdraw_copy_and_merge");
  const { sql, newsletterId, addPerson } = old;
  const [kept, moved] = [
    await addPerson("ada@x.org", "active"),
    await addPerson("old@x.org", "unsubscribed"),
  ];
  const change = { groups: [{ keep: { id: kept, version: 1 }, others: [{ id: moved, version: 1 }] }] };
  const actions = { done: newId(), running: newId() };
  for (const [state, id] of Object.entries(actions))
    await sql(
      `INSERT INTO bulk_actions (id, newsletter_id, kind, change, ids, state, total, done, ended_at)
       VALUES ($1, $2, 'merge', $3, '{}', $4, 2, 1, CASE WHEN $4 = 'done' THEN now() END)`,
      [id, newsletterId, change, state],
    );
  await sql(
    `INSERT INTO subscriber_events (id, newsletter_id, subscriber_id, kind, actor_kind, cause, cause_id)
     VALUES ($1, $2, $3, 'unsubscribed', 'staff', 'merge', $4)`,
    [newId(), newsletterId, moved, actions.done],
  );
  await old.upgrade();
  expect(await sql("SELECT cause_id FROM subscriber_events")).toEqual([{ cause_id: kept }]);
  expect(await sql("SELECT state FROM bulk_actions ORDER BY id")).toEqual([
    { state: "done" },
    { state: "failed" },
  ]);
});

test("an upgrade flattens nested segments, or splits them into parts", async () => {
  const { sql, newsletterId, upgrade } = await openBefore("20261129050000_flat_segments");
  const [vip, api] = [
    { about: "tag", is: ["vip"] },
    { about: "source", is: ["api"] },
  ];
  const pending = { about: "status", is: ["pending"] };
  const groups = {
    Flat: [
      { match: "all", conditions: [vip] },
      { match: "none", conditions: [api] },
    ],
    Nested: [
      { match: "any", conditions: [vip, pending] },
      { match: "all", conditions: [api] },
    ],
  };
  for (const [name, stored] of Object.entries(groups))
    await sql(
      `INSERT INTO segments (id, newsletter_id, name, canonical, groups, "order") VALUES ($1, $2, $3, lower($3), $4, '-email')`,
      [newId(), newsletterId, name, JSON.stringify(stored)],
    );
  await upgrade();
  const rows = await sql(`SELECT name, filter, is_nested AS "isNested", "order" FROM segments ORDER BY name`);
  const all = { match: "all", not: [] };
  const order = "-email";
  expect(rows).toEqual([
    { name: "Flat", isNested: false, order, filter: { ...all, conditions: [vip], not: [api] } },
    { name: "Nested", isNested: true, order, filter: { ...all, conditions: [vip, pending, api] } },
    { name: "Nested (1)", isNested: false, order, filter: { ...all, conditions: [api, vip] } },
    { name: "Nested (2)", isNested: false, order, filter: { ...all, conditions: [api, pending] } },
  ]);
});
