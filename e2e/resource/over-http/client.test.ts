import { describe, expect, it, test } from "vitest";
import {
  batches,
  type Change,
  ConnectionError,
  ForbiddenError,
  type Retry,
  type Subscriber,
  ValidationError,
} from "../../../clients/js/index.js";
import { writeChangePosition } from "../../../server/events/schema/changes";
import { documentValidator } from "../../contract/document";
import { people } from "../../contract/stage";
import { errorsSuite } from "./client-errors";
import { repeatsSuite } from "./client-repeats";
import {
  all,
  at,
  atGate,
  breaks,
  called,
  clientOf,
  emails,
  errorOf,
  fails,
  gate,
  openClientStage,
  operationsOf,
  rollcall,
  SOON,
  tenant,
} from "./client-stage";
import { webhooksSuite } from "./client-webhooks";

openClientStage();

describe("subscribers", () => {
  it("are created, read by id and address, changed, asked, linked, unsubscribed and erased", async () => {
    const { subscribers } = rollcall;
    const ada = await subscribers.create({ email: "ada+1@example.org", status: "pending", tags: ["vip"] });
    expect(ada).toMatchObject({ email: "ada+1@example.org", status: "pending", name: "" });
    expect(await subscribers.get(ada.id, { include: ["fields", "tags"] })).toMatchObject({
      tags: ["vip"],
      fields: {},
    });
    expect(await subscribers.get("ADA+1@example.org")).toEqual(ada);
    expect(await subscribers.update("ada+1@example.org", { name: "Ada King" })).toMatchObject({
      name: "Ada King",
    });
    expect(await subscribers.replace(ada.id, { ...ada, name: "Ada" })).toMatchObject({ name: "Ada" });
    expect((await subscribers.resendConfirmation(ada.id)).status).toMatch(/^(queued|waiting|deferred)$/);
    const { unsubscribe } = await subscribers.links(ada.id);
    expect(unsubscribe).toContain("/unsubscribe/");
    const unknown = "01a1fab8-221d-73cc-bf6f-88bbf811ce3c";
    expect(await subscribers.linksOf([ada.id, unknown])).toMatchObject({
      links: [{ id: ada.id, unsubscribe }],
      skipped: [{ index: 1, id: unknown }],
    });
    expect((await all(subscribers.activity(ada.id))).at(-1)).toMatchObject({ type: "created" });
    const odd = await subscribers.create({ email: "a/b?c#d%41@example.org" });
    expect(await subscribers.erase(odd.email)).toEqual({ ...odd, status: "unsubscribed" });
    expect(await subscribers.unsubscribe(ada.id)).toMatchObject({ status: "unsubscribed" });
    expect(await subscribers.erase(ada.id)).toMatchObject({ id: ada.id });
    expect(await at.list(tenant.newsletterId)).toEqual([]);
  });

  it("are checked by a dry run without being stored", async () => {
    const { valid } = await rollcall.subscribers.create({ email: "ada@example.org" }, { dry_run: true });
    expect(valid).toBe(true);
    expect(await at.list(tenant.newsletterId)).toEqual([]);
  });

  it("are created by the hundred: all or none, or without those on the list", async () => {
    const { created } = await rollcall.subscribers.createMany(people(100));
    expect(emails(created)).toEqual(emails(people(100)));
    const error = await errorOf(rollcall.subscribers.createMany([...people(2), { email: "nobody" }]));
    expect(error.items.map(({ index, code }) => `${index} ${code}`)).toEqual([
      "0 already_subscribed",
      "1 already_subscribed",
      expect.stringMatching(/^2 /),
    ]);
    const result = await rollcall.subscribers.createMany(people(101).slice(-2), { on_duplicate: "skip" });
    expect([emails(result.created), result.skipped]).toEqual([
      ["person-101@example.org"],
      [{ index: 0, email: "person-100@example.org", reason: "already_subscribed" }],
    ]);
  });

  it("are created in any number, and each result names its place in the whole list", async () => {
    await rollcall.subscribers.createMany([
      { email: "person-150@example.org" },
      { email: "left@example.org" },
    ]);
    async function* rows() {
      for (const person of people(230)) yield { ...person, line: 7 };
      yield { email: "no address", line: 231 };
      yield { email: "left@example.org", line: 232 };
    }
    const results = await all(rollcall.subscribers.createAll(rows(), { on_duplicate: "skip" }));
    expect(results.map(({ created }) => created.length)).toEqual([100, 99, 30]);
    expect(results.flatMap(({ skipped }) => skipped.map(({ index }) => index))).toEqual([149, 231]);
    expect(results.flatMap(({ invalid }) => invalid)).toMatchObject([
      { index: 230, field: "email", item: { line: 231 } },
    ]);
    expect(await at.list(tenant.newsletterId)).toHaveLength(231);

    const [names] = await all(
      rollcall.subscribers.createAll([{ email: "left@example.org", name: "Lee" }], {
        on_duplicate: "update",
      }),
    );
    expect(names?.updated).toMatchObject([{ name: "Lee" }]);
    const [none] = await all(rollcall.subscribers.createAll([{ email: "left@example.org" }]));
    expect(none).toMatchObject({ created: [], invalid: [{ index: 0, code: "already_subscribed" }] });
  });

  it("are read in pages until the last one", async () => {
    await rollcall.subscribers.createMany(people(25));
    await rollcall.subscribers.unsubscribe("person-7@example.org");
    const list = rollcall.subscribers.list({ sort: "created_at", limit: 10, status: "active" });
    expect(emails(await all(list))).toEqual(emails(people(25)).toSpliced(6, 1));
    const pages = await all(list.pages());
    expect(pages.map(({ data }) => data.length)).toEqual([10, 10, 4]);
    const { data, pagination } = await list.page();
    expect([data.length, pagination.total]).toEqual([10, 24]);
    const numbered = rollcall.subscribers.list({ sort: "created_at", limit: 10, page: 2 });
    expect((await numbered.page()).pagination).toMatchObject({ page: 2, pages: 3 });
    expect(emails(await all(numbered))).toEqual(emails(people(25)).slice(10));
    // Iteration without a limit takes the largest page.
    const alone = atGate();
    expect(await all(alone.subscribers.list())).toHaveLength(25);
    expect(gate.asked.map(({ url }) => url)).toEqual(["/api/v1/subscribers?limit=1000"]);
  });

  it("are found by their fields", async () => {
    await rollcall.fields.create({ key: "city", type: "text" });
    await rollcall.subscribers.create({ email: "ada@example.org", fields: { city: "Köln & Bonn" } });
    await rollcall.subscribers.create({ email: "bob@example.org", fields: { city: "Bonn" } });
    const list = rollcall.subscribers.list({ field: { city: "Köln & Bonn" }, search: undefined });
    expect(emails(await all(list))).toEqual(["ada@example.org"]);
  });

  it("are streamed as records and as CSV, as far as they are wanted", async () => {
    const name = "Zoë 𝛑 “O'Brien”";
    await rollcall.subscribers.create({ email: "first@example.org", name });
    for (let i = 0; i < 5; i++) await rollcall.subscribers.createMany(people(100, `part-${i}`));
    const streamed = await all(rollcall.subscribers.stream({ sort: "created_at", include: "tags" }));
    expect(streamed).toHaveLength(501);
    expect(streamed[0]).toMatchObject({ email: "first@example.org", name, tags: [] });
    const csv = (await all(rollcall.subscribers.csv({ sort: "created_at" }))).join("");
    expect(csv.trim().split("\n")).toHaveLength(502);
    const taken: Subscriber[] = [];
    for await (const one of rollcall.subscribers.stream()) {
      taken.push(one);
      if (taken.length === 3) break;
    }
    expect(taken).toHaveLength(3);
  });

  it("are streamed without damage where a part ends in the middle of a letter", async () => {
    await rollcall.subscribers.create({ email: "zoe@example.org", name: "Zoë" });
    let go = () => {};
    const isRead = new Promise<void>((resolve) => {
      go = resolve;
    });
    gate.turns = [
      async (response, pass) => {
        const bytes = Buffer.from(await (await pass()).arrayBuffer());
        const middle = bytes.indexOf("ë") + 1;
        response.write(bytes.subarray(0, middle));
        await isRead;
        response.end(bytes.subarray(middle));
      },
    ];
    const parts: string[] = [];
    for await (const part of atGate().subscribers.csv()) {
      parts.push(part);
      go();
    }
    expect(parts).toHaveLength(2);
    expect(parts.join("")).toContain('"Zoë"');
  });
});

