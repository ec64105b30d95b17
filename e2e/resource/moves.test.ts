import { describe, expect, it } from "vitest";
import { showConfirmation } from "../../server/subscribers/confirmations";
import { each } from "../contract/stage";
import { api, ask, changeTenant, openApiForTests, SUBSCRIBERS, tenant } from "./app";

openApiForTests();

const post = (json: unknown, path = "") => ask("POST", SUBSCRIBERS + path, json);
const put = (id: string, json: unknown) => ask("PUT", `${SUBSCRIBERS}/${id}`, json);
const remove = (id: string) => ask("DELETE", `${SUBSCRIBERS}/${id}`);
const list = async (query = "") => (await ask("GET", `${SUBSCRIBERS}${query}`)).json;
const idsOf = (people: { id: string }[]) => people.map(({ id }) => id);
const rows = () => api.at.list(tenant.newsletterId);

async function person(email: string, status: "active" | "pending" = "active"): Promise<string> {
  const { json, status: code } = await post({ email, name: "Ada Lovelace", status });
  expect(code).toBe(201);
  return json.data.id;
}
/** Adds people 0 to `count` - 1, every third as pending. */
const people = (count: number, prefix = "p") =>
  post(
    Array.from({ length: count }, (_, i) => ({
      email: `${prefix}${i}@example.org`,
      status: i % 3 ? "active" : "pending",
    })),
    "/bulk",
  );

/** A person's emails, oldest first. */
const mails = (id: string) =>
  api.at.sql<{ id: string; to: string; state: string; expires: Date }>(
    `SELECT id, to_email AS "to", state, link_expires_at AS expires FROM mails WHERE subscriber_id = $1 ORDER BY id`,
    [id],
  );
const sent = async (id: string) => (await mails(id)).map(({ to, state }) => `${to} ${state}`);

/** The totals of lists equal the rows. */
async function expectExactTotals(): Promise<void> {
  const all = await rows();
  for (const status of ["active", "pending", "unsubscribed"]) {
    const { total } = (await list(`?status=${status}&limit=1`)).pagination;
    expect([status, total]).toEqual([status, all.filter((row) => row.status === status).length]);
  }
  expect((await list("?limit=1")).pagination.total).toBe(all.length);
}

const LEAVE = "leave";
const [PENDING, ACTIVE] = [{ status: "pending" }, { status: "active" }];

