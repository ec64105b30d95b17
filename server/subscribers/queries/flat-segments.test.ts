// Migration 20261129050000_flat_segments converts stored groups to flat filters that match the same people.
import fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../kernel/ids";
import { type Database, openDatabase } from "../../platform/db/client";
import { migrate } from "../../platform/db/migrate";
import { createTestDatabase, type TestDatabase } from "../../test/database";
import { migrateBefore } from "../../test/old-schema";
import { countMatching, listPeople } from "../people";
import { Filter } from "../schema/filter";
import { listSegments, resolvePeopleFilter, updateSegment } from "../segments";
import { countPeople } from "./people-counts";
import { allOf, type ResolvedFilter } from "./people-filter";

const MIGRATION = "20261129050000_flat_segments";
const accountId = newId();

type Condition =
  | { about: "status" | "source" | "tag"; is: string[] }
  | { about: "email" | "name"; test: "contains" | "starts_with"; value: string };
type Group = { match: "all" | "any" | "none"; conditions: Condition[] };
type Person = { status: string; source: string; tags: string[]; email: string; name: string };

const status = (...is: string[]): Condition => ({ about: "status", is });
const source = (...is: string[]): Condition => ({ about: "source", is });
const tag = (...is: string[]): Condition => ({ about: "tag", is });
const contains = (about: "email" | "name", value: string): Condition => ({ about, test: "contains", value });
const group = (match: Group["match"], ...conditions: Condition[]): Group => ({ match, conditions });
const flat = (match: "all" | "any", conditions: object[], not: object[] = []) => ({ match, conditions, not });

/** Groups, and the filters that replace them. Several filters are the parts of the segment. */
const cases: Record<string, { groups: Group[]; filters: object[] }> = {
  "all and none": {
    groups: [
      group("all", status("active"), tag("vip")),
      group("none", source("api")),
      group("all", tag("press")),
    ],
    filters: [flat("all", [status("active"), tag("vip"), tag("press")], [source("api")])],
  },
  "only none": {
    groups: [group("none", status("active"), tag("vip"))],
    filters: [flat("all", [], [status("active"), tag("vip")])],
  },
  "only any": {
    groups: [group("any", status("pending"), tag("vip")), group("none", source("import"))],
    filters: [flat("any", [status("pending"), tag("vip")], [source("import")])],
  },
  "any of one condition": {
    groups: [group("any", tag("vip")), group("all", status("active"))],
    filters: [flat("all", [status("active"), tag("vip")])],
  },
  "any of several tags": {
    groups: [group("all", source("api")), group("any", tag("vip"), tag("press", "vip"))],
    filters: [flat("all", [source("api"), tag("press", "vip")])],
  },
  "a search of the list": {
    groups: [group("all", tag("vip")), group("any", contains("email", "ADA"), contains("name", "ADA"))],
    filters: [flat("all", [tag("vip"), { about: "search", value: "ADA" }])],
  },
  "any, and a status": {
    groups: [
      group("all", status("active", "pending"), status("active")),
      group("any", tag("vip"), source("import")),
    ],
    filters: [
      flat(
        "any",
        [tag("vip"), source("import")],
        [status("unsubscribed"), status("pending", "unsubscribed")],
      ),
    ],
  },
  "any, and every status": {
    groups: [
      group("all", status("unsubscribed", "pending", "active")),
      group("any", tag("vip"), source("api")),
    ],
    filters: [flat("any", [tag("vip"), source("api")])],
  },
  "any and all": {
    groups: [
      group("any", tag("vip"), status("pending")),
      group("all", source("api")),
      group("none", tag("press")),
    ],
    filters: [
      flat("all", [source("api"), tag("vip")], [tag("press")]),
      flat("all", [source("api"), status("pending")], [tag("press")]),
    ],
  },
  "a short search": {
    groups: [group("all", tag("vip")), group("any", contains("email", "ad"), contains("name", "ad"))],
    filters: [
      flat("all", [tag("vip"), contains("email", "ad")]),
      flat("all", [tag("vip"), contains("name", "ad")]),
    ],
  },
  "any and any": {
    groups: [group("any", tag("vip"), source("import")), group("any", status("active"), tag("press"))],
    filters: [
      flat("all", [tag("vip"), status("active")]),
      flat("all", [tag("vip"), tag("press")]),
      flat("all", [source("import"), status("active")]),
      flat("all", [source("import"), tag("press")]),
    ],
  },
};

const person: fc.Arbitrary<Person> = fc.record({
  status: fc.constantFrom("active", "pending", "unsubscribed"),
  source: fc.constantFrom("api", "import", "dashboard"),
  tags: fc.subarray(["vip", "press"]),
  email: fc.constantFrom("ada", "grace", "lovelace"),
  name: fc.constantFrom("", "Ada", "Grace Lovelace"),
});
const people = fc.sample(person, { seed: 5, numRuns: 150 });

