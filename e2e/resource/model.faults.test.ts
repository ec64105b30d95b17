import fc from "fast-check";
import { expect, it } from "vitest";
import type { Answer } from "../contract/client";
import { api, ask, changeTenant, openApiForTests, SUBSCRIBERS, SUPPRESSIONS, tenant } from "./app";
import { type Body, canonicalOf, Newsletter, type OnDuplicate, type Outcome, type Person } from "./model";

/** MODEL_SEQUENCES=1000 is the full run; MODEL_SEED tries others. */
const sequences = Number(process.env.MODEL_SEQUENCES || 40);
const seed = Number(process.env.MODEL_SEED || 20261120);

openApiForTests();

type Step =
  | { do: "create"; body: Body; onDuplicate: "error" | "update" }
  | { do: "bulk"; bodies: Body[]; onDuplicate: OnDuplicate }
  | { do: "put"; which: number; patch: Partial<Body> }
  | { do: "readdress"; which: number; body: Body }
  | { do: "unsubscribe" | "erase" | "lift"; which: number }
  | { do: "suppress"; items: { email: string; reason: string }[] };

const email = fc.constantFrom(
  ...["ada", "bob", "carl", "dora", "erik"].flatMap((name) => [
    `${name}@example.org`,
    `${name.toUpperCase()}@Example.org`,
  ]),
);
const name = fc.constantFrom("", "Plato", "Ada King Lovelace");
const status = fc.constantFrom("active" as const, "pending" as const);
const external_id = fc.constantFrom("c-1", "c-2", "C-2");
const body: fc.Arbitrary<Body> = fc.oneof(
  fc.record({ email, name, status }, { requiredKeys: ["email"] }),
  fc.record({ email, name, status, external_id }, { requiredKeys: ["email", "external_id"] }),
);
const patch: fc.Arbitrary<Partial<Body>> = fc
  .record({ email, name, status, external_id: fc.option(external_id) }, { requiredKeys: [] })
  .filter((one) => Object.keys(one).length > 0);
const reason = fc.constantFrom("manual", "bounced", "unsubscribed", "complained");
const which = fc.nat(11);
const stepOf = <Do extends Step["do"], More>(one: Do, more: { [K in keyof More]: fc.Arbitrary<More[K]> }) =>
  fc.record({ do: fc.constant(one), ...more });

const step = fc.oneof(
  stepOf("create", { body, onDuplicate: fc.constantFrom("error" as const, "update" as const) }),
  stepOf("readdress", { which, body }),
  stepOf("bulk", {
    bodies: fc.array(body, { minLength: 1, maxLength: 4 }),
    onDuplicate: fc.constantFrom("error" as const, "skip" as const, "update" as const),
  }),
  stepOf("put", { which, patch }),
  stepOf("put", { which, patch }),
  stepOf("unsubscribe", { which }),
  stepOf("erase", { which }),
  stepOf("suppress", { items: fc.array(fc.record({ email, reason }), { minLength: 1, maxLength: 3 }) }),
  stepOf("lift", { which }),
) as fc.Arbitrary<Step>;

type Given = { id: string; email: string; name: string; status: string };

/** Compares records with people, and learns the ids of new people. */
function expectPeople(records: Given[], people: Person[]): void {
  expect(records).toHaveLength(people.length);
  for (const [i, person] of people.entries()) {
    person.id ??= records[i]?.id;
    const { id, email, name, status } = person;
    expect(records[i]).toEqual({ id, email, name, status, created_at: expect.any(String) });
  }
}

function expectOutcome({ status, json, text }: Answer, outcome: Outcome): void {
  expect(status, text).toBe(outcome.status);
  if (outcome.codes) {
    expect(outcome.codes).toContain(json.code);
    const items = json.items?.map(({ index, field }: Record<string, unknown>) => `${index} ${field}`);
    if (outcome.errors) expect(items ?? Object.keys(json.errors)).toEqual(outcome.errors);
    return;
  }
  const { created = [json.data], updated, skipped } = json.data;
  if (outcome.people) expectPeople(created, outcome.people);
  if (outcome.updated) expectPeople(updated, outcome.updated);
  else expect(updated).toBeUndefined();
  expect(skipped?.map(({ index }: { index: number }) => index)).toEqual(outcome.skipped);
}