describe("a change", () => {
  it.each<[from: "active" | "pending", changes: (object | typeof LEAVE)[], mails: string[]]>([
    ["active", [PENDING], ["ada@example.org waiting"]],
    ["active", [PENDING, LEAVE], ["ada@example.org cancelled"]],
    ["active", [PENDING, LEAVE, PENDING], ["ada@example.org cancelled", "ada@example.org waiting"]],
    ["pending", [ACTIVE], ["ada@example.org cancelled"]],
    ["pending", [{ email: "Ada@Example.ORG" }], ["ada@example.org waiting"]],
    ["pending", [{ email: "new@example.org" }], ["ada@example.org cancelled", "new@example.org waiting"]],
    ["active", [{ email: "new@example.org" }], []],
  ])("from %s by %j leaves the emails %j", async (from, changes, expected) => {
    const id = await person("ada@example.org", from);
    for (const change of changes) {
      const { status, json } = change === LEAVE ? await remove(id) : await put(id, change);
      expect([status, json.data]).toMatchObject([
        200,
        change === LEAVE ? { status: "unsubscribed" } : change,
      ]);
    }
    expect(await sent(id)).toEqual(expected);
  });

  it("to the current status changes nothing and sends no email", async () => {
    const id = await person("ada@example.org", "pending");
    const before = (await ask("GET", `${SUBSCRIBERS}/${id}`)).text;
    expect((await put(id, { status: "pending", name: "Ada Lovelace" })).text).toBe(before);
    expect(await sent(id)).toHaveLength(1);
    expect(await api.at.sql("SELECT version FROM subscribers WHERE id = $1", [id])).toEqual([{ version: 1 }]);
  });

  it("of a pending person's email makes the old link outdated", async () => {
    const id = await person("old@example.org", "pending");
    const [first] = await mails(id);
    // As if it had been sent: only its link can be made invalid.
    await api.at.sql("UPDATE mails SET state = 'logged' WHERE id = $1", [first?.id]);
    await put(id, { email: "new@example.org" });
    expect(await sent(id)).toEqual(["old@example.org logged", "new@example.org waiting"]);
    const linkStatuses = [];
    for (const { id: mailId, expires: expiresAt } of await mails(id)) {
      const claims = { newsletterId: tenant.newsletterId, subscriberId: id, mailId, expiresAt };
      linkStatuses.push((await showConfirmation({ db: api.app.db }, claims)).linkStatus);
    }
    expect(linkStatuses).toEqual(["outdated", "pending"]);
  });

  it("to an address on the list is rejected, and the error shows the status of that person", async () => {
    const id = await person("ada@example.org", "pending");
    const leftId = await person("left@example.org");
    await remove(leftId);
    const before = await rows();
    const answers = [
      await put(id, { email: "left@example.org", name: "Eve" }),
      await post({ email: "Left@example.org" }),
      await post({ email: "left@example.org" }, "?dry_run=true"),
    ].map(({ status, json }) => [status, json.code, json.errors.email, json.subscriber]);
    const message =
      "This address is on the list as unsubscribed. Leave this address out: only its owner can resubscribe.";
    const subscriber = { id: leftId, status: "unsubscribed" };
    expect(answers).toEqual(Array(3).fill([422, "email_already_subscribed", [message], subscriber]));
    const bulk = [{ email: "left@example.org", status: "pending" }];
    expect((await post(bulk, "/bulk")).json.items).toMatchObject([{ code: "already_subscribed", message }]);
    expect((await post(bulk, "/bulk?on_duplicate=skip")).json.data).toEqual({
      created: [],
      skipped: [{ index: 0, email: "left@example.org", reason: "already_subscribed" }],
    });
    expect((await post({ email: "ada@example.org" })).json.message).toBe(
      "This address is already on the list as pending. Leave this address out, or change the existing person.",
    );
    expect(await rows()).toEqual(before);
    expect(await sent(id)).toEqual(["ada@example.org waiting"]);
  });

  it("of 20 people to one address at once succeeds once, and 19 answers say that it is taken", async () => {
    const ids = await each(Array(20).fill(0), 5, (_, i) => person(`p${i}@example.org`));
    const answers = await each(ids, 20, (id) => put(id, { email: "wanted@example.org" }));
    const outcomes = answers.map(({ status, json }) => json.code ?? status).sort();
    expect(outcomes).toEqual([200, ...Array(19).fill("email_already_subscribed")]);
    expect((await rows()).filter((row) => row.canonical === "wanted@example.org")).toHaveLength(1);
  });

  it.each([
    [{}, ["body"]],
    [{ foo: 1 }, ["body"]],
    [[], ["body"]],
    [null, ["body"]],
    [{ email: "no", name: 7, status: "gone" }, ["email", "name", "status"]],
  ])("by %j is 422 on %j", async (patch, fields) => {
    const answer = await put(await person("ada@example.org"), patch);
    expect([answer.status, Object.keys(answer.json.errors).sort()]).toEqual([422, fields]);
  });

  it("to unsubscribed is 422 on status", async () => {
    const answer = await put(await person("ada@example.org"), { status: "unsubscribed" });
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ["status"]]);
  });

  it("without a status keeps it: left out or null", async () => {
    const id = await person("ada@example.org", "pending");
    expect((await put(id, { name: "Ada King", status: null })).json.data.status).toBe("pending");
    const answer = await put(id, { status: null });
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ["body"]]);
  });

  it.each(["active", "pending", "unsubscribed"] as const)(
    "by the record of a person who is %s, as it was read, changes nothing",
    async (status) => {
      const id = await person("Ada@Example.org", status === "pending" ? status : "active");
      await put(id, { tags: ["vip"] });
      if (status === "unsubscribed") await remove(id);
      const path = `${SUBSCRIBERS}/${id}?include=fields,tags`;
      const { data } = (await ask("GET", path)).json;
      const changes = async () => (await ask("GET", "/api/v1/changes?after=0")).json;
      const before = await changes();
      const answer = await ask("PUT", path, data);
      expect([answer.status, answer.json.data]).toEqual([200, data]);
      expect(await changes()).toEqual(before);
    },
  );

  it("sent 40 times at once is applied whole each time, and the last one stays", async () => {
    const id = await person("ada@example.org");
    const answers = await each(Array(40).fill(0), 20, (_, i) =>
      put(id, {
        name: `First${i} Last${i}`,
        email: `ada${i}@example.org`,
        status: i % 2 ? "pending" : "active",
      }),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const [row] = await rows();
    const n = row?.first.slice("First".length);
    const status = Number(n) % 2 ? "pending" : "active";
    expect(row).toMatchObject({ last: `Last${n}`, email: `ada${n}@example.org`, status });
    const waiting = (await mails(id)).filter((mail) => mail.state === "waiting");
    expect(waiting.map((mail) => mail.to)).toEqual(status === "pending" ? [row?.email] : []);
    await expectExactTotals();
  });
});