describe("the feed of changes", () => {
  const types = (changes: Change[]) =>
    changes.map(({ type, subscriber }) => `${type} ${subscriber?.email.split("@")[0]}`);

  it("is listed until now, from a position", async () => {
    await rollcall.subscribers.createMany(people(30));
    const position = await rollcall.changes.position();
    expect(await all(rollcall.changes.list({ limit: 20 }))).toHaveLength(30);
    await rollcall.subscribers.unsubscribe("person-1@example.org");
    expect(types(await all(rollcall.changes.list({ after: position })))).toEqual(["unsubscribed person-1"]);
  });

  it("is followed after a copy, and again from the saved position: nothing is lost, and a page that was not finished comes again", async () => {
    await rollcall.subscribers.createMany(people(3));
    let saved: string | undefined;
    const copied: string[] = [];
    const seen: string[] = [];
    const copy = async () => {
      for await (const { email } of rollcall.subscribers.stream({ sort: "created_at" })) copied.push(email);
      await rollcall.subscribers.createMany(people(3, "during"));
    };
    const follow = (signal?: AbortSignal) =>
      rollcall.changes.follow(
        { load: () => saved, save: (position) => (saved = position), copy },
        { signal },
      );
    // The reader fails at the second change of the page.
    await expect(
      (async () => {
        for await (const change of follow()) {
          seen.push(...types([change]));
          if (seen.length === 2) throw new Error("disk full");
        }
      })(),
    ).rejects.toThrow("disk full");
    expect(copied).toEqual(emails(people(3)));
    expect(seen).toEqual(["created during-1", "created during-2"]);

    const stop = new AbortController();
    seen.length = 0;
    const following = (async () => {
      for await (const change of follow(stop.signal)) seen.push(...types([change]));
    })();
    await expect.poll(() => seen.length, SOON).toBe(3);
    await rollcall.subscribers.update("person-1@example.org", { name: "Ada" });
    await expect.poll(() => seen.at(-1), SOON).toBe("updated person-1");
    stop.abort();
    await following;
    expect(seen).toEqual(["created during-1", "created during-2", "created during-3", "updated person-1"]);
    expect(copied).toHaveLength(3);

    await rollcall.subscribers.unsubscribe("person-2@example.org");
    for await (const change of follow()) {
      expect(types([change])).toEqual(["unsubscribed person-2"]);
      break;
    }
  });

  it("is copied again after a position that is no longer kept; without a copy, the error is thrown", async () => {
    const epoch = "01a1fab8-221d-73cc-bf6f-88bbf811ce3c";
    const old = writeChangePosition({ epoch, xid: "7", id: epoch });
    const copies: string[] = [];
    const stop = new AbortController();
    const positions: string[] = [];
    const how = { load: () => old, save: (position: string) => positions.push(position) };
    const copy = () => {
      copies.push("copied");
      stop.abort();
    };
    expect(await all(rollcall.changes.follow({ ...how, copy }, { signal: stop.signal }))).toEqual([]);
    expect([copies.length, positions.length]).toEqual([1, 1]);
    const error = await errorOf(rollcall.changes.follow(how).next());
    expect([error.constructor, error.field]).toEqual([ValidationError, "after"]);
  });

  it("goes on after an outage that is longer than the repeats of a request", async () => {
    const stop = new AbortController();
    const retries: Retry[] = [];
    const client = atGate({ maxRetries: 1, signal: stop.signal, onRetry: (retry) => retries.push(retry) });
    await rollcall.subscribers.createMany(people(1));
    const seen: Change[] = [];
    const following = (async () => {
      for await (const change of client.changes.follow({ wait: 1 }, { signal: stop.signal }))
        seen.push(change);
    })();
    await expect.poll(() => seen.length, SOON).toBe(1);
    gate.turns = [fails(502), breaks, fails(503, { "Retry-After": "1" })];
    await expect.poll(() => gate.turns.length, SOON).toBe(0);
    await rollcall.subscribers.create({ email: "after@example.org" });
    await expect.poll(() => seen.length, SOON).toBe(2);
    stop.abort();
    await following;
    expect(retries.map(({ error, attempt }) => `${attempt} ${error.status || error.code}`)).toEqual([
      ...["1 502", "2 connection_failed", "3 503"],
    ]);
    gate.turns = Array(3).fill(breaks);
    const first = atGate({ maxRetries: 1 }).changes.follow();
    expect(await errorOf(first.next())).toBeInstanceOf(ConnectionError);
  });
});

