import { describe, expect, it } from "vitest";
import { api, ask, openApiForTests, SUBSCRIBERS, SUPPRESSIONS, tenant } from "./app";

openApiForTests();

const get = async (query = "") => (await ask("GET", `${SUPPRESSIONS}${query}`)).json;
const suppress = (json: unknown) => ask("POST", SUPPRESSIONS, json);
const lift = (id: string) => ask("DELETE", `${SUPPRESSIONS}/${id}`);
const create = (json: unknown, path = "") => ask("POST", `${SUBSCRIBERS}${path}`, json);
const put = (id: string, json: unknown) => ask("PUT", `${SUBSCRIBERS}/${id}`, json);
const remove = (id: string) => ask("DELETE", `${SUBSCRIBERS}/${id}`);
const audit = (action: string) =>
  api.at.sql(
    "SELECT actor_kind, detail FROM audit_entries WHERE newsletter_id = $1 AND action = $2 ORDER BY id",
    [tenant.newsletterId, action],
  );

describe("suppressing", () => {
  it("returns records in the order of the request, lists the newest first, and blocks creates", async () => {
    const reasons = ["manual", "unsubscribed", "bounced", "complained"];
    const items = reasons.map((reason) => ({ email: `${reason}@List.example`, reason }));
    const { status, json } = await suppress([
      { ...items[0], date: "2024-03-02T10:30:00.5+01:00" },
      ...items.slice(1),
    ]);
    expect(status).toBe(201);
    expect(json.data).toMatchObject(items.map((item) => ({ ...item, source: "api" })));
    expect(json.data[0].created_at).toBe("2024-03-02T09:30:00+00:00");
    expect(await get()).toMatchObject({
      data: json.data.toReversed(),
      pagination: { limit: 50, total: 4, next_cursor: null },
    });
    expect(await audit("suppressions.added")).toEqual([{ actor_kind: "key", detail: { people: 4 } }]);

    const created = items.map(({ email }) => ({ email: email.toLowerCase() }));
    const bulk = (await create(created, "/bulk")).json;
    expect(bulk.items.map(({ code }: { code: string }) => code)).toEqual(Array(4).fill("suppressed"));
    const singles = await Promise.all(created.map(async (item) => (await create(item)).json));
    expect(singles.map(({ code }) => code)).toEqual(Array(4).fill("email_suppressed"));
    const messages = [bulk, ...singles].flatMap(({ message, errors, items: bad = [{ message }] }) => [
      ...errors.email,
      ...bad.map((item: { message: string }) => item.message),
    ]);
    expect(messages).toHaveLength(16);
    // No message suggests to add the person as pending.
    for (const message of messages) expect(message).toMatch(/^(?!.*pending).*Leave this address out\.$/);
  });

  it("unsubscribes listed people with the date, cancels their waiting emails and records it", async () => {
    const person = async (name: string, status = "active") =>
      (await create({ email: `${name}@list.example`, status })).json.data.id;
    const [active, pending, gone] = [
      await person("active"),
      await person("pending", "pending"),
      await person("gone"),
    ];
    await remove(gone);
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
    expect(await api.at.sql("SELECT state FROM mails WHERE subscriber_id = $1", [pending])).toEqual([
      { state: "cancelled" },
    ]);
    const events = await api.at.sql("SELECT kind FROM subscriber_events WHERE subscriber_id = $1", [active]);
    expect(events).toEqual([{ kind: "unsubscribed" }]);
    expect((await put(active, { status: "active" })).json.errors).toHaveProperty("status");
    expect((await put(pending, { status: "pending" })).json.errors).toHaveProperty("status");
  });

  it("a second time is no error: the stronger reason and the earlier date stay", async () => {
    const one = async (reason: string, date?: string) =>
      (await suppress([{ email: "ada@list.example", reason, date }])).json.data[0];
    const first = await one("bounced", "2025-01-01T00:00:00Z");
    expect(await one("manual", "2020-01-01T00:00:00Z")).toEqual(first);
    expect(await one("complained")).toEqual({ ...first, reason: "complained" });
    expect((await get("?reason=complained")).pagination.total).toBe(1);
    expect(await get("?reason=bounced")).toMatchObject({ data: [], pagination: { total: 0 } });
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
    for (const body of [[], {}, Array(101).fill(0)])
      expect((await suppress(body)).json.errors).toEqual({ body: [expect.stringMatching(/./)] });
    expect((await get()).pagination.total).toBe(0);
    expect(await audit("suppressions.added")).toEqual([]);
  });

  it("during creates of the same addresses: no person is both active and suppressed", async () => {
    const emails = Array.from({ length: 40 }, (_, i) => `p${i}@list.example`);
    // Ten at a time: on a busy machine more would wait too long for a connection and get 503.
    for (let first = 0; first < emails.length; first += 10) {
      const chunk = emails.slice(first, first + 10);
      const requests = chunk.flatMap((email, i) => {
        const bulk = [{ email: chunk[9 - i] }, { email: `q${first + i}@list.example` }];
        return [
          create({ email }),
          create(bulk, "/bulk?on_duplicate=skip"),
          suppress([{ email, reason: "unsubscribed" }]),
        ];
      });
      const answers = await Promise.all(requests);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    }
    expect((await get()).pagination.total).toBe(40);
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
      await suppress(Array.from({ length: 10 }, (_, i) => ({ email: `${reason}${i}@list.example`, reason })));
    for (const [query, total] of Object.entries({ "": 20, "&reason=manual": 10 })) {
      const met: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const { data, pagination } = await get(`?limit=7${query}${cursor && `&cursor=${cursor}`}`);
        expect(pagination.total).toBe(total);
        met.push(...data.map(({ id }: { id: string }) => id));
        cursor = pagination.next_cursor;
      }
      expect(met).toEqual([...new Set(met)].sort().reverse());
      expect(met).toHaveLength(total);
    }
    for (const bad of ["reason=gone", "email=nobody", "limit=0", "cursor=zzz"])
      expect((await get(`?${bad}`)).code).toBe("validation_error");
  });

  it("finds an address in any spelling, and one stored only as a digest", async () => {
    await suppress([{ email: "bob@bücher.example", reason: "manual" }]);
    expect((await get("?email=BOB@xn--bcher-kva.example")).data).toMatchObject([
      { email: "bob@bücher.example" },
    ]);
    const { id } = (await create({ email: "ada@list.example" })).json.data;
    await remove(id);
    await put(id, { email: "new@list.example" });
    expect(await get("?email=ADA@list.example")).toMatchObject({
      data: [{ email: null, reason: "unsubscribed", source: "person" }],
      pagination: { total: 1 },
    });
    expect((await get("?email=new@list.example")).data).toEqual([]);
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
    const expectRejected = async () => {
      const { status, json } = await lift(made.id);
      expect([status, json.code]).toEqual([422, "validation_error"]);
      expect(json.errors.id[0]).toMatch(/by confirming from their own inbox/);
    };
    await expectRejected();
    await put(id, { email: "new@list.example" });
    await expectRejected();
    expect((await get()).data).toMatchObject([{ id: made.id, email: null, source: "person" }]);
    expect(await audit("suppression.removed")).toEqual([]);
  });
});
