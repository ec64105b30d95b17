import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Tenant } from "../contract/installation";
import { type Api, openApi } from "./app";

const SUBSCRIBERS = "/api/v1/subscribers";
const SUPPRESSIONS = "/api/v1/suppressions";

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  tenant = await api.at.tenant();
});
afterAll(() => api?.close());

const get = (query = "") => api.ask(tenant.key, "GET", `${SUPPRESSIONS}${query}`);
const suppress = (json: unknown) => api.ask(tenant.key, "POST", SUPPRESSIONS, { json });
const lift = (id: string) => api.ask(tenant.key, "DELETE", `${SUPPRESSIONS}/${id}`);
const create = (json: unknown, path = "") => api.ask(tenant.key, "POST", `${SUBSCRIBERS}${path}`, { json });
const put = (id: string, json: unknown) => api.ask(tenant.key, "PUT", `${SUBSCRIBERS}/${id}`, { json });
const remove = (id: string) => api.ask(tenant.key, "DELETE", `${SUBSCRIBERS}/${id}`);
const audit = (action: string) =>
  api.at.sql(
    "SELECT actor_kind, detail FROM audit_entries WHERE newsletter_id = $1 AND action = $2 ORDER BY id",
    [tenant.newsletterId, action],
  );

describe("suppressing", () => {
  it("returns records in the order of the request, lists the newest first, and blocks creates", async () => {
    const items = ["b", "c", "a"].map((letter) => ({ email: `${letter}@List.example`, reason: "manual" }));
    const { status, json } = await suppress([
      { ...items[0], date: "2024-03-02T10:30:00.5+01:00" },
      ...items.slice(1),
    ]);
    expect(status).toBe(201);
    expect(json.data.map(({ email, source }: Record<string, string>) => [email, source])).toEqual(
      items.map(({ email }) => [email, "api"]),
    );
    expect(json.data[0].created_at).toBe("2024-03-02T09:30:00+00:00");
    const listed = (await get()).json;
    expect(listed).toMatchObject({ pagination: { limit: 50, total: 3, next_cursor: null } });
    expect(listed.data).toEqual([...json.data].reverse());
    expect((await create({ email: "A@list.example" })).json.code).toBe("email_suppressed");
    const bulk = await create(
      items.map(({ email }) => ({ email })),
      "/bulk",
    );
    expect(bulk.json.items.map(({ code }: { code: string }) => code)).toEqual(Array(3).fill("suppressed"));
    expect(await audit("suppressions.added")).toEqual([{ actor_kind: "key", detail: { people: 3 } }]);
  });

  it("reports every reason to leave the address out, and never suggests to add it as pending", async () => {
    const reasons = ["manual", "unsubscribed", "bounced", "complained"];
    const items = reasons.map((reason) => ({ email: `${reason}@list.example`, reason }));
    await suppress(items);
    const created = items.map(({ email }) => ({ email }));
    const bulk = (await create(created, "/bulk")).json;
    const singles = await Promise.all(created.map(async (item) => (await create(item)).json));
    const messages = [
      ...bulk.errors.email,
      ...bulk.items.map(({ message }: { message: string }) => message),
      ...singles.flatMap(({ message, errors }) => [message, ...errors.email]),
    ];
    expect(messages).toHaveLength(16);
    for (const message of messages) expect(message).toMatch(/^(?!.*pending).*Leave this address out\.$/);
  });

  it("unsubscribes listed people with the date, cancels their waiting emails and records it", async () => {
    const { id: active } = (await create({ email: "active@list.example" })).json.data;
    const { id: pending } = (await create({ email: "pending@list.example", status: "pending" })).json.data;
    const { id: gone } = (await create({ email: "gone@list.example" })).json.data;
    await remove(gone);
    const since = await api.at.sql("SELECT unsubscribed_at FROM subscribers WHERE id = $1", [gone]);
    const date = "2024-03-02T09:30:00+00:00";
    await suppress([
      { email: "gone@list.example", reason: "unsubscribed", date },
      { email: "ACTIVE@list.example", reason: "unsubscribed", date },
      { email: "pending@list.example", reason: "bounced" },
    ]);
    const rows = await api.at.sql<{ status: string; left: string; fresh: boolean }>(
      `SELECT status, unsubscribed_at = $2 AS left, unsubscribed_at > now() - interval '1 minute' AS fresh
       FROM subscribers WHERE newsletter_id = $1 ORDER BY email`,
      [tenant.newsletterId, date],
    );
    expect(rows).toEqual([
      { status: "unsubscribed", left: true, fresh: false },
      { status: "unsubscribed", left: false, fresh: true },
      { status: "unsubscribed", left: false, fresh: true },
    ]);
    expect(await api.at.sql("SELECT unsubscribed_at FROM subscribers WHERE id = $1", [gone])).toEqual(since);
    expect(await api.at.sql("SELECT state FROM mails WHERE subscriber_id = $1", [pending])).toEqual([
      { state: "cancelled" },
    ]);
    const events = await api.at.sql("SELECT kind FROM subscriber_events WHERE subscriber_id = $1", [active]);
    expect(events).toEqual([{ kind: "unsubscribed" }]);
    expect((await put(active, { status: "active" })).json.errors).toHaveProperty("status");
    expect((await put(pending, { status: "pending" })).json.errors).toHaveProperty("status");
  });

  it("a second time is no error: the stronger reason and the earlier date stay", async () => {
    const one = (reason: string, date?: string) => suppress([{ email: "ada@list.example", reason, date }]);
    const first = (await one("bounced", "2025-01-01T00:00:00Z")).json.data[0];
    expect((await one("manual", "2020-01-01T00:00:00Z")).json.data[0]).toEqual(first);
    expect((await one("complained")).json.data[0]).toEqual({ ...first, reason: "complained" });
    expect((await get("?reason=complained")).json.pagination.total).toBe(1);
    expect((await get("?reason=bounced")).json).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  it("is all or none, and reports every error", async () => {
    const { status, json } = await suppress([
      { email: "ada@list.example", reason: "manual" },
      { email: "nobody", reason: "denied" },
      { email: "ADA@list.example", reason: "manual" },
      { email: "x@list.example", reason: "manual", date: "2999-01-01T00:00:00Z" },
      { email: "y@list.example", reason: "manual", date: "2024-03-02" },
      { reason: "manual" },
      7,
    ]);
    expect(status).toBe(422);
    expect(json.message).toContain("no addresses were suppressed");
    expect(json.items.map(({ index, field, code }: Record<string, unknown>) => [index, field, code])).toEqual(
      [
        [1, "email", "at_sign"],
        [1, "reason", "invalid_choice"],
        [2, "email", "duplicate_in_request"],
        [3, "date", "out_of_range"],
        [4, "date", "invalid_format"],
        [5, "email", "required"],
        [6, "body", "invalid_type"],
      ],
    );
    for (const body of [[], {}, { email: "a@list.example", reason: "manual" }, Array(101).fill(0)])
      expect((await suppress(body)).json).toMatchObject({
        code: "validation_error",
        errors: { body: [/./] },
      });
    expect((await get()).json.pagination.total).toBe(0);
    expect(await audit("suppressions.added")).toEqual([]);
  });

  it("during creates of the same addresses: no person is both active and suppressed", async () => {
    const emails = Array.from({ length: 40 }, (_, i) => `p${i}@list.example`);
    // Ten at a time: on a busy machine more would wait too long for a connection and get 503.
    for (let first = 0; first < emails.length; first += 10) {
      const answers = await Promise.all(
        emails
          .slice(first, first + 10)
          .flatMap((email, i) => [
            create({ email }),
            create(
              [{ email: emails[first + 9 - i] }, { email: `q${first + i}@list.example` }],
              "/bulk?on_duplicate=skip",
            ),
            suppress([{ email, reason: "unsubscribed" }]),
          ]),
      );
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    }
    expect((await get()).json.pagination.total).toBe(40);
    const active = await api.at.sql(
      "SELECT email FROM subscribers WHERE newsletter_id = $1 AND status = 'active' AND email LIKE 'p%'",
      [tenant.newsletterId],
    );
    expect(active).toEqual([]);
  });
});

describe("reading", () => {
  it("follows the cursor through all entries, and filters by reason", async () => {
    for (const reason of ["manual", "bounced"])
      await suppress(Array.from({ length: 30 }, (_, i) => ({ email: `${reason}${i}@list.example`, reason })));
    for (const [query, total] of [
      ["", 60],
      ["&reason=manual", 30],
    ] as const) {
      const met: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const { json } = await get(`?limit=7${query}${cursor && `&cursor=${cursor}`}`);
        expect(json.pagination.total).toBe(total);
        met.push(...json.data.map(({ id }: { id: string }) => id));
        cursor = json.pagination.next_cursor;
      }
      expect(met).toEqual([...new Set(met)].sort().reverse());
      expect(met).toHaveLength(total);
    }
    for (const bad of ["reason=gone", "email=nobody", "limit=0", "cursor=zzz"])
      expect((await get(`?${bad}`)).json).toMatchObject({ code: "validation_error" });
  });

  it("finds an address in any spelling, and one stored only as a digest", async () => {
    await suppress([{ email: "bob@bücher.example", reason: "manual" }]);
    expect((await get("?email=BOB@xn--bcher-kva.example")).json.data).toMatchObject([
      { email: "bob@bücher.example" },
    ]);
    const { id } = (await create({ email: "ada@list.example" })).json.data;
    await remove(id);
    await put(id, { email: "new@list.example" });
    expect((await get("?email=ADA@list.example")).json).toMatchObject({
      data: [{ email: null, reason: "unsubscribed", source: "person" }],
      pagination: { total: 1 },
    });
    expect((await get("?email=new@list.example")).json.data).toEqual([]);
  });
});

describe("lifting", () => {
  it("returns the record, allows adding the address again and records it", async () => {
    const [made] = (await suppress([{ email: "ada@list.example", reason: "complained" }])).json.data;
    expect((await lift(made.id)).json.data).toEqual(made);
    expect((await create({ email: "ada@list.example" })).status).toBe(201);
    expect((await lift(made.id)).json.code).toBe("not_found");
    expect(await audit("suppression.removed")).toEqual([
      { actor_kind: "key", detail: { reason: "complained", source: "api" } },
    ]);
  });

  it("is rejected for a person's own opt-out, and while they are on the list as unsubscribed", async () => {
    const { id } = (await create({ email: "ada@list.example" })).json.data;
    const [made] = (await suppress([{ email: "ada@list.example", reason: "manual" }])).json.data;
    const refused = await lift(made.id);
    expect([refused.status, refused.json.code]).toEqual([422, "validation_error"]);
    expect(refused.json.errors.id[0]).toMatch(/by confirming from their own inbox/);
    await put(id, { email: "new@list.example" });
    const theirs = await lift(made.id);
    expect(theirs.status).toBe(422);
    expect(theirs.json.errors.id[0]).toMatch(/confirming from their own inbox/);
    expect((await get()).json.data).toMatchObject([{ id: made.id, email: null, source: "person" }]);
    expect(await audit("suppression.removed")).toEqual([]);
  });
});
