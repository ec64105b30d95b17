import { deepStrictEqual } from "node:assert";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "../../server/kernel/ids";
import { createSegment } from "../../server/subscribers/segments";
import type { Answer } from "../contract/client";
import { type Api, openApi } from "./app";
import {
  type Asked,
  type Body,
  badDates,
  badEmails,
  badFields,
  badNames,
  badReasons,
  badStatuses,
  badTags,
  goodDates,
  goodEmails,
  goodFields,
  goodNames,
  goodReasons,
  goodStatuses,
  goodTags,
  List,
  NEW_ID,
  NOW,
  type Person,
  record,
  type SegmentOfModel,
  type Status,
  type Suppression,
  type SuppressionBody,
  suppressionRecord,
  type Validation,
} from "./model";

/** MODEL_SEQUENCES=1000 is the full run; MODEL_SEED tries others. */
const sequences = Number(process.env.MODEL_SEQUENCES || 40);
const seed = Number(process.env.MODEL_SEED || 20261120);

const SUBSCRIBERS = "/api/v1/subscribers";
const SUPPRESSIONS = "/api/v1/suppressions";
const FIELDS = "/api/v1/fields";

let api: Api;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api?.close());

type Keyed = { key: number } | null;
type Step = { at: 0 | 1 } & (
  | { do: "create"; body: Body; dry: boolean; onDuplicate: "error" | "update"; idempotent: Keyed }
  | { do: "bulk"; bodies: Body[]; dry: boolean; onDuplicate: "error" | "skip" | "update"; idempotent: Keyed }
  | { do: "repeat"; which: number; otherBody: boolean }
  | { do: "get"; who: number; foreign: boolean }
  | { do: "delete"; who: number; foreign: boolean }
  | { do: "erase"; who: number; foreign: boolean }
  | { do: "segment"; filter: SegmentOfModel; status?: Status; limit: number }
  | { do: "put"; who: number; foreign: boolean; body: Body }
  | { do: "list"; status?: Status; email?: number; limit?: number; page?: number; onward: boolean }
  | { do: "badList"; query: string }
  | { do: "suppress"; bodies: SuppressionBody[] }
  | { do: "lift"; which: number; foreign: boolean }
  | { do: "suppressions"; reason?: string; email?: number; limit?: number }
);

