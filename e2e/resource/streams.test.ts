import { expect, it } from "vitest";
import { api, ask, openApiForTests, SUBSCRIBERS, tenant } from "./app";

openApiForTests();

const CSV = "text/csv";
const NDJSON = "application/x-ndjson";

const add = async (people: object[]) => (await ask("POST", `${SUBSCRIBERS}/bulk`, people)).json.data.created;
const get = (query: string, accept: string, method = "GET") =>
  ask(method, `${SUBSCRIBERS}${query}`, undefined, { Accept: accept });
const linesOf = (text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

async function furnish(): Promise<void> {
  for (const [key, type] of [
    ["company", "text"],
    ["seats", "number"],
  ])
    await ask("POST", "/api/v1/fields", { key, type });
  await add([
    { email: "ada@lovelace.org", name: 'Ada "King"', tags: ["vip", "a, b"], fields: { seats: 3.5 } },
    { email: "grace@navy.mil", name: "=HYPERLINK(1)", status: "pending", fields: { company: "+1; -2" } },
    { email: "alan@bletchley.org", tags: ["vip"] },
  ]);
}

it("NDJSON has the records of the list, in every filter, order and include", async () => {
  await furnish();
  for (const query of [
    "",
    "?status=pending",
    "?search=ada",
    "?search=ada&status=pending",
    "?tag=vip&sort=email",
    "?sort=-email&include=fields,tags",
    "?sort=created_at&include=tags",
    "?field[seats]=3.5&include=fields",
    "?email=GRACE@navy.mil",
  ]) {
    const pages = await ask("GET", `${SUBSCRIBERS}${query}`);
    const streamed = await get(query, NDJSON);
    expect([query, streamed.status, linesOf(streamed.text)]).toEqual([query, 200, pages.json.data]);
    expect(streamed.headers).toMatchObject({ "content-type": NDJSON, "cache-control": "no-store" });
  }
});

it("CSV has the columns and cells of exports, and formulas as text", async () => {
  await furnish();
  const { text, headers } = await get("?sort=email&include=fields,tags", CSV);
  const dates = text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+\+00:00/g, "DATE")
    .replaceAll(/"[0-9a-f-]{36}"/g, '"ID"');
  expect(dates.split("\r\n")).toEqual([
    '"id","email","name","status","created_at","fields.company","fields.seats","tags"',
    '"ID","ada@lovelace.org","Ada ""King""","active","DATE","","3.5","vip, ""a, b"""',
    '"ID","alan@bletchley.org","","active","DATE","","","vip"',
    `"ID","grace@navy.mil","'=HYPERLINK(1)","pending","DATE","'+1; '-2","",""`,
    "",
  ]);
  expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect((await get("?status=unsubscribed", CSV)).text).toBe('"id","email","name","status","created_at"\r\n');
  expect(await get("?status=unsubscribed", NDJSON)).toMatchObject({ status: 200, text: "" });
});

it("a stream has more than one chunk and all of its rows", async () => {
  await api.at.sql(
    `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source)
     SELECT $1, uuid_at(now() + n * interval '1 millisecond'), n || '@example.org', n || '@example.org', 'active', 'api'
     FROM generate_series(1, 1500) AS n`,
    [tenant.newsletterId],
  );
  const emails = linesOf((await get("?sort=created_at", NDJSON)).text).map(({ email }) => email);
  expect(emails).toEqual(Array.from({ length: 1500 }, (_, i) => `${i + 1}@example.org`));
  expect((await get("", CSV)).text.split("\r\n")).toHaveLength(1502);
});

it.each([
  [CSV, CSV],
  ["TEXT/CSV;q=0.9, */*;q=0.1", CSV],
  [`text/html, ${NDJSON}`, NDJSON],
  [`${NDJSON};q=0.5, ${CSV};q=0.4`, NDJSON],
  [`${CSV}, application/json;q=0.5`, CSV],
  [`${CSV};q=0.5, application/json`, "application/json"],
  [`${CSV};q=0`, "application/json"],
  ["*/*", "application/json"],
  ["text/*", "application/json"],
  ["", "application/json"],
])("Accept: %s is answered as %s, and the same by HEAD", async (accept, type) => {
  for (const method of ["GET", "HEAD"]) {
    const { status, headers, text } = await get("", accept, method);
    expect([status, headers["content-type"]?.replace(/;.*/, "")]).toEqual([200, type]);
    if (method === "HEAD") expect(text).toBe("");
  }
});

it.each([
  ["?limit=10", "limit"],
  ["?page=2", "page"],
  ["?cursor=AaH6uCIdc8y_b4i7-BHOPA", "cursor"],
  ["?sort=name", "sort"],
  ["?segment=none", "segment"],
  ["?field[colour]=red", "field"],
  ["?include=all", "include"],
])("a stream of %s is 400 as JSON and names %s", async (query, parameter) => {
  const { status, json, headers } = await get(query, CSV);
  expect([status, json.code, Object.keys(json.errors)]).toEqual([400, "validation_error", [parameter]]);
  expect(headers["content-type"]).toBe("application/json");
  if (["limit", "page", "cursor"].includes(parameter))
    expect(json.message).toContain("A stream has no pages");
});

it("other operations ignore Accept, and a stream needs the permission", async () => {
  expect((await ask("GET", "/api/v1/me", undefined, { Accept: CSV })).json.success).toBe(true);
  const writer = await api.at.addKey(tenant.newsletterId, { permissions: ["subscribers:write"] });
  const answer = await api.ask(writer.secret, "GET", SUBSCRIBERS, { headers: { Accept: CSV } });
  expect([answer.status, answer.json.code]).toEqual([403, "api_module_access_disabled"]);
});
