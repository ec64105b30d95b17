import { describe, expect, it } from "vitest";
import { withClient } from "../../server/platform/postgres/sessions";
import { flushTrigrams, indexNewest } from "../../server/subscribers/queries/search-index";
import { writeIdCursor } from "../../server/subscribers/schema/list-query";
import { api, ask, openApiForTests, SUBSCRIBERS, tenant } from "./app";

openApiForTests();

type Person = { id: string; email: string; name?: string; status?: string };
const add = async (people: Partial<Person>[]): Promise<Person[]> =>
  (await ask("POST", `${SUBSCRIBERS}/bulk`, people)).json.data.created;
const list = async (query: string) => (await ask("GET", `${SUBSCRIBERS}?${query}`)).json;
const emailsOf = (records: Person[]) => records.map(({ email }) => email.split("@")[0] as string);

/** Adds people by SQL, with `pN@example.org` for N from `from` to `to`. */
const fill = (from: number, to: number) =>
  api.at.sql(
    `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, first_name, last_name, status, source)
     SELECT $1, uuid_at(now() + n * interval '1 millisecond'), 'P' || n || '@example.org', 'p' || n || '@example.org',
       'Name', n::text, 'active', 'api' FROM generate_series($2::int, $3::int) AS n`,
    [tenant.newsletterId, from, to],
  );

/** Indexes everybody for searches, as the indexer does. */
const index = () =>
  withClient(api.databaseUrl, async (client) => {
    while ((await indexNewest(client, tenant.newsletterId, -3600)) > 0);
    await flushTrigrams(client);
  });

async function follow(query: string, between = async (_page: number) => {}): Promise<string[]> {
  const found: string[] = [];
  let page = 0;
  for (let cursor: string | null = ""; cursor !== null; page++) {
    const { data, pagination } = await list(`${query}${cursor && `&cursor=${cursor}`}`);
    found.push(...emailsOf(data));
    cursor = pagination.next_cursor;
    await between(page);
  }
  return found;
}

describe("sort", () => {
  const given = ["Bea", "ada.b", "Zoe", "ada.a", "carl", "Dan", "eva"];
  const byEmail = ["ada.a", "ada.b", "Bea", "carl", "Dan", "eva", "Zoe"];
  const dates: Record<string, string> = {
    Bea: "2020-01-01",
    Zoe: "2019-01-01",
    carl: "2021-01-01",
    Dan: "2019-01-01",
  };
  const bySignUp = ["Zoe", "Dan", "Bea", "carl", "ada.b", "ada.a", "eva"];
  const byChange = ["Bea", "ada.b", "ada.a", "carl", "eva", "Dan", "Zoe"];

  it.each([
    ["created_at", given],
    ["-created_at", given.toReversed()],
    ["email", byEmail],
    ["-email", byEmail.toReversed()],
    ["subscribed_at", bySignUp],
    ["-subscribed_at", bySignUp.toReversed()],
    ["updated_at", byChange],
    ["-updated_at", byChange.toReversed()],
  ])("%s has the same order by cursor, by page and at once, of one status", async (sort, order) => {
    await add(given.map((name) => ({ email: `${name}@éxample.org`, subscribed_at: dates[name] ?? null })));
    for (const name of ["Dan", "Zoe"])
      await ask("PATCH", `${SUBSCRIBERS}/${encodeURIComponent(`${name}@éxample.org`)}`, { name });
    await add([{ email: "pending@éxample.org", status: "pending" }]);
    const query = `status=active&sort=${sort}`;
    expect(emailsOf((await list(query)).data)).toEqual(order);
    expect(await follow(`${query}&limit=2`)).toEqual(order);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`${query}&limit=2&page=${page}`)));
    expect(pages.flatMap(({ data }) => emailsOf(data))).toEqual(order);
    expect(pages[3].pagination).toMatchObject({ total: 7, page: 4, pages: 4 });
  });

  it("email returns everybody once while people are added, erased and indexed", async () => {
    await fill(1, 40);
    await index();
    await fill(41, 60);
    const { data } = await list("sort=email&limit=1000");
    const before = emailsOf(data);
    expect(before).toHaveLength(60);
    const found = await follow("sort=email&limit=7", async (page) => {
      // The last person of each page goes: the next page starts after the address, not after the person.
      const last = data[(page + 1) * 7 - 1];
      if (last) await ask("DELETE", `${SUBSCRIBERS}/${last.id}?erase=true`);
      if (page === 3) await index();
      await add([{ email: `a${page}@example.org` }]);
    });
    expect(found).toEqual(before);
  });

  it("deep pages by number are those of the whole order, with and without a search", async () => {
    await fill(1, 10_400);
    await index();
    await fill(10_401, 10_500);
    for (const query of ["sort=created_at", "sort=-email&search=name", "sort=-updated_at&search=name"]) {
      const all = await follow(`${query}&limit=1000`);
      for (const page of [10, 11]) {
        const { data } = await list(`${query}&limit=1000&page=${page}`);
        expect([query, emailsOf(data)]).toEqual([query, all.slice((page - 1) * 1000, page * 1000)]);
      }
    }
  });
});