const mostly = <G, B>(good: readonly G[], bad: readonly B[]): fc.Arbitrary<G | B> =>
  fc.oneof(
    { weight: 19, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  );
const emails = mostly(
  goodEmails.map(({ sent }) => sent as string),
  badEmails as unknown[],
);
const names = mostly(
  goodNames.map(({ sent }) => sent as string | null | undefined),
  badNames as unknown[],
);
const statuses = mostly(goodStatuses as readonly unknown[], badStatuses as unknown[]);
const fields = mostly(
  goodFields.map(({ sent }) => sent as unknown),
  badFields.map(({ sent }) => sent),
);
const tags = mostly(
  goodTags.map(({ sent }) => sent as unknown),
  badTags as unknown[],
);
const person: fc.Arbitrary<Body> = fc.record(
  { email: emails, name: names, status: statuses, fields, tags },
  { requiredKeys: ["email", "name", "status"] },
);
const patch: fc.Arbitrary<Body> = fc.record(
  { email: emails, name: names, status: statuses, fields, tags },
  { requiredKeys: [] },
);
const suppression: fc.Arbitrary<SuppressionBody> = fc.record({
  email: emails,
  reason: mostly(goodReasons as readonly unknown[], badReasons as unknown[]),
  date: mostly(
    goodDates.map(({ sent }) => sent as string | undefined),
    badDates as unknown[],
  ),
});
const at = fc.constantFrom(0 as const, 1 as const);
const idempotent: fc.Arbitrary<Keyed> = fc.option(fc.record({ key: fc.nat(3) }), { freq: 2 });
const who = fc.nat(11);
const rarely = fc.nat(9).map((n) => n === 0);

const aboutText = (about: "email" | "name", values: readonly string[]) =>
  fc.record({
    about: fc.constant(about),
    test: fc.constantFrom("contains" as const, "is" as const, "starts_with" as const),
    value: fc.constantFrom(...values),
  });
const set = fc.constantFrom("set" as const, "not_set" as const);
const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({
    about: fc.constant("status" as const),
    is: fc.subarray(["active" as const, "pending" as const, "unsubscribed" as const], { minLength: 1 }),
  }),
  aboutText("email", ["ADA", "example.org", "BÜCHER", "bob@", "_"]),
  aboutText("name", ["plato", "ZOË", "King", "xxx"]),
  fc.record({ about: fc.constant("name" as const), test: set, value: fc.constant("") }),
  fc.record({
    about: fc.constant("tag" as const),
    is: fc.subarray(["VIP", "print", "nobody's"], { minLength: 1 }),
  }),
  fc.record({
    about: fc.constant("field" as const),
    key: fc.constant("seats" as const),
    test: fc.oneof(fc.constantFrom("is" as const, "at_least" as const), set),
    value: fc.constantFrom(0, 1, 3),
  }),
  fc.record({
    about: fc.constant("field" as const),
    key: fc.constant("edition" as const),
    test: fc.oneof(fc.constant("is" as const), set),
    value: fc.constantFrom("Print", "Digital"),
  }),
  fc.record({
    about: fc.constantFrom("added" as const, "asked" as const),
    test: fc.constantFrom("within_days" as const, "not_set" as const),
    days: fc.constant(2),
  }),
  fc.record({
    about: fc.constant("mail" as const),
    is: fc.subarray(["waiting" as const, "sent" as const], { minLength: 1 }),
  }),
);
const filter: fc.Arbitrary<SegmentOfModel> = fc
  .record({
    match: fc.constantFrom("all" as const, "any" as const),
    conditions: fc.array(asked, { maxLength: 3 }),
    not: fc.array(asked, { maxLength: 3 }),
  })
  .filter(({ conditions, not }) => conditions.length + not.length > 0);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("create" as const),
      at,
      body: person,
      dry: rarely,
      onDuplicate: fc.constantFrom("error" as const, "error" as const, "update" as const),
      idempotent,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("bulk" as const),
      at,
      bodies: fc.array(person, { maxLength: 5 }),
      dry: rarely,
      onDuplicate: fc.constantFrom("error" as const, "skip" as const, "update" as const),
      idempotent,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("repeat" as const), at, which: fc.nat(9), otherBody: rarely }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("get" as const), at, who, foreign: rarely }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), at, who, foreign: rarely }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("erase" as const), at, who, foreign: rarely }) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        do: fc.constant("segment" as const),
        at,
        filter,
        status: fc.constantFrom("active" as const, "pending" as const),
        limit: fc.constantFrom(1, 2, 100),
      },
      { requiredKeys: ["do", "at", "filter", "limit"] },
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("put" as const), at, who, foreign: rarely, body: patch }),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        do: fc.constant("list" as const),
        at,
        status: fc.constantFrom("active" as const, "pending" as const, "unsubscribed" as const),
        email: fc.nat(goodEmails.length - 1),
        limit: fc.constantFrom(1, 2, 3, 100),
        page: fc.constantFrom(1, 2, 3, 1_000_000),
        onward: fc.boolean(),
      },
      { requiredKeys: ["do", "at", "onward"] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("badList" as const),
      at,
      query: fc.constantFrom(
        "status=gone",
        "status=",
        "limit=0",
        "limit=101",
        "limit=ten",
        "limit=1.5",
        "page=0",
        "page=-1",
        "cursor=zzz",
        "cursor=",
        "email=nobody",
        "segment=gone",
        "segment=01a1fab8-221d-73cc-bf6f-88bbf811ce3c",
        "page=1&cursor=AaH6uCIdc8y_b4i7-BHOPA",
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("suppress" as const),
      at,
      bodies: fc.array(suppression, { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("lift" as const), at, which: who, foreign: rarely }) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        do: fc.constant("suppressions" as const),
        at,
        reason: fc.constantFrom(...goodReasons, "denied"),
        email: fc.nat(goodEmails.length - 1),
        limit: fc.constantFrom(1, 2, 100),
      },
      { requiredKeys: ["do", "at"] },
    ),
  },
);

/** A request that was sent with an Idempotency-Key. */
type Sent = { at: 0 | 1; path: string; key: string; text: string; isValid: boolean };
type Saved = { text: string; answer: Answer };

