import { beforeEach, describe, expect, it } from "vitest";
import { recipientHash } from "../../server/mail/recipient-hash";
import { deleteExpired } from "../../server/operations/queries/housekeeping";
import { countPeopleWithField } from "../../server/subscribers/fields";
import { api, ask, openApiForTests, SUBSCRIBERS, SUPPRESSIONS, tenant } from "./app";

const FIELDS = "/api/v1/fields";
const BOTH = "include=fields,tags";

openApiForTests();

const define = (json: object) => ask("POST", FIELDS, json);
const create = (json: unknown, query = BOTH) => ask("POST", `${SUBSCRIBERS}?${query}`, json);
const bulk = (json: unknown, query = BOTH) => ask("POST", `${SUBSCRIBERS}/bulk?${query}`, json);
const get = async (id: string) => (await ask("GET", `${SUBSCRIBERS}/${id}?${BOTH}`)).json.data;
const put = (id: string, json: unknown) => ask("PUT", `${SUBSCRIBERS}/${id}?${BOTH}`, json);

async function defineAll() {
  for (const field of [
    { key: "company", label: "Company", type: "text" },
    { key: "seats", type: "number" },
    { key: "since", type: "date" },
    { key: "vip", type: "boolean" },
    { key: "edition", type: "choice", choices: ["Print", "Digital"] },
  ])
    expect((await define(field)).status).toBe(201);
}

const values = { company: "Analytical Engines", seats: 3, since: "2024-02-29", vip: true, edition: "Print" };

describe("fields", () => {
  const keysOf = (fields: { key: string }[]) => fields.map(({ key }) => key);

  it("can't use names that every JavaScript object has", async () => {
    for (const key of [...Object.getOwnPropertyNames(Object.prototype), "prototype"]) {
      const { status, json } = await define({ key, type: "text" });
      expect([key, status, Object.keys(json.errors)]).toEqual([key, 422, ["key"]]);
    }
    const { json } = await define({ key: "constructor", type: "text" });
    expect(json.message).toBe('The key "constructor" is reserved by JavaScript. Choose another key.');
  });

  it("are created, listed in order, changed and deleted by key; a deleted key is free again", async () => {
    await defineAll();
    const { json } = await ask("GET", FIELDS);
    expect(keysOf(json.data)).toEqual(Object.keys(values));
    expect(json.data[1]).toMatchObject({ label: "seats", type: "number", choices: [], required: false });
    const change = { label: "Issue", choices: ["Print", "Audio"] };
    const changed = await ask("PUT", `${FIELDS}/edition`, change);
    expect(changed.json.data).toMatchObject({ key: "edition", type: "choice", ...change });
    expect((await ask("DELETE", `${FIELDS}/seats`)).json.data.key).toBe("seats");
    expect(keysOf((await ask("GET", FIELDS)).json.data)).toEqual(["company", "since", "vip", "edition"]);
    expect((await define({ key: "seats", type: "text" })).status).toBe(201);
    expect((await ask("PUT", `${FIELDS}/nothing`, { label: "x" })).status).toBe(404);
  });

  it.each([
    [{}, ["key", "type"]],
    [{ key: "Company", type: "text" }, ["key"]],
    [{ key: "company", type: "colour" }, ["type"]],
    [{ key: "company", type: "choice" }, ["choices"]],
    [{ key: "company", type: "choice", choices: ["A", "a"] }, ["choices"]],
    [{ key: "company", type: "text", choices: ["A"] }, ["choices"]],
    [{ key: "company", type: "text", label: "a\nb" }, ["label"]],
  ])("%j is rejected on %j", async (json, fields) => {
    const { status, json: answer } = await define(json);
    expect([status, Object.keys(answer.errors)]).toEqual([422, fields]);
  });

  it("are at most 100, with unique keys", async () => {
    for (let i = 0; i < 100; i++) expect((await define({ key: `f${i}`, type: "text" })).status).toBe(201);
    expect((await define({ key: "f0", type: "text" })).json.errors).toEqual({
      key: ["A newsletter has at most 100 fields. Delete one that is not needed."],
    });
    await ask("DELETE", `${FIELDS}/f50`);
    expect((await define({ key: "f0", type: "text" })).json.errors).toEqual({
      key: ["A field with this key already exists."],
    });
  });

  it("take their values with them when deleted, even if the key is created again", async () => {
    await defineAll();
    const { id } = (await create({ email: "ada@lovelace.org", fields: values })).json.data;
    expect(
      await countPeopleWithField({ db: api.app.db }, { newsletterId: tenant.newsletterId, key: "company" }),
    ).toBe(1);
    await ask("DELETE", `${FIELDS}/company`);
    await define({ key: "company", type: "text" });
    expect((await get(id)).fields).not.toHaveProperty("company");
    const stored = () =>
      api.at.sql<{ n: number }>(
        "SELECT count(*)::int AS n FROM subscribers, jsonb_object_keys(fields) WHERE id = $1",
        [id],
      );
    expect(await stored()).toEqual([{ n: 5 }]);
    await deleteExpired(api.app.db);
    expect(await stored()).toEqual([{ n: 4 }]);
    expect((await api.at.sql("SELECT FROM fields WHERE deleted_at IS NOT NULL")).length).toBe(0);
  });
});