/** Evaluates a condition of the old groups. */
function holds(one: Condition, it: Person): boolean {
  if ("is" in one)
    return one.about === "tag"
      ? one.is.some((name) => it.tags.includes(name))
      : one.is.includes(it[one.about]);
  const [has, value] = [it[one.about].toLowerCase(), one.value.toLowerCase()];
  return one.test === "contains" ? has.includes(value) : has.startsWith(value);
}
const isIn = (some: Group[], it: Person) =>
  some.every(({ match, conditions }) =>
    match === "all"
      ? conditions.every((one) => holds(one, it))
      : conditions.some((one) => holds(one, it)) === (match === "any"),
  );

let base: TestDatabase;
let database: Database;
let old: Client;

async function addNewsletter(segments: Record<string, Group[]>): Promise<string> {
  const id = newId();
  await old.query(
    "INSERT INTO newsletters (id, account_id, name, language) VALUES ($1, $2, 'Weekly', 'en')",
    [id, accountId],
  );
  for (const [name, stored] of Object.entries(segments))
    await old.query(
      `INSERT INTO segments (id, newsletter_id, name, canonical, groups, "order", columns)
       VALUES ($1, $2, $3, lower($3), $4, '-email', '["status"]')`,
      [newId(), id, name, JSON.stringify(stored)],
    );
  return id;
}

async function addPeople(newsletterId: string): Promise<void> {
  const { db } = database;
  await db.tag.createMany({
    data: ["vip", "press"].map((name, i) => ({ newsletterId, number: i + 1, name, canonical: name })),
    skipDuplicates: true,
  });
  await db.subscriber.createMany({
    data: people.map(({ tags, email, name, status: is, source: from }, i) => ({
      newsletterId,
      id: newId(),
      email: `${email}${i}@example.org`,
      emailCanonical: `${email}${i}@example.org`,
      firstName: name,
      status: is,
      source: from,
      unsubscribedAt: is === "unsubscribed" ? new Date() : null,
      ...(tags.length > 0 && { tags: tags.map((one) => ["vip", "press"].indexOf(one) + 1) }),
    })),
  });
}

const ctx = () => ({ db: database.db, actor: { kind: "operator" as const }, requestId: "test" });
/** The sorted numbers of the people in segments. */
async function numbersIn(newsletterId: string, ids: string[]): Promise<number[]> {
  const numbers = new Set<number>();
  for (const segment of ids) {
    const filter = await resolvePeopleFilter(ctx(), newsletterId, { filters: [], segment });
    const page = await listPeople(ctx(), filter, { order: "newest", limit: 1_000, from: null });
    for (const { email } of page.items) numbers.add(Number(/\d+/.exec(email)));
  }
  return [...numbers].sort((a, b) => a - b);
}
const wanted = (some: Group[]) => people.flatMap((it, i) => (isIn(some, it) ? i : []));

const at = { cases: "", full: "", taken: "" };
const nested = [group("any", tag("vip"), source("import")), group("all", source("api"))];

beforeAll(async () => {
  base = await createTestDatabase({ empty: true });
  await migrateBefore(base.url, MIGRATION);
  old = new Client({ connectionString: base.url });
  await old.connect();
  await old.query("INSERT INTO accounts (id, name) VALUES ($1, 'Test')", [accountId]);
  at.cases = await addNewsletter(
    Object.fromEntries(Object.entries(cases).map(([name, one]) => [name, one.groups])),
  );
  at.full = await addNewsletter(
    Object.fromEntries(
      Array.from({ length: 99 }, (_, i) => [`s${i}`, i === 0 ? nested : [group("all", tag("vip"))]]),
    ),
  );
  const many = Array.from({ length: 11 }, (_, i) => (i % 2 ? tag(`${i}`) : source("api")));
  at.taken = await addNewsletter({
    Mine: nested,
    "MINE (2)": [group("all", tag("vip"))],
    Many: [group("any", ...many), group("all", tag("vip"))],
  });
  await old.query("INSERT INTO tags (newsletter_id, number, name, canonical) VALUES ($1, 1, 'VIP', 'vip')", [
    at.cases,
  ]);
  await old.query(
    "INSERT INTO fields (newsletter_id, number, key, label, type, position) VALUES ($1, 4, 'seats', 'Seats', 'number', 1)",
    [at.cases],
  );
  for (const filter of [...stored.map(([one]) => JSON.stringify(one)), null])
    await old.query(
      `INSERT INTO bulk_actions (id, newsletter_id, kind, filter, ids, state, total)
       VALUES ($1, $2, 'unsubscribe', $3::jsonb, CASE WHEN $3::jsonb IS NULL THEN '{}'::uuid[] END, 'running', 1)`,
      [newId(), at.cases, filter],
    );
  expect(await migrate({ url: base.url, log: () => {} })).toContain(MIGRATION);
  database = openDatabase({ url: base.url, poolSize: 2, onError: () => {} });
  for (const id of Object.values(at)) await addPeople(id);
}, 60_000);
afterAll(async () => {
  await old.end();
  await database.close();
  await base.drop();
});

/** The parts of a segment, or the segment itself when it has no parts. */
async function partsOf(newsletterId: string, name: string) {
  const all = await listSegments(ctx(), newsletterId);
  const segment = all.find((one) => one.name === name);
  if (!segment) throw new Error(`There is no segment ${name}.`);
  const parts = all.filter((one) => one.name.startsWith(`${name} (`));
  return { segment, parts: segment.isNested ? parts : [segment] };
}