async function play(model: Newsletter, one: Step): Promise<void> {
  if (one.do === "readdress") {
    const withIds = model.people.filter((person) => person.external_id);
    const person = withIds[one.which % withIds.length];
    const body = { ...one.body, ...(person && { external_id: person.external_id }) };
    return play(model, { do: "create", body, onDuplicate: "update" });
  }
  if (one.do === "create" || one.do === "bulk") {
    const query = one.onDuplicate === "error" ? "" : `?on_duplicate=${one.onDuplicate}`;
    if (one.do === "bulk") {
      const answer = await ask("POST", `${SUBSCRIBERS}/bulk${query}`, one.bodies);
      return expectOutcome(answer, model.bulk(one.bodies, one.onDuplicate));
    }
    const answer = await ask("POST", `${SUBSCRIBERS}${query}`, one.body);
    return expectOutcome(
      answer,
      one.onDuplicate === "error" ? model.create(one.body) : model.upsert(one.body),
    );
  }
  if (one.do === "suppress")
    return expectOutcome(await ask("POST", SUPPRESSIONS, one.items), model.suppress(one.items));
  if (one.do === "lift") {
    const canonicals = [...model.suppressions.keys()];
    const canonical = canonicals[one.which % canonicals.length];
    if (canonical === undefined) return;
    const [found] = (await ask("GET", `${SUPPRESSIONS}?email=${canonical}`)).json.data;
    return expectOutcome(await ask("DELETE", `${SUPPRESSIONS}/${found.id}`), model.lift(canonical));
  }
  const person = model.people[one.which % model.people.length];
  if (!person) return;
  const path = `${SUBSCRIBERS}/${person.id}`;
  if (one.do === "put") return expectOutcome(await ask("PUT", path, one.patch), model.put(person, one.patch));
  const answer = await ask("DELETE", one.do === "erase" ? `${path}?erase=true` : path);
  expectOutcome(answer, model[one.do](person));
}

/** Reads all changes. Other tests' transactions on this PostgreSQL hold changes back for a while. */
async function readChanges(count: number): Promise<string[]> {
  const changes: string[] = [];
  let after = "";
  for (const until = Date.now() + 60_000; ; ) {
    const wait = changes.length < count ? 1 : 0;
    const { json } = await ask("GET", `/api/v1/changes?wait=${wait}${after}`);
    for (const { type, subscriber_id } of json.data) changes.push(`${type} ${subscriber_id}`);
    after = `&after=${json.pagination.next}`;
    if (json.data.length === 0 && (changes.length >= count || Date.now() > until)) return changes;
  }
}

/** Compares the rows, suppressions, changes, emails and counts that the steps left. */
async function expectEnd({ people, suppressions, changes }: Newsletter): Promise<void> {
  const records = (await ask("GET", `${SUBSCRIBERS}?limit=100&include=external_id`)).json.data;
  const externalIds = records.map(({ external_id }: { external_id: string | null }) => external_id);
  expect(externalIds).toEqual(people.toReversed().map((person) => person.external_id));
  expectPeople(
    records.map(({ external_id: _, ...record }: Given & { external_id: unknown }) => record),
    people.toReversed(),
  );
  const rows = await api.at.list(tenant.newsletterId);
  expect(rows.map(({ canonical }) => canonical)).toEqual(people.map(canonicalOf));
  const listed = (await ask("GET", `${SUPPRESSIONS}?limit=100`)).json.data;
  const kept = [...suppressions.values()].map(({ email, reason, source }) => ({ email, reason, source }));
  expect(listed).toMatchObject(kept.toReversed());
  const told = changes.flatMap((request) =>
    request
      .map(({ type, person }) => ({ type, id: String(person.id) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  expect(await readChanges(told.length)).toEqual(told.map(({ type, id }) => `${type} ${id}`));
  const mails = await api.at.sql(
    `SELECT subscriber_id AS id, count(*)::int AS mails, count(*) FILTER (WHERE state = 'waiting')::int AS waiting
     FROM mails WHERE newsletter_id = $1 GROUP BY 1 ORDER BY 1`,
    [tenant.newsletterId],
  );
  const mailed = people.filter((person) => person.mails > 0);
  expect(mails).toEqual(
    mailed.map(({ id, mails, status }) => ({ id, mails, waiting: status === "pending" ? 1 : 0 })),
  );
  const counted = await api.at.sql<{ status: string; people: number }>(
    `SELECT status, sum(people)::int AS people FROM subscriber_counts WHERE newsletter_id = $1
     GROUP BY 1 HAVING sum(people) <> 0`,
    [tenant.newsletterId],
  );
  const counts: Record<string, number> = {};
  for (const { status } of people) counts[status] = (counts[status] ?? 0) + 1;
  expect(Object.fromEntries(counted.map((row) => [row.status, row.people]))).toEqual(counts);
}

it(`${sequences} random sequences of requests lead to the state of the model (seed ${seed})`, async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 5, maxLength: 40, size: "max" }),
    async (steps) => {
      await changeTenant();
      const model = new Newsletter();
      for (const one of steps) await play(model, one);
      await expectEnd(model);
    },
  );
  await fc.assert(property, { seed, numRuns: sequences, endOnFailure: false });
  expect(Newsletter.readdressed).toBeGreaterThan(sequences / 4);
}, 1_200_000);