describe("search", () => {
  it("finds any part of an address or name, counts exactly, and combines with filters and sort", async () => {
    await add([
      { email: "ada@lovelace.org", name: "Ada King" },
      { email: "grace@navy.mil", name: "Grace Hopper", status: "pending" },
      { email: "king@example.org", name: "" },
      { email: "100%_a@example.org", name: "O'Neill" },
    ]);
    const expected: Record<string, string[]> = {
      "search=KING": ["king", "ada"],
      "search=%20lace%20": ["ada"],
      "search=ho": ["grace"],
      "search=op": [],
      "search=0%25_": ["100%_a"],
      "search=1%25_": [],
      "search=o'neill": ["100%_a"],
      "search=king&sort=email": ["ada", "king"],
      "search=king&sort=created_at": ["ada", "king"],
      "search=example&status=pending": [],
      "search=navy&status=pending": ["grace"],
      "search=king&email=king@example.org": ["king"],
      "search=example&limit=1": ["100%_a"],
    };
    for (const indexed of [false, true]) {
      if (indexed) await index();
      for (const [query, found] of Object.entries(expected)) {
        const { data, pagination } = await list(query);
        expect([query, emailsOf(data)]).toEqual([query, found]);
        if (!query.includes("limit")) expect([query, pagination.total]).toEqual([query, found.length]);
      }
    }
    expect((await list("search=example&limit=1")).pagination.total).toBe(2);
    expect(await follow("search=example&limit=1")).toEqual(["100%_a", "king"]);
  });
});

describe("a cursor", () => {
  it("of another sort is 400 and says what to send; one from before sorts works", async () => {
    const [, second, third] = await add(["a", "b", "c"].map((name) => ({ email: `${name}@example.org` })));
    const old = writeIdCursor(third?.id as string);
    expect(emailsOf((await list(`cursor=${old}`)).data)).toEqual(["b", "a"]);
    expect(emailsOf((await list(`cursor=${old}&sort=-created_at`)).data)).toEqual(["b", "a"]);
    const byEmail = (await list("sort=email&limit=2")).pagination.next_cursor;
    const oldest = (await list("sort=created_at&limit=2")).pagination.next_cursor;
    for (const query of [
      `cursor=${byEmail}`,
      `cursor=${byEmail}&sort=-email`,
      `cursor=${oldest}`,
      `cursor=${oldest}&sort=email`,
      `cursor=${old}&sort=email`,
    ]) {
      const { json, status } = await ask("GET", `${SUBSCRIBERS}?${query}`);
      expect([status, json.errors]).toEqual([
        400,
        {
          cursor: [
            "This cursor belongs to another sort. Send the same sort as for the first page, or leave out cursor.",
          ],
        },
      ]);
    }
    expect(emailsOf((await list(`cursor=${oldest}&sort=created_at`)).data)).toEqual(["c"]);
    expect(second?.email).toBe("b@example.org");
  });
});