function queryOf({ dry, onDuplicate }: { dry: boolean; onDuplicate: string }): string {
  const parts = [dry && "dry_run=true", onDuplicate !== "error" && `on_duplicate=${onDuplicate}`];
  const query = parts.filter(Boolean).join("&");
  return query && `?${query}`;
}

/** Plays steps on two newsletters of their own, beside the model. */
async function play(steps: Step[]): Promise<void> {
  const tenants = [await api.at.tenant(), await api.at.tenant()] as const;
  const lists = [new List(), new List()] as const;
  const saved = new Map<string, Saved>();
  const sent: Sent[] = [];
  const cursors: ({ text: string; after: string } | null)[] = [null, null];
  const nobody = "01a1fab8-221d-73cc-bf6f-88bbf811ce3c";

  const ask = (nl: 0 | 1, method: string, path: string, text?: string, headers?: Record<string, string>) =>
    api.ask(tenants[nl].key, method, path, { ...(text !== undefined && { raw: text }), headers });

  for (const nl of [0, 1] as const) {
    await ask(nl, "POST", FIELDS, JSON.stringify({ key: "seats", type: "number" }));
    const edition = { key: "edition", type: "choice", choices: ["Print", "Digital"] };
    await ask(nl, "POST", FIELDS, JSON.stringify(edition));
  }

  /** Compares; where somebody is new, the model learns their id and time from the answer. */
  function hold(validation: Validation, answer: Answer, made: Person[] = []): void {
    const { status, headers, json } = answer;
    deepStrictEqual(headers["idempotency-replayed"], undefined);
    if (validation.code !== undefined) {
      deepStrictEqual([json.success, "data" in json], [false, false]);
      if (validation.also !== undefined && json.code === validation.also) return;
      deepStrictEqual([status, json.code], [validation.status, validation.code]);
      if (validation.fields) deepStrictEqual(Object.keys(json.errors).sort(), [...validation.fields].sort());
      if (validation.items) {
        const items = json.items.map(
          (item: { index: number; field: string }) => `${item.index} ${item.field}`,
        );
        deepStrictEqual([...new Set(items)].sort(), [...validation.items].sort());
      }
      return;
    }
    deepStrictEqual([status, json.success], [validation.status, true], answer.text);
    const records = json.data.created ?? [json.data];
    deepStrictEqual(records.length >= made.length, true);
    for (const [i, one] of made.entries()) {
      const { id, created_at } = records[i];
      deepStrictEqual(/^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id), true);
      const age = Date.now() - Date.parse(created_at);
      deepStrictEqual(age > -2_000 && age < 30_000, true, created_at);
      one.id = id;
      one.createdAt = created_at;
    }
    const fill = (data: unknown, from: Person[]): unknown => {
      const next = [...from];
      const walk = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(walk);
        if (typeof value !== "object" || value === null) return value;
        if ((value as { id?: string }).id === NEW_ID) {
          const who = next.shift() as Person;
          return {
            ...value,
            id: who.id,
            created_at: (value as { created_at?: string }).created_at === NOW ? who.createdAt : "",
          };
        }
        return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
      };
      return walk(data);
    };
    deepStrictEqual(json.data, fill(validation.data, made));
  }

  /** A create or bulk, with what contract.md says of Idempotency-Key around it. */
  async function post(
    nl: 0 | 1,
    path: string,
    text: string,
    key: string | null,
    isValid: boolean,
    expected: () => { validation: Validation; made: Person[] },
  ): Promise<void> {
    const answer = await ask(nl, "POST", path, text, key === null ? {} : { "Idempotency-Key": key });
    // A dry run writes nothing, so it has nothing to do but once.
    if (key === null || path.includes("dry_run=true")) {
      const { validation, made } = expected();
      return hold(validation, answer, made);
    }
    const name = `${nl} ${path.split("?")[0]} ${key}`;
    const request = `${path}\n${text}`;
    const before = saved.get(name);
    sent.push({ at: nl, path, key, text, isValid });
    if (!before) {
      const { validation, made } = expected();
      hold(validation, answer, made);
      if (validation.status < 400 || validation.code === "email_already_subscribed")
        saved.set(name, { text: request, answer });
    } else if (before.text === request) {
      deepStrictEqual([answer.status, answer.text], [before.answer.status, before.answer.text]);
      deepStrictEqual(answer.headers["idempotency-replayed"], "true");
    } else {
      // Of two reasons for 422 the contract does not say which comes first.
      const codes = isValid ? ["idempotency_key_reused"] : ["idempotency_key_reused", "validation_error"];
      deepStrictEqual([answer.status, codes.includes(answer.json.code)], [422, true], answer.text);
    }
  }

  const create = (nl: 0 | 1, path: string, text: string, key: string | null) => {
    const body = JSON.parse(text) as Body;
    const dry = path.includes("dry_run=true");
    const verb = path.includes("on_duplicate=update") ? "upsert" : "create";
    // Asked of a list of its own: the model must not learn from a question.
    const isValid = new List().create(body, true).validation.status === 200;
    return post(nl, path, text, key, isValid, () => lists[nl][verb](body, dry));
  };
  const bulk = (nl: 0 | 1, path: string, text: string, key: string | null) => {
    const bodies = JSON.parse(text) as Body[];
    const dry = path.includes("dry_run=true");
    const onDuplicate = (["skip", "update"] as const).find((one) => path.includes(`on_duplicate=${one}`));
    // Items that come twice are a fault of an upsert.
    const isValid =
      new List().bulk(bodies, true, onDuplicate === "update" ? "update" : "skip").validation.status === 200;
    return post(nl, path, text, key, isValid, () => lists[nl].bulk(bodies, dry, onDuplicate ?? "error"));
  };

  /** Compares suppressions, and learns from the answer what only it can tell of them. */
  function holdSuppressions(wanted: Suppression[], given: { id: string; created_at: string }[]): void {
    for (const [i, one] of wanted.entries()) {
      const { id, created_at } = given[i] ?? {};
      if (one.id === NEW_ID && id !== undefined) one.id = id;
      if (one.createdAt === NOW && created_at !== undefined) one.createdAt = created_at;
    }
    deepStrictEqual(given, wanted.map(suppressionRecord));
  }

  const suppressionsOf = async (
    nl: 0 | 1,
    { reason, email, limit = 50 }: { reason?: string; email?: number; limit?: number },
  ) => {
    const address = email === undefined ? undefined : goodEmails[email];
    const all = [...lists[nl].suppressed.values()]
      .reverse()
      .filter((each) => reason === undefined || each.reason === reason)
      .filter((each) => address === undefined || each.canonical === address.canonical);
    const query = new URLSearchParams({ limit: String(limit) });
    if (reason) query.set("reason", reason);
    if (address) query.set("email", address.sent);
    for (let from = 0; ; from += limit) {
      const { status, json } = await ask(nl, "GET", `${SUPPRESSIONS}?${query}`);
      deepStrictEqual([status, json.pagination.total], [200, all.length]);
      holdSuppressions(all.slice(from, from + limit), json.data);
      if (json.pagination.next_cursor === null) return deepStrictEqual(from + limit >= all.length, true);
      query.set("cursor", json.pagination.next_cursor);
    }
  };

  /** All changes of a newsletter. Other tests share the PostgreSQL, and what they have under way holds changes back. */
  async function changesOf(nl: 0 | 1, count: number) {
    const changes: { type: string; subscriber_id: string; subscriber: object | null }[] = [];
    let after = "";
    for (const until = Date.now() + 60_000; ; ) {
      const wait = changes.length < count ? 1 : 0;
      const { status, json } = await ask(nl, "GET", `/api/v1/changes?limit=7&wait=${wait}${after}`);
      deepStrictEqual(status, 200);
      changes.push(...json.data);
      after = `&after=${json.pagination.next}`;
      if (json.data.length === 0 && (changes.length >= count || Date.now() > until)) return changes;
    }
  }

  async function stepOfSuppressions(one: Extract<Step, { do: "suppress" | "lift" | "suppressions" }>) {
    const list = lists[one.at];
    if (one.do === "suppressions") return suppressionsOf(one.at, one);
    if (one.do === "suppress") {
      const bodies = JSON.parse(JSON.stringify(one.bodies)) as SuppressionBody[];
      const answer = await ask(one.at, "POST", SUPPRESSIONS, JSON.stringify(bodies));
      const wanted = list.suppress(bodies);
      if (!Array.isArray(wanted)) return hold(wanted, answer);
      deepStrictEqual(answer.status, 201, answer.text);
      return holdSuppressions(wanted, answer.json.data);
    }
    const from = one.foreign ? (one.at === 0 ? 1 : 0) : one.at;
    // Some have their id from the database alone: the list tells it.
    await suppressionsOf(from, {});
    const all = [...lists[from].suppressed.values()];
    const id = all[one.which % Math.max(1, all.length)]?.id ?? nobody;
    hold(list.lift(id), await ask(one.at, "DELETE", `${SUPPRESSIONS}/${id}`));
  }

  /** Staff save a segment; the list has who is in it, page by page. */
  async function stepOfSegments({ at: nl, filter, status, limit }: Extract<Step, { do: "segment" }>) {
    const { newsletterId: id, accountId } = tenants[nl];
    const ctx = { db: api.app.db, actor: { kind: "operator" as const }, requestId: "test" };
    const input = { name: newId(), filter, order: "newest" as const, columns: null };
    const segment = await createSegment(ctx, { id, accountId }, input);
    const query = new URLSearchParams({
      segment: segment.id,
      limit: String(limit),
      ...(status && { status }),
    });
    for (let after: string | undefined; ; ) {
      const { headers, json, ...answer } = await ask(nl, "GET", `${SUBSCRIBERS}?${query}`);
      const wanted = lists[nl].list({
        segment: filter,
        limit,
        ...(status && { status }),
        ...(after && { after }),
      });
      hold(wanted, { headers, json, ...answer });
      const { next_cursor: next, ...pagination } = json.pagination;
      const { pagination: counted } = wanted as { pagination: unknown };
      deepStrictEqual({ ...pagination, next_cursor: next !== null }, counted);
      if (next === null) return;
      after = json.data.at(-1).id;
      query.set("cursor", next);
    }
  }

  for (const one of steps) {
    if (one.do === "segment") {
      await stepOfSegments(one);
      continue;
    }
    if (one.do === "suppress" || one.do === "lift" || one.do === "suppressions") {
      await stepOfSuppressions(one);
      continue;
    }
    const list = lists[one.at];
    const idOf = (n: number, foreign: boolean) => {
      const people = foreign ? lists[one.at === 0 ? 1 : 0].people : list.people;
      return people[n % Math.max(1, people.length)]?.id ?? nobody;
    };
    if (one.do === "create") {
      const path = `${SUBSCRIBERS}${queryOf(one)}`;
      await create(one.at, path, JSON.stringify(one.body), one.idempotent && `key ${one.idempotent.key}`);
    } else if (one.do === "bulk") {
      const path = `${SUBSCRIBERS}/bulk${queryOf(one)}`;
      await bulk(one.at, path, JSON.stringify(one.bodies), one.idempotent && `key ${one.idempotent.key}`);
    } else if (one.do === "repeat") {
      const earlier = sent[one.which % Math.max(1, sent.length)];
      if (!earlier) continue;
      const text = one.otherBody ? `${earlier.text} ` : earlier.text;
      const again = earlier.path.includes("/bulk") ? bulk : create;
      await again(earlier.at, earlier.path, text, earlier.key);
    } else if (one.do === "get") {
      const id = idOf(one.who, one.foreign);
      hold(list.get(id), await ask(one.at, "GET", `${SUBSCRIBERS}/${id}`));
    } else if (one.do === "delete") {
      const id = idOf(one.who, one.foreign);
      hold(list.delete(id), await ask(one.at, "DELETE", `${SUBSCRIBERS}/${id}`));
    } else if (one.do === "erase") {
      const id = idOf(one.who, one.foreign);
      hold(list.erase(id), await ask(one.at, "DELETE", `${SUBSCRIBERS}/${id}?erase=true`));
      const path = `${SUBSCRIBERS}/${id}`;
      const again = [await ask(one.at, "GET", path), await ask(one.at, "DELETE", `${path}?erase=true`)];
      for (const answer of again) hold({ status: 404, code: "not_found" }, answer);
    } else if (one.do === "put") {
      const id = idOf(one.who, one.foreign);
      const body = JSON.parse(JSON.stringify(one.body)) as Body;
      hold(list.put(id, body), await ask(one.at, "PUT", `${SUBSCRIBERS}/${id}`, JSON.stringify(body)));
    } else if (one.do === "badList") {
      const answer = await ask(one.at, "GET", `${SUBSCRIBERS}?${one.query}`);
      deepStrictEqual([answer.status, answer.json.code], [400, "validation_error"]);
      deepStrictEqual(Object.keys(answer.json.errors), [one.query.split("=")[0]]);
    } else {
      const { status, email, limit } = one;
      const cursor = one.onward ? cursors[one.at] : null;
      const page = cursor ? undefined : one.page;
      const address = email === undefined ? undefined : goodEmails[email];
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries({
        status,
        limit,
        page,
        email: address?.sent,
        cursor: cursor?.text,
      }))
        if (value !== undefined) query.set(name, String(value));
      const answer = await ask(one.at, "GET", `${SUBSCRIBERS}?${query}`);
      const wanted = list.list({ status, canonical: address?.canonical, limit, page, after: cursor?.after });
      hold(wanted, answer);
      const { next_cursor, ...pagination } = answer.json.pagination;
      const more = next_cursor !== null;
      deepStrictEqual({ ...pagination, next_cursor: more }, (wanted as { pagination: unknown }).pagination);
      if (more) cursors[one.at] = { text: next_cursor, after: answer.json.data.at(-1).id };
    }
  }

  // And what is left behind: the rows, the counts beside them, and the mails that were asked for.
  for (const nl of [0, 1] as const) {
    const { newsletterId } = tenants[nl];
    const { people } = lists[nl];
    const kept = (await api.at.list(newsletterId)).map(({ id, email, canonical, status }) => ({
      id,
      email,
      canonical,
      status,
    }));
    deepStrictEqual(
      kept,
      people.map(({ id, email, canonical, status }) => ({ id, email, canonical, status })),
    );
    const { json } = await ask(nl, "GET", `${SUBSCRIBERS}?include=fields,tags&limit=100`);
    deepStrictEqual(
      json.data.map(({ id, fields, tags }: { id: string; fields: object; tags: string[] }) => ({
        id,
        fields,
        tags: tags.map((tag) => tag.toLowerCase()),
      })),
      [...people].reverse().map(({ id, fields, tags }) => ({ id, fields, tags: [...tags] })),
    );
    await suppressionsOf(nl, {});
    const changes = lists[nl].changes.flatMap((one) =>
      one.toSorted((a, b) => (a.person.id < b.person.id ? -1 : 1)),
    );
    deepStrictEqual(
      (await changesOf(nl, changes.length)).map(({ type, subscriber_id, subscriber }) => ({
        type,
        subscriber_id,
        subscriber,
      })),
      changes.map(({ type, person }) => ({
        type,
        subscriber_id: person.id,
        subscriber: lists[nl].erased.includes(person) ? null : record(person),
      })),
    );
    const mails = await api.at.sql(
      `SELECT subscriber_id AS id, count(*)::int AS mails, count(*) FILTER (WHERE state = 'waiting')::int AS waiting
       FROM mails WHERE newsletter_id = $1 GROUP BY 1 ORDER BY 1`,
      [newsletterId],
    );
    deepStrictEqual(
      mails,
      people
        .filter((one) => one.mails > 0)
        .map(({ id, mails, status }) => ({ id, mails, waiting: status === "pending" ? 1 : 0 })),
    );
    const counted = await api.at.sql(
      `SELECT status, sum(people)::int AS people FROM subscriber_counts WHERE newsletter_id = $1
       GROUP BY 1 HAVING sum(people) <> 0 ORDER BY 1`,
      [newsletterId],
    );
    const by = new Map<string, number>();
    for (const { status } of people) by.set(status, (by.get(status) ?? 0) + 1);
    deepStrictEqual(
      counted,
      [...by].sort().map(([status, n]) => ({ status, people: n })),
    );
  }
}

it(`${sequences} random sequences over two newsletters go as the model of the contract says (seed ${seed})`, async () => {
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: "max" }), async (sequence) => {
      steps += sequence.length;
      await play(sequence);
    }),
    { seed, numRuns: sequences, endOnFailure: false, interruptAfterTimeLimit: undefined },
  );
  console.log(`model: ${sequences} sequences of ${steps} steps, seed ${seed}`);
  expect(steps).toBeGreaterThan(sequences * 5);
}, 1_200_000);
