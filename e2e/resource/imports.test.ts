import { beforeAll, describe, expect, it } from "vitest";
import { openHandlers } from "../../server/background-jobs";
import { api, ask, changeTenant, openApiForTests, SUBSCRIBERS, SUPPRESSIONS, tenant } from "./app";

openApiForTests();
beforeAll(() => api.app.jobs.start(openHandlers(api.app).handlers));

const IMPORTS = "/api/v1/imports";
const CONSENT = { source: "Shop checkout", wording: "Yes, send me the newsletter." };
const ADA = { email: "ada@lovelace.org", name: "Ada Lovelace" };

const plan = (list: unknown[], query = "") => ask("POST", `${IMPORTS}${query}`, list);
const planText = (type: string, raw: string, query = "") =>
  api.ask(tenant.key, "POST", `${IMPORTS}${query}`, { raw, headers: { "Content-Type": type } });
const rowsOf = async (id: string, query = "") =>
  (await ask("GET", `${IMPORTS}/${id}/rows${query}`)).json.data;
const results = async (id: string) =>
  (await rowsOf(id)).map(({ line, email, result }: Record<string, unknown>) => [line, email, result]);
const commit = ({ id, digest, people }: { id: string; digest: string; people: number }) =>
  ask("POST", `${IMPORTS}/${id}/commit`, { digest, consent: { ...CONSENT, people } });
const ended = async (id: string) => {
  const read = async () => (await ask("GET", `${IMPORTS}/${id}`)).json.data;
  await expect.poll(async () => (await read()).state).not.toMatch(/running|undoing/);
  return read();
};
/** Plans and commits a list. @returns the import after its end */
const imported = async (list: unknown[], query = "") => {
  const { data } = (await plan(list, query)).json;
  expect((await commit(data)).status).toBe(202);
  return ended(data.id);
};
const people = async () =>
  (await ask("GET", `${SUBSCRIBERS}?include=fields,tags&sort=email`)).json.data.map(
    ({ email, name, status, fields, tags }: Record<string, unknown>) => ({
      email,
      name,
      status,
      fields,
      tags,
    }),
  );
const audit = () =>
  api.at.sql(
    `SELECT action, actor_kind || ' ' || actor_id AS actor FROM audit_entries
     WHERE newsletter_id = $1 AND action LIKE 'import.%' ORDER BY id`,
    [tenant.newsletterId],
  );