it("unsubscribing twice gives the same answer and changes nothing the second time", async () => {
  const id = await person("ada@example.org");
  const first = await remove(id);
  const row = () => api.at.sql("SELECT * FROM subscribers WHERE id = $1", [id]);
  const before = await row();
  expect((await remove(id)).text).toBe(first.text);
  expect(await row()).toEqual(before);
  const events = await api.at.sql("SELECT kind FROM subscriber_events WHERE subscriber_id = $1", [id]);
  expect(events).toEqual([{ kind: "unsubscribed" }]);
});

describe("many at once", () => {
  it("bulks and changes that use each other's addresses: no 5xx, each whole or not at all, totals exact", async () => {
    const letters = [..."abcdefgh"];
    const ids = await each(letters, 4, (letter) => person(`${letter}@example.org`));
    const answers = await each(Array(400).fill(0), 24, (_, i) => {
      const [one, other] = [letters[i % 8], letters[(i * 5 + 3) % 8]];
      const id = ids[i % 8] as string;
      // A person moves from one address to another while a bulk claims both.
      if (i % 3 === 0) return put(id, { email: `${other}${i % 7}@example.org` });
      if (i % 3 === 2) return i % 2 ? post({ email: `${one}${i % 7}@example.org` }) : remove(id);
      const status = i % 2 ? "active" : "pending";
      const items = [`${one}${i % 7}`, `${other}${(i + 1) % 7}`, one, other].map((local) => ({
        email: `${local}@example.org`,
        status,
      }));
      return post(items, `/bulk${i % 2 ? "?on_duplicate=skip" : ""}`);
    });
    expect(answers.filter(({ status }) => ![200, 201, 422].includes(status))).toEqual([]);
    const all = await rows();
    expect(new Set(all.map((row) => row.canonical)).size).toBe(all.length);
    await expectExactTotals();
  });

  it.each(["active", "pending"])(
    "a bulk of %s people that loses a deadlock is retried, and names the conflicting people",
    async (status) => {
      const waiting = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      const countWaiting = () => api.app.db.$executeRawUnsafe(waiting);
      // PostgreSQL ends one of the two transactions. On a busy machine that may be the test's own.
      const meet = async (): Promise<Awaited<ReturnType<typeof post>>> => {
        await changeTenant();
        const id = await person("b@example.org");
        const move = (to: string) =>
          api.at.sql("UPDATE subscribers SET email = $2, email_canonical = $2 WHERE id = $1", [id, to]);
        // The person leaves b. The bulk has a and waits for b. Then the person wants a.
        await api.at.sql("BEGIN");
        await move("c@example.org");
        const bulk = post(
          ["a", "b"].map((one) => ({ email: `${one}@example.org`, status })),
          "/bulk",
        );
        await expect.poll(countWaiting, { timeout: 20_000, interval: 5 }).toBe(1);
        try {
          await move("a@example.org");
        } catch (error) {
          expect(error).toMatchObject({ code: "40P01" });
          await api.at.sql("ROLLBACK");
          await bulk;
          return meet();
        }
        await api.at.sql("COMMIT");
        return bulk;
      };
      const { status: code, json } = await meet();
      expect([code, json.code, json.items]).toMatchObject([
        422,
        "validation_error",
        [{ index: 0, code: "already_subscribed" }],
      ]);
      expect((await rows()).map((row) => row.email)).toEqual(["a@example.org"]);
    },
  );
});

it("following the cursor returns every existing person once, newest first, while others are added, changed and removed", async () => {
  for (const prefix of ["a", "b", "c"]) await people(70, prefix);
  const before = idsOf(await rows()).reverse();
  const met: string[] = [];
  let n = 0;
  for (let cursor: string | null = ""; cursor !== null; n++) {
    const { data, pagination } = await list(`?limit=20${cursor && `&cursor=${cursor}`}`);
    met.push(...idsOf(data));
    cursor = pagination.next_cursor;
    await post({ email: `new${n}@example.org` });
    await remove(before[(n * 17) % before.length] as string);
    await put(before[(n * 31) % before.length] as string, { name: `Changed ${n}` });
  }
  expect(met).toEqual(before);
  expect(n).toBe(11);
  await expectExactTotals();
});