describe("a subscriber's fields and tags", () => {
  beforeEach(defineAll);

  it("are stored by a create and returned on request", async () => {
    const json = { email: "ada@lovelace.org", fields: values, tags: ["VIP", "conference 2026", "vip"] };
    const { status, json: answer } = await create(json);
    expect(status).toBe(201);
    expect(answer.data).toMatchObject({ fields: values, tags: ["VIP", "conference 2026"] });
    const record = ["id", "email", "name", "status", "created_at"];
    const single = await ask("GET", `${SUBSCRIBERS}/${answer.data.id}`);
    expect(Object.keys(single.json.data)).toEqual(record);
    const listed = await ask("GET", `${SUBSCRIBERS}?include=tags`);
    expect(Object.keys(listed.json.data[0])).toEqual([...record, "tags"]);
    expect((await ask("GET", `${SUBSCRIBERS}?include=notes`)).status).toBe(400);
  });

  it.each([
    ["company", 7, "invalid_type"],
    ["company", "x".repeat(1001), "too_long"],
    ["company", "a\nb", "control_char"],
    ["seats", "3", "invalid_type"],
    ["since", "2023-02-29", "invalid_date"],
    ["since", "11.6.2026", "invalid_date"],
    ["vip", "yes", "invalid_type"],
    ["edition", "Audio", "invalid_choice"],
    ["colour", "red", "unknown_field"],
  ])("%s: %j is rejected by its field", async (key, value, code) => {
    const item = { email: "ada@lovelace.org", fields: { [key]: value }, tags: ["never made"] };
    for (const query of ["", "dry_run=true", "on_duplicate=update"]) {
      const { status, json } = await create(item, query);
      expect([status, json.code]).toEqual([422, "validation_error"]);
      expect(Object.keys(json.errors)).toEqual([`fields.${key}`]);
    }
    const many = await bulk([{ email: "grace@navy.mil" }, item]);
    expect(many.json.items).toMatchObject([{ index: 1, field: `fields.${key}`, code }]);
    expect(await api.at.list(tenant.newsletterId)).toEqual([]);
    expect(await api.at.sql("SELECT FROM tags WHERE newsletter_id = $1", [tenant.newsletterId])).toEqual([]);
  });

  it.each([
    [{ tags: "vip" }, "tags"],
    [{ tags: [""] }, "tags"],
    [{ tags: ["x".repeat(65)] }, "tags"],
    [{ tags: Array.from({ length: 101 }, (_, i) => `t${i}`) }, "tags"],
    [{ fields: [] }, "fields"],
    [{ fields: { company: { a: 1 } } }, "fields.company"],
    [{ fields: { "ada@lovelace.org": { a: 1 } } }, "fields"],
    [{ fields: { "ada@lovelace.org": "x" } }, "fields"],
  ])("%j is rejected", async (more, field) => {
    const { status, json } = await create({ email: "ada@lovelace.org", ...more });
    expect([status, Object.keys(json.errors)]).toEqual([422, [field]]);
  });

  it("change by key and as a list; absent fields stay, null removes, and the activity records it", async () => {
    const { id } = (await create({ email: "ada@lovelace.org", fields: values, tags: ["vip", "print"] })).json
      .data;
    const { json } = await put(id, { fields: { seats: 4, company: null, vip: "" } });
    expect(json.data).toMatchObject({ tags: ["vip", "print"] });
    expect(json.data.fields).toEqual({ seats: 4, since: "2024-02-29", edition: "Print" });
    expect((await put(id, { tags: ["print", "new"] })).json.data.tags).toEqual(["print", "new"]);
    const { json: activity } = await ask("GET", `${SUBSCRIBERS}/${id}/activity`);
    expect(activity.data.map(({ detail }: { detail: { changes?: object } }) => detail.changes)).toEqual([
      { tags: { from: "vip, print", to: "print, new" } },
      {
        "fields.company": { from: "Analytical Engines", to: "" },
        "fields.seats": { from: "3", to: "4" },
        "fields.vip": { from: "true", to: "" },
      },
      undefined,
    ]);
    expect((await put(id, { tags: null })).json.data.tags).toEqual([]);
    expect((await put(id, { fields: { seats: "four" } })).json.errors).toHaveProperty(["fields.seats"]);
    expect((await get(id)).fields.seats).toBe(4);
  });

  it("of a bulk belong to each item; a tag keeps its first spelling and its position in the item", async () => {
    const { json } = await bulk([
      { email: "ada@lovelace.org", fields: { seats: 1 }, tags: ["a", "Zebra"] },
      { email: "grace@navy.mil" },
      { email: "zoe@example.org", tags: ["b", "zebra", "A", "e\u0301t\u00e9"] },
    ]);
    expect(json.data.created.map(({ fields, tags }: Record<string, unknown>) => ({ fields, tags }))).toEqual([
      { fields: { seats: 1 }, tags: ["a", "Zebra"] },
      { fields: {}, tags: [] },
      { fields: {}, tags: ["b", "Zebra", "a", "été"] },
    ]);
  });

  it("added by concurrent requests store each tag once", async () => {
    const people = Array.from({ length: 20 }, (_, i) => i);
    const answers = await Promise.all(
      people.map((i) => create({ email: `p${i}@lovelace.org`, tags: ["common", `COMMON ${i % 3}`] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const rows = await api.at.sql("SELECT canonical FROM tags WHERE newsletter_id = $1 ORDER BY 1", [
      tenant.newsletterId,
    ]);
    expect(rows.map(({ canonical }) => canonical)).toEqual(["common", "common 0", "common 1", "common 2"]);
  });
});

describe("on_duplicate=update", () => {
  beforeEach(defineAll);
  const update = (json: unknown) => ask("POST", `${SUBSCRIBERS}?on_duplicate=update&${BOTH}`, json);
  const updateMany = (json: unknown, more = "") =>
    ask("POST", `${SUBSCRIBERS}/bulk?on_duplicate=update${more}`, json);

  it("creates new people and updates existing ones; absent members stay", async () => {
    const ada = { email: "Ada@lovelace.org", name: "Ada Lovelace", fields: { seats: 1 }, tags: ["a"] };
    const first = await update(ada);
    expect(first.status).toBe(201);
    const second = await update({ email: "ada@LOVELACE.org", fields: { vip: true } });
    expect(second.status).toBe(200);
    expect(second.json.data).toEqual({ ...first.json.data, fields: { seats: 1, vip: true } });
    const emptied = { email: "ada@lovelace.org", name: null, tags: ["b"], fields: { seats: null } };
    const third = await update(emptied);
    expect(third.json.data).toMatchObject({ name: "", tags: ["b"], fields: { vip: true } });
  });

  it("changes a status only where allowed: active people stay active, unsubscribed ones get an email and stay inactive", async () => {
    const { id } = (await update({ email: "ada@lovelace.org", status: "pending" })).json.data;
    const mails = async () => (await api.at.sql("SELECT FROM mails WHERE subscriber_id = $1", [id])).length;
    const statusAfter = async (status?: string) =>
      (await update({ email: "ada@lovelace.org", ...(status && { status }) })).json.data.status;
    expect([await statusAfter(), await statusAfter("pending"), await mails()]).toEqual([
      "pending",
      "pending",
      1,
    ]);
    expect([await statusAfter("active"), await statusAfter("pending")]).toEqual(["active", "active"]);
    await ask("DELETE", `${SUBSCRIBERS}/${id}`);
    expect([await statusAfter(), await statusAfter("active")]).toEqual(["unsubscribed", "unsubscribed"]);
    expect([await statusAfter("pending"), await mails()]).toEqual(["pending", 2]);
    // Until they press the link themselves.
    expect(await statusAfter("active")).toBe("pending");
  });

  it("sends a pending person the confirmation again, at most one a minute, and not in bulk or in a dry run", async () => {
    const ada = { email: "ada@lovelace.org", status: "pending" };
    await update(ada);
    const mails = async () => (await api.at.mails(tenant.newsletterId)).length;
    // As if the last email had been sent that many seconds ago.
    const sent = async (seconds: number) => {
      await api.at.sql("UPDATE mails SET state = 'logged' WHERE newsletter_id = $1", [tenant.newsletterId]);
      await api.at.sql(
        "INSERT INTO mail_throttle (recipient_hash, allowed_at) SELECT throttle_digest($1), ARRAY[now() - make_interval(secs => $2)] ON CONFLICT (recipient_hash) DO UPDATE SET allowed_at = EXCLUDED.allowed_at",
        [recipientHash(ada.email), seconds],
      );
    };
    // The first one is still queued.
    await update(ada);
    expect(await mails()).toBe(1);
    await sent(30);
    await update(ada);
    expect(await mails()).toBe(1);
    await sent(90);
    await updateMany([ada]);
    await ask("POST", `${SUBSCRIBERS}?on_duplicate=update&dry_run=true`, ada);
    await update({ email: ada.email });
    expect(await mails()).toBe(1);
    expect((await update(ada)).json.data.status).toBe("pending");
    expect(await mails()).toBe(2);
  });

  it("rejects a suppressed address that is not on the list, and leaves it out of a bulk", async () => {
    await ask("POST", SUPPRESSIONS, [{ email: "gone@lovelace.org", reason: "complained" }]);
    await create({ email: "ada@lovelace.org", name: "Ada" });
    for (const query of ["on_duplicate=update", "on_duplicate=update&dry_run=true"])
      expect((await create({ email: "gone@lovelace.org" }, query)).json.code).toBe("email_suppressed");
    const items = [
      { email: "gone@lovelace.org", status: "pending" },
      { email: "ada@lovelace.org", name: "Ada King" },
      { email: "ADA@lovelace.org", name: "Other" },
      { email: "new@lovelace.org" },
    ];
    const skipped = [
      { index: 0, email: "gone@lovelace.org", reason: "suppressed" },
      { index: 2, email: "ADA@lovelace.org", reason: "duplicate_in_request" },
    ];
    expect((await updateMany(items, "&dry_run=true")).json.data).toEqual({ valid: true, skipped });
    expect((await api.at.list(tenant.newsletterId)).length).toBe(1);
    const { status, json } = await updateMany(items);
    expect([status, json.data]).toEqual([
      201,
      {
        created: [expect.objectContaining({ email: "new@lovelace.org" })],
        updated: [expect.objectContaining({ email: "ada@lovelace.org", name: "Ada King" })],
        skipped,
      },
    ]);
  });

  it("returns created and updated people of a bulk, and every invalid item", async () => {
    await create({ email: "ada@lovelace.org" });
    const { status, json } = await updateMany([
      { email: "grace@navy.mil", tags: ["a"] },
      { email: "ADA@lovelace.org", name: "Ada Lovelace" },
      { email: "zoe@example.org" },
    ]);
    expect(status).toBe(201);
    const emails = (list: { email: string }[]) => list.map(({ email }) => email);
    expect(emails(json.data.created)).toEqual(["grace@navy.mil", "zoe@example.org"]);
    expect(json.data.updated).toMatchObject([{ email: "ada@lovelace.org", name: "Ada Lovelace" }]);
    const bad = await updateMany([
      { email: "ada@lovelace.org" },
      { email: "nobody" },
      { email: "x@example.org", fields: { seats: "one" } },
    ]);
    expect(bad.json.items.map(({ index, field }: Record<string, unknown>) => [index, field])).toEqual([
      [1, "email"],
      [2, "fields.seats"],
    ]);
    expect((await updateMany([{ email: "ada@lovelace.org" }], "&dry_run=true")).json.data).toEqual({
      valid: true,
      skipped: [],
    });
  });

  it("never deadlocks overlapping bulks in opposite order into an error", async () => {
    const people = Array.from({ length: 30 }, (_, i) => ({
      email: `p${i}@lovelace.org`,
      tags: [`t${i % 5}`],
    }));
    const rounds = Array.from({ length: 8 }, (_, i) =>
      (i % 2 ? people.toReversed() : people).map((one) => ({ ...one, name: `Round ${i}` })),
    );
    const answers = await Promise.all(rounds.map((round) => updateMany(round)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect((await api.at.list(tenant.newsletterId)).length).toBe(30);
  });
});

describe("the list", () => {
  beforeEach(defineAll);
  const emails = async (query: string) => {
    const { status, json } = await ask("GET", `${SUBSCRIBERS}?${query}`);
    expect([status, json.pagination?.total]).toEqual([200, json.data.length]);
    return json.data.map(({ email }: { email: string }) => email.split("@")[0]);
  };

  it("is filtered by address, tag and field values, which match with their case", async () => {
    await bulk([
      { email: "a@example.org", tags: ["VIP", "été"], fields: { seats: 3, vip: true } },
      {
        email: "b@example.org",
        tags: ["vip"],
        fields: { seats: 3.5, edition: "Digital" },
        status: "pending",
      },
      { email: "c@example.org", fields: { since: "2024-02-29", company: "A b&c" } },
      { email: "d@example.org" },
    ]);
    const expected = {
      "email=A@Example.ORG": ["a"],
      "tag=vip": ["b", "a"],
      [`tag=${encodeURIComponent("E\u0301TE\u0301")}`]: ["a"],
      "tag=vip&status=pending": ["b"],
      "tag=nobody": [],
      "field[seats]=3": ["a"],
      "field[seats]=3.5&field[edition]=digital": ["b"],
      "field%5Bvip%5D=true": ["a"],
      "field[vip]=false": [],
      "field[since]=2024-02-29": ["c"],
      "field[company]=A%20b%26c": ["c"],
      "field[company]=a%20b%26c": [],
      "field[seats]=": ["d", "c"],
    };
    for (const [query, found] of Object.entries(expected))
      expect([query, await emails(query)]).toEqual([query, found]);
  });

  it("is filtered by the time of creation and of the last change, to the millisecond", async () => {
    const { id } = (await create({ email: "a@example.org" })).json.data;
    const readTime = async (column: string) =>
      (await api.at.sql<{ at: Date }>(`SELECT ${column} AS at FROM subscribers WHERE id = $1`, [id]))[0]?.at;
    const created = (await readTime("created_at")) as Date;
    await put(id, { name: "Ada" });
    const updated = (await readTime("updated_at")) as Date;
    expect(updated.getTime()).toBeGreaterThan(created.getTime());
    for (const [name, at] of Object.entries({ created_after: created, updated_after: updated })) {
      const time = (ms: number) => new Date(at.getTime() + ms).toISOString();
      expect(await emails(`${name}=${time(-1)}`)).toEqual(["a"]);
      expect(await emails(`${name}=${time(0)}`)).toEqual([]);
      expect(await emails(`${name}=9999-12-31T23:59:59.999Z`)).toEqual([]);
      expect(await emails(`${name}=0001-01-01T00:00:00Z`)).toEqual(["a"]);
    }
  });

  it.each([
    ["field[colour]=red", "field"],
    ["field[seats]=many", "field"],
    ["field[Seats]=1", "field"],
    ["field=1", "field"],
    ["tag=", "tag"],
    ["created_after=yesterday", "created_after"],
    ["status=gone", "status"],
    ["email=nobody", "email"],
    ["limit=0", "limit"],
    ["limit=1001", "limit"],
    ["search=", "search"],
    ["sort=name", "sort"],
    ["limit=1.5", "limit"],
    ["page=0", "page"],
    ["cursor=zzz", "cursor"],
    ["page=1&cursor=AaH6uCIdc8y_b4i7-BHOPA", "page"],
    ["fields[seats]=1", "query"],
  ])("rejects %s", async (query, parameter) => {
    const { status, json } = await ask("GET", `${SUBSCRIBERS}?${query}`);
    expect([status, json.code, Object.keys(json.errors)]).toEqual([400, "validation_error", [parameter]]);
  });
});