test("fields, segments, suppressions, statistics, the key and the document are read and changed", async () => {
  const { fields, segments, suppressions } = rollcall;
  await fields.create({ key: "city", type: "text", label: "City" });
  expect(await fields.update("city", { label: "Town" })).toMatchObject({ key: "city", label: "Town" });
  expect(await fields.list()).toMatchObject([{ label: "Town" }]);
  expect(await fields.delete("city")).toMatchObject({ key: "city" });
  expect(await segments.list()).toEqual([]);
  const [one] = await suppressions.create([{ email: "ada@example.org", reason: "manual" }]);
  expect(await all(suppressions.list())).toEqual([one]);
  expect(await suppressions.delete(one?.id ?? "")).toEqual(one);
  expect((await rollcall.stats({ days: 3 })).days).toHaveLength(3);
  expect((await rollcall.me()).newsletter?.id).toBe(tenant.newsletterId);
  expect(await rollcall.openapi()).toMatchObject({ openapi: "3.1.0" });
});

test("a key for all newsletters works with the newsletter of the client", async () => {
  const { secret } = await at.addKey(tenant.newsletterId, { forAllNewsletters: true });
  const newsletter = tenant.newsletterId;
  const client = clientOf(secret, { newsletter });
  const { id } = await client.subscribers.create({ email: "ada@example.org" });
  expect((await rollcall.subscribers.get(id)).email).toBe("ada@example.org");
  expect((await client.newsletters()).map((one) => one.id)).toContain(newsletter);
  expect((await client.me()).newsletter).toBe(null);
  await expect(clientOf(secret).subscribers.get(id)).rejects.toBeInstanceOf(ForbiddenError);
});