/** Stored filters of bulk actions, and the filters that replace them. */
const at5 = new Date("2026-01-05T00:00:00Z").toISOString();
const stored: [object, ResolvedFilter[]][] = [
  [{}, [allOf()]],
  [
    {
      ...{ status: "pending", source: ["api", "import"], search: "ada", tags: ["vip", "nobody's"] },
      ...{ fields: { seats: 3, gone: "x" }, addedFrom: at5, confirmedBefore: at5, import: accountId },
    },
    [
      allOf(
        { about: "status", is: ["pending"] },
        { about: "source", is: ["api", "import"] },
        { about: "search", value: "ada" },
        { about: "tag", is: [1] },
        { about: "field", number: 0, type: "text", test: "equals", value: "x" },
        { about: "field", number: 4, type: "number", test: "equals", value: 3 },
        { about: "added", test: "after", at: at5 },
        { about: "confirmed", test: "before", at: at5 },
        { about: "import", id: accountId, part: "added" },
      ),
    ],
  ],
  [
    {
      import: accountId,
      importPart: "unchanged",
      groups: [
        group("all", status("active"), contains("name", "a")),
        group("any", status("pending"), source("api")),
        group("none", contains("email", "x")),
      ],
    },
    [
      allOf({ about: "import", id: accountId, part: "unchanged" }),
      allOf({ about: "status", is: ["active"] }, { about: "name", test: "contains", value: "a" }),
      { ...allOf({ about: "status", is: ["pending"] }, { about: "source", is: ["api"] }), match: "any" },
      { ...allOf(), not: [{ about: "email", test: "contains", value: "x" }] },
    ],
  ],
];

it("converts the filter of a stored bulk action to filters that must all match, with tags and fields by number", async () => {
  const { rows } = await old.query("SELECT filter FROM bulk_actions ORDER BY id");
  const textOf = (one: object) => JSON.stringify(Object.entries(one).sort());
  const byText = (a: object, b: object) => (textOf(a) < textOf(b) ? -1 : 1);
  const sorted = (filters: ResolvedFilter[]) =>
    filters.map((one) => ({ ...one, conditions: one.conditions.toSorted(byText) }));
  expect(rows.map(({ filter }) => filter && sorted(filter))).toEqual([
    ...stored.map(([, filters]) => sorted(filters)),
    null,
  ]);
  // The database accepts the new filters.
  for (const { filter } of rows)
    if (filter) await countPeople(database.db, { newsletterId: at.cases, filters: filter });
});

describe("a stored segment", () => {
  it.each(Object.keys(cases))("of %s matches the same people", async (name) => {
    const { groups: before, filters } = cases[name] as (typeof cases)[string];
    const { segment, parts } = await partsOf(at.cases, name);
    expect(segment.isNested).toBe(filters.length > 1);
    expect(parts.map((part) => part.filter)).toEqual(filters);
    expect(parts.map((part) => part.name)).toEqual(
      filters.length > 1 ? filters.map((_, i) => `${name} (${i + 1})`) : [name],
    );
    const ids = parts.map(({ id }) => id);
    const matching = wanted(before);
    expect(matching.length).toBeGreaterThan(0);
    expect(await numbersIn(at.cases, ids)).toEqual(matching);
    for (const part of parts) {
      expect(part).toMatchObject({ order: "-email", columns: ["status"] });
      expect(Filter.parse(part.filter)).toEqual(part.filter);
    }
  });

  it("that can't be flat keeps its conditions, is unusable, and explains what to do", async () => {
    const { segment, parts } = await partsOf(at.cases, "any and all");
    expect(segment.filter).toEqual(
      flat("all", [tag("vip"), status("pending"), source("api")], [tag("press")]),
    );
    const used = resolvePeopleFilter(ctx(), at.cases, { filters: [], segment: segment.id });
    await expect(used).rejects.toMatchObject({
      code: "validation_error",
      errors: { segment: [expect.stringContaining("or use its parts: any and all (1), any and all (2).")] },
    });
    const { id, name, version, order, columns } = segment;
    const filter = (parts[0] as (typeof parts)[0]).filter;
    const rebuilt = { name, order, columns, filter };
    await updateSegment(ctx(), { id: at.cases, accountId }, { id, version, segment: rebuilt });
    const resolved = await resolvePeopleFilter(ctx(), at.cases, { filters: [], segment: id });
    expect((await countMatching(ctx(), resolved)).people).toBeGreaterThan(0);
  });

  it("has no parts if there are more than ten, the newsletter is full, or a name is taken", async () => {
    for (const [newsletter, name] of [
      [at.taken, "Many"],
      [at.taken, "Mine"],
      [at.full, "s0"],
    ] as const) {
      const { segment } = await partsOf(newsletter, name);
      expect(segment.isNested).toBe(true);
    }
    expect((await listSegments(ctx(), at.taken)).map(({ name }) => name)).toEqual([
      "Many",
      "Mine",
      "MINE (2)",
    ]);
    expect(await listSegments(ctx(), at.full)).toHaveLength(99);
  });
});