describe("a plan", () => {
  it("tells the result of each row and changes nothing", async () => {
    await ask("POST", SUBSCRIBERS, { email: "here@lovelace.org" });
    await ask("POST", SUPPRESSIONS, [{ email: "never@lovelace.org", reason: "manual" }]);
    const { status, json } = await plan([
      { ...ADA, status: "pending" },
      { email: "ADA@lovelace.org" },
      { email: "here@lovelace.org" },
      { email: "never@lovelace.org" },
      { email: "bob@" },
      { email: "left@lovelace.org", status: "unsubscribed" },
      { email: "grace@navy.mil" },
      "text",
    ]);
    const { id, results: counts, ...record } = json.data;
    expect(status).toBe(202);
    expect(record).toMatchObject({
      state: "planned",
      rows: 5,
      rejected: 3,
      people: 2,
      error: null,
      undone: null,
    });
    expect(counts).toEqual({
      new_active: 1,
      new_pending: 1,
      new_unsubscribed: 1,
      already_active: 1,
      already_pending: 0,
      unsubscribed: 0,
      suppressed: 1,
    });
    expect(await results(id)).toEqual([
      [1, "ada@lovelace.org", "new_pending"],
      [2, null, "rejected"],
      [3, "here@lovelace.org", "already_active"],
      [4, "never@lovelace.org", "suppressed"],
      [5, null, "rejected"],
      [6, "left@lovelace.org", "new_unsubscribed"],
      [7, "grace@navy.mil", "new_active"],
      [8, null, "rejected"],
    ]);
    expect(
      (await rowsOf(id, "?result=rejected")).map(
        ({ text, reason }: typeof ADA & { text: string; reason: string }) => [text, reason],
      ),
    ).toEqual([
      ['{"email":"ADA@lovelace.org"}', "The address is also on line 1, which counts."],
      ['{"email":"bob@"}', expect.any(String)],
      ['"text"', expect.stringContaining("JSON object")],
    ]);
    expect((await people()).map(({ email }: typeof ADA) => email)).toEqual(["here@lovelace.org"]);
    expect(await api.at.mails(tenant.newsletterId)).toEqual([]);
  });

  it("can be read in pages, by result, and only with a key of its newsletter", async () => {
    const list = Array.from({ length: 5 }, (_, i) => ({
      email: `p${i}@lovelace.org`,
      status: i % 2 ? "pending" : "active",
    }));
    const { id } = (await plan(list)).json.data;
    const seen: number[] = [];
    let cursor = "";
    do {
      const { json } = await ask("GET", `${IMPORTS}/${id}/rows?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...json.data.map(({ line }: { line: number }) => line));
      cursor = json.pagination.next_cursor ?? "";
    } while (cursor);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect((await rowsOf(id, "?result=new_pending")).map(({ line }: { line: number }) => line)).toEqual([
      2, 4,
    ]);
    const other = await api.at.tenant();
    for (const path of ["", "/rows"])
      expect((await api.ask(other.key, "GET", `${IMPORTS}/${id}${path}`)).status).toBe(404);
    expect((await api.ask(other.key, "DELETE", `${IMPORTS}/${id}`)).status).toBe(404);
    expect((await ask("GET", `${IMPORTS}/${id}/rows?result=new`)).json.errors.result).toEqual([
      expect.stringContaining("result must be one of new_active"),
    ]);
  });

  it("gives people without a status the default one", async () => {
    for (const [query, result] of [
      ["", "new_active"],
      ["?default_status=pending", "new_pending"],
    ] as const)
      expect(await results((await plan([ADA], query)).json.data.id)).toEqual([[1, ADA.email, result]]);
  });

  it("is deleted by DELETE", async () => {
    const { id } = (await plan([ADA])).json.data;
    const { status, json } = await ask("DELETE", `${IMPORTS}/${id}`);
    expect([status, json.data.state]).toEqual([200, "cancelled"]);
    expect((await ask("GET", `${IMPORTS}/${id}`)).status).toBe(404);
  });
});

describe("a list", () => {
  it("can be NDJSON", async () => {
    const lines = [JSON.stringify(ADA), "", "{not json", JSON.stringify({ email: "grace@navy.mil" })];
    const { json } = await planText("application/x-ndjson", lines.join("\n"));
    expect(await results(json.data.id)).toEqual([
      [1, ADA.email, "new_active"],
      [3, null, "rejected"],
      [4, "grace@navy.mil", "new_active"],
    ]);
    expect((await rowsOf(json.data.id, "?result=rejected"))[0]).toMatchObject({
      text: "{not json",
      reason: "The line is not JSON.",
    });
  });

  it("can be CSV as a stream of the list writes it, with fields, tags and opt-outs", async () => {
    const addFields = async () => {
      for (const [key, type] of [
        ["company", "text"],
        ["seats", "number"],
        ["vip", "boolean"],
      ])
        await ask("POST", "/api/v1/fields", { key, type });
    };
    await addFields();
    await imported([
      {
        ...{ ...ADA, status: "pending", tags: ["a, b", "=c"] },
        fields: { company: 'Engines, "Ltd" =London', seats: -3.5, vip: true },
      },
      { email: "left@lovelace.org", status: "unsubscribed", name: "Left" },
    ]);
    const before = await people();
    const url = `${SUBSCRIBERS}?include=fields,tags`;
    const csv = (await api.ask(tenant.key, "GET", url, { headers: { Accept: "text/csv" } })).text;
    await changeTenant();
    await addFields();
    const answer = await planText("text/csv; charset=utf-8", csv);
    expect([answer.status, answer.headers["ignored-fields"]]).toEqual([202, "id, created_at"]);
    await commit(answer.json.data);
    expect((await ended(answer.json.data.id)).state).toBe("done");
    expect(before).toMatchObject([{ tags: ["a, b", "=c"] }, { status: "unsubscribed" }]);
    expect(await people()).toEqual(before);
  });

  it("rejects people that are nested too deeply", async () => {
    const deep = "[".repeat(50_000) + "]".repeat(50_000);
    const { json } = await planText("application/json", `[{"email":"ada@lovelace.org"},${deep}]`);
    expect(json.data).toMatchObject({ rows: 1, rejected: 1 });
  });

  it("rejects CSV rows with too many cells or invalid values, and accepts the others", async () => {
    await ask("POST", "/api/v1/fields", { key: "seats", type: "number" });
    const rows = [
      "email,name,fields.seats",
      'a@lovelace.org,"Ada, Countess",3',
      "b@lovelace.org,x,1,2",
      "c@lovelace.org,,many",
      "",
      "d@lovelace.org",
    ];
    const { json } = await planText("text/csv", rows.join("\r\n"));
    expect(await results(json.data.id)).toEqual([
      [2, "a@lovelace.org", "new_active"],
      [3, null, "rejected"],
      [4, null, "rejected"],
      [6, "d@lovelace.org", "new_active"],
    ]);
    expect(
      (await rowsOf(json.data.id, "?result=rejected")).map(({ reason }: { reason: string }) => reason),
    ).toEqual([
      expect.stringContaining("more cells"),
      "fields.seats: The value must be a number, not in quotes.",
    ]);
  });

  it.each([
    ["no array", "application/json", '{"email":"ada@lovelace.org"}', 422, "must be a JSON array"],
    ["broken JSON", "application/json", '[{"email":', 400, "line 1, column"],
    ["no people", "application/json", "[]", 422, "The list is empty"],
    ["no valid row", "application/x-ndjson", "nothing\n", 422, "No row of the list is valid"],
    ["CSV without an email column", "text/csv", "name\nAda\n", 422, "must name its columns"],
    ["CSV with a column twice", "text/csv", "email,email\na@b.org,c@d.org\n", 422, "is there twice"],
    ["another type", "text/plain", "ada@lovelace.org", 415, "Send the list as"],
    ["too many people", "application/x-ndjson", "{}\n".repeat(100_001), 422, "up to 100000 people"],
    ["too large a body", "text/csv", `email\n${"x".repeat(33 * 1024 * 1024)}`, 413, "larger than 32 MiB"],
  ])("is refused: %s", async (_, type, raw, status, message) => {
    const answer = await planText(type, raw);
    expect([answer.status, answer.json.message]).toEqual([status, expect.stringContaining(message)]);
    expect(await api.at.sql("SELECT FROM imports WHERE newsletter_id = $1", [tenant.newsletterId])).toEqual(
      [],
    );
  });

  it("cannot smuggle in evidence or an opt-out of an import", async () => {
    await imported([
      { ...ADA, leaving: { reason: "bounced", at: null }, evidence: { ip: "1.2.3.4" }, line: 7 },
    ]);
    expect(await people()).toMatchObject([{ email: ADA.email, status: "active" }]);
    expect(
      await api.at.sql("SELECT FROM subscriber_events WHERE newsletter_id = $1", [tenant.newsletterId]),
    ).toEqual([]);
  });
});

describe("an import", () => {
  it("adds everybody of the plan, with confirmations, and names the key in the audit log", async () => {
    const record = await imported([
      { ...ADA, status: "pending" },
      { email: "grace@navy.mil", tags: ["vip"] },
      { email: "left@lovelace.org", status: "unsubscribed" },
    ]);
    expect(record).toMatchObject({
      state: "done",
      progress: { done: 3, total: 3 },
      undo_until: expect.any(String),
    });
    expect(await people()).toMatchObject([
      { email: ADA.email, name: ADA.name, status: "pending" },
      { email: "grace@navy.mil", status: "active", tags: ["vip"] },
      { email: "left@lovelace.org", status: "unsubscribed" },
    ]);
    expect((await api.at.mails(tenant.newsletterId)).map(({ to }) => to)).toEqual([ADA.email]);
    expect(await audit()).toEqual([{ action: "import.done", actor: `key ${tenant.keyId}` }]);
    const [row] = await api.at.sql<{ by: string }>(
      "SELECT k.name AS by FROM imports i JOIN api_keys k ON k.id = i.api_key_id WHERE i.id = $1",
      [record.id],
    );
    expect(row?.by).toBe("A key");
  });

  it("needs the digest and the number of people of the plan", async () => {
    const { data } = (await plan([ADA])).json;
    const path = `${IMPORTS}/${data.id}/commit`;
    const refused = async (body: object) => Object.keys((await ask("POST", path, body)).json.errors);
    const consent = { ...CONSENT, people: 1 };
    expect(await refused({ digest: "other", consent })).toEqual(["digest"]);
    expect(await refused({ digest: data.digest, consent: { ...consent, people: 2 } })).toEqual(["people"]);
    expect(await refused({ digest: data.digest })).toEqual(["people"]);
    expect(await refused({ digest: data.digest, consent: { ...consent, source: " " } })).toEqual(["source"]);
    expect(await refused({})).toEqual(["digest"]);
    expect(await people()).toEqual([]);
  });

  it("can be undone, except for people who have changed since", async () => {
    const { id } = await imported([
      ADA,
      { email: "grace@navy.mil" },
      { email: "left@lovelace.org", status: "unsubscribed" },
    ]);
    await ask("PATCH", `${SUBSCRIBERS}/${ADA.email}`, { name: "Ada King" });
    const { status, json } = await ask("POST", `${IMPORTS}/${id}/undo`);
    expect([status, json.data.state]).toEqual([202, "undoing"]);
    expect(await ended(id)).toMatchObject({ state: "undone", undone: { removed: 2, kept: 1 } });
    expect((await people()).map(({ email }: typeof ADA) => email)).toEqual([ADA.email]);
    expect((await ask("POST", `${IMPORTS}/${id}/undo`)).json.message).toBe(
      "This import has already been undone.",
    );
  });

  it("that is done can't be cancelled", async () => {
    const { id } = await imported([ADA]);
    const { status, json } = await ask("DELETE", `${IMPORTS}/${id}`);
    expect([status, json.errors.import[0]]).toEqual([422, expect.stringContaining(`${id}/undo`)]);
  });
});

it("needs the permission imports", async () => {
  const { secret } = await api.at.addKey(tenant.newsletterId, {
    permissions: ["subscribers:read", "subscribers:write"],
  });
  const answer = await api.ask(secret, "POST", IMPORTS, { json: [ADA] });
  expect([answer.status, answer.json.code]).toEqual([403, "api_module_access_disabled"]);
});