test("tags are listed, renamed, merged and deleted by any name", async () => {
  await rollcall.subscribers.create({ email: "ada@example.org", tags: ["50 % off/now?", "Köln"] });
  expect((await rollcall.tags.list()).map(({ name, subscribers }) => [name, subscribers])).toEqual([
    ["50 % off/now?", 1],
    ["Köln", 1],
  ]);
  expect(await rollcall.tags.update("50 % off/now?", { name: "sale" })).toMatchObject({ name: "sale" });
  await rollcall.tags.update("sale", { name: "Köln" });
  await rollcall.tags.delete("KÖLN");
  expect(await rollcall.tags.list()).toEqual([]);
});

test("an import is planned, committed and undone", async () => {
  await rollcall.subscribers.create({ email: "person-1@example.org" });
  const plan = await rollcall.imports.plan([...people(3), { email: "nobody" }], {
    default_status: "pending",
  });
  expect(plan).toMatchObject({ state: "planned", rows: 3, rejected: 1, people: 2 });
  const rows = await all(rollcall.imports.rows(plan.id, { limit: 2 }));
  expect(rows.map(({ result }) => result)).toEqual([
    "already_active",
    "new_pending",
    "new_pending",
    "rejected",
  ]);
  const consent = { source: "Shop checkout", people: plan.people };
  expect((await rollcall.imports.commit(plan, consent)).id).toBe(plan.id);
  expect(await rollcall.imports.ended(plan.id)).toMatchObject({ state: "done" });
  await rollcall.imports.undo(plan.id);
  expect(await rollcall.imports.ended(plan.id)).toMatchObject({ undone: { removed: 2, kept: 0 } });
  const other = await rollcall.imports.plan(people(5));
  expect(await rollcall.imports.cancel(other.id)).toMatchObject({ state: "cancelled" });
});

webhooksSuite();
repeatsSuite();
errorsSuite();

test("lists are split, also while they are read", async () => {
  async function* numbers() {
    yield* [1, 2, 3, 4, 5];
  }
  expect(await all(batches(numbers(), 2))).toEqual([[1, 2], [3, 4], [5]]);
  expect(await all(batches([1, 2], 2))).toEqual([[1, 2]]);
  expect(await all(batches([], 2))).toEqual([]);
});

test("every operation of the document was called", () => {
  const { document, find } = documentValidator();
  const operationIdOf = (call: string) => {
    const [method = "", path = ""] = call.split(" ");
    return find({ method, path })?.operation.operationId;
  };
  // PATCH does the same as PUT.
  const verb = (operationId: string) => operationId.replace(/^patch/, "update");
  const known = operationsOf(document).map(({ operationId }) => verb(operationId));
  expect(new Set([...called].map((call) => verb(operationIdOf(call))))).toEqual(new Set(known));
});
