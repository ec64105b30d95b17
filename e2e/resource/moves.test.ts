import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { showConfirmation } from "../../server/subscribers/confirmations";
import { each } from "../contract/stage";
import { type Api, openApi } from "./app";

const SUBSCRIBERS = "/api/v1/subscribers";

let api: Api;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api?.close());

const post = (key: string, json: unknown, path = "") => api.ask(key, "POST", SUBSCRIBERS + path, { json });
const put = (key: string, id: string, json: unknown) => api.ask(key, "PUT", `${SUBSCRIBERS}/${id}`, { json });
const remove = (key: string, id: string) => api.ask(key, "DELETE", `${SUBSCRIBERS}/${id}`);
const list = (key: string, query = "") => api.ask(key, "GET", `${SUBSCRIBERS}${query}`);

async function person(key: string, email: string, status: "active" | "pending" = "active"): Promise<string> {
  const { json, status: code } = await post(key, { email, name: "Ada Lovelace", status });
  expect(code).toBe(201);
  return json.data.id;
}

/** A person's mails, oldest first. */
const mails = (id: string) =>
  api.at.sql<{ id: string; to: string; state: string; expires: Date }>(
    `SELECT id, to_email AS "to", state, link_expires_at AS expires FROM mails WHERE subscriber_id = $1 ORDER BY id`,
    [id],
  );
const sent = async (id: string) => (await mails(id)).map(({ to, state }) => `${to} ${state}`);

/** The totals of lists equal the rows. */
async function expectExactTotals(key: string, newsletterId: string): Promise<void> {
  const rows = await api.at.list(newsletterId);
  for (const status of ["active", "pending", "unsubscribed"]) {
    const { total } = (await list(key, `?status=${status}&limit=1`)).json.pagination;
    expect([status, total]).toEqual([status, rows.filter((row) => row.status === status).length]);
  }
  expect((await list(key, "?limit=1")).json.pagination.total).toBe(rows.length);
}

describe("a change of status", () => {
  it("to pending sends a confirmation email, from active and from unsubscribed", async () => {
    const { key } = await api.at.tenant();
    const id = await person(key, "ada@example.org");
    expect(await sent(id)).toEqual([]);
    expect((await put(key, id, { status: "pending" })).json.data.status).toBe("pending");
    expect(await sent(id)).toEqual(["ada@example.org waiting"]);
    expect((await remove(key, id)).json.data.status).toBe("unsubscribed");
    expect(await sent(id)).toEqual(["ada@example.org cancelled"]);
    expect((await put(key, id, { status: "pending" })).json.data.status).toBe("pending");
    expect(await sent(id)).toEqual(["ada@example.org cancelled", "ada@example.org waiting"]);
  });

  it("from pending to active cancels the unsent email", async () => {
    const { key } = await api.at.tenant();
    const id = await person(key, "ada@example.org", "pending");
    expect((await put(key, id, { status: "active" })).json.data.status).toBe("active");
    expect(await sent(id)).toEqual(["ada@example.org cancelled"]);
  });

  it("from unsubscribed to active is 422 on status: only the person can resubscribe", async () => {
    const { key, newsletterId } = await api.at.tenant();
    const id = await person(key, "ada@example.org");
    await remove(key, id);
    const answer = await put(key, id, { status: "active", name: "Eve" });
    expect([answer.status, answer.json.code]).toEqual([422, "validation_error"]);
    expect(answer.json.errors.status[0]).toMatch(/Only they can resubscribe/);
    expect(await api.at.list(newsletterId)).toMatchObject([{ first: "Ada", status: "unsubscribed" }]);
    expect(await sent(id)).toEqual([]);
  });

  it("to the current status changes nothing and sends no email", async () => {
    const { key } = await api.at.tenant();
    const id = await person(key, "ada@example.org", "pending");
    const before = (await api.ask(key, "GET", `${SUBSCRIBERS}/${id}`)).text;
    expect((await put(key, id, { status: "pending", name: "Ada Lovelace" })).text).toBe(before);
    expect(await sent(id)).toHaveLength(1);
    const [row] = await api.at.sql("SELECT version FROM subscribers WHERE id = $1", [id]);
    expect(row).toEqual({ version: 1 });
  });
});

describe("a change of email", () => {
  it("while pending emails the new address, and the old link is outdated", async () => {
    const { key, newsletterId } = await api.at.tenant();
    const id = await person(key, "old@example.org", "pending");
    const [first] = await mails(id);
    // As if it had been sent: only its link can be made invalid.
    await api.at.sql("UPDATE mails SET state = 'logged' WHERE id = $1", [first?.id]);
    expect((await put(key, id, { email: "new@example.org" })).json.data).toMatchObject({
      email: "new@example.org",
      status: "pending",
    });
    expect(await sent(id)).toEqual(["old@example.org logged", "new@example.org waiting"]);
    const linkStatuses = [];
    for (const mail of await mails(id)) {
      const claims = { newsletterId, subscriberId: id, mailId: mail.id, expiresAt: mail.expires };
      linkStatuses.push((await showConfirmation({ db: api.app.db }, claims)).linkStatus);
    }
    expect(linkStatuses).toEqual(["outdated", "pending"]);
  });

  it("to another spelling of the same address keeps the person and sends no email", async () => {
    const { key } = await api.at.tenant();
    const id = await person(key, "ada@example.org", "pending");
    expect((await put(key, id, { email: "Ada@Example.ORG" })).json.data.email).toBe("Ada@Example.ORG");
    expect(await sent(id)).toEqual(["ada@example.org waiting"]);
    expect(
      (await list(key, "?email=ADA@example.org")).json.data.map((one: { id: string }) => one.id),
    ).toEqual([id]);
  });

  it("while active sends no email", async () => {
    const { key } = await api.at.tenant();
    const id = await person(key, "old@example.org");
    expect((await put(key, id, { email: "new@example.org" })).status).toBe(200);
    expect(await sent(id)).toEqual([]);
  });

  it("to another person's address is rejected", async () => {
    const { key, newsletterId } = await api.at.tenant();
    const id = await person(key, "ada@example.org", "pending");
    await person(key, "grace@example.org");
    await remove(key, await person(key, "left@example.org"));
    const before = await api.at.list(newsletterId);
    for (const email of ["Grace@example.org", "left@example.org"]) {
      const answer = await put(key, id, { email, name: "Eve" });
      expect([answer.status, answer.json.code, Object.keys(answer.json.errors)]).toEqual([
        422,
        "email_already_subscribed",
        ["email"],
      ]);
    }
    expect(await api.at.list(newsletterId)).toEqual(before);
    expect(await sent(id)).toEqual(["ada@example.org waiting"]);
  });

  it("of 20 people to one address at once succeeds once, and 19 answers say that it is taken", async () => {
    const { key, newsletterId } = await api.at.tenant();
    const ids = await each(Array(20).fill(0), 5, (_, i) => person(key, `p${i}@example.org`));
    const answers = await each(ids, 20, (id) => put(key, id, { email: "wanted@example.org" }));
    const outcomes = answers.map(({ status, json }) => json.code ?? status).sort();
    expect(outcomes).toEqual([200, ...Array(19).fill("email_already_subscribed")]);
    expect(
      (await api.at.list(newsletterId)).filter((row) => row.canonical === "wanted@example.org"),
    ).toHaveLength(1);
  });
});

describe("a patch", () => {
  it("without members is 422 on body", async () => {
    const { key } = await api.at.tenant();
    const id = await person(key, "ada@example.org");
    for (const patch of [{}, { foo: 1 }, [], "x", null]) {
      const answer = await put(key, id, patch);
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ["body"]]);
    }
  });

  it("reports all its errors at once", async () => {
    const { key } = await api.at.tenant();
    const id = await person(key, "ada@example.org");
    const { json } = await put(key, id, { email: "no", name: 7, status: "unsubscribed" });
    expect(Object.keys(json.errors).sort()).toEqual(["email", "name", "status"]);
  });

  it("sent 40 times at once is applied whole each time, and the last one stays", async () => {
    const { key, newsletterId } = await api.at.tenant();
    const id = await person(key, "ada@example.org");
    const answers = await each(Array(40).fill(0), 20, (_, i) =>
      put(key, id, {
        name: `First${i} Last${i}`,
        email: `ada${i}@example.org`,
        status: i % 2 ? "pending" : "active",
      }),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const [row] = await api.at.list(newsletterId);
    const n = row?.first.slice("First".length);
    expect(row).toMatchObject({
      last: `Last${n}`,
      email: `ada${n}@example.org`,
      status: Number(n) % 2 ? "pending" : "active",
    });
    const waiting = (await mails(id)).filter((mail) => mail.state === "waiting");
    expect(waiting.map((mail) => mail.to)).toEqual(row?.status === "pending" ? [row.email] : []);
    await expectExactTotals(key, newsletterId);
  });
});

describe("unsubscribing", () => {
  it("twice gives the same answer and changes nothing the second time", async () => {
    const { key } = await api.at.tenant();
    const id = await person(key, "ada@example.org");
    const first = await remove(key, id);
    expect(first.json.data).toMatchObject({ id, email: "ada@example.org", status: "unsubscribed" });
    const row = () => api.at.sql("SELECT * FROM subscribers WHERE id = $1", [id]);
    const before = await row();
    expect((await remove(key, id)).text).toBe(first.text);
    expect(await row()).toEqual(before);
    expect(await api.at.sql("SELECT kind FROM subscriber_events WHERE subscriber_id = $1", [id])).toEqual([
      { kind: "unsubscribed" },
    ]);
  });

  it("shows as a status when another create or change uses the address", async () => {
    const { key } = await api.at.tenant();
    await remove(key, await person(key, "left@example.org"));
    const waiting = await person(key, "waiting@example.org", "pending");
    const taken = [
      await post(key, { email: "Left@example.org" }),
      await post(key, { email: "left@example.org" }, "?dry_run=true"),
      await put(key, waiting, { email: "left@example.org" }),
      await post(key, [{ email: "left@example.org" }], "/bulk"),
    ].map(({ json }) => (json.items ?? [json])[0].message);
    expect(taken).toEqual(
      Array(4).fill(
        "This address is on the list as unsubscribed. Leave this address out: only its owner can resubscribe.",
      ),
    );
    const pending = (await post(key, { email: "waiting@example.org" })).json;
    expect([pending.message, pending.errors.email]).toEqual([
      "This address is already on the list as pending. Leave this address out, or change the existing person.",
      [pending.message],
    ]);
  });

  it("is final for creates: on_duplicate=skip leaves the person out", async () => {
    const { key, newsletterId } = await api.at.tenant();
    await remove(key, await person(key, "ada@example.org"));
    const one = { email: "Ada@example.org", status: "pending" };
    expect((await post(key, [one], "/bulk?on_duplicate=skip")).json.data).toEqual({
      created: [],
      skipped: [{ index: 0, email: "Ada@example.org", reason: "already_subscribed" }],
    });
    expect(await api.at.list(newsletterId)).toMatchObject([{ status: "unsubscribed" }]);
  });
});

describe("many at once", () => {
  it("bulks and changes that use each other's addresses: no 5xx, each whole or not at all, totals exact", async () => {
    const { key, newsletterId } = await api.at.tenant();
    const letters = [..."abcdefgh"];
    const ids = await each(letters, 4, (letter) => person(key, `${letter}@example.org`));
    const answers = await each(Array(400).fill(0), 24, (_, i) => {
      const [one, other] = [letters[i % 8], letters[(i * 5 + 3) % 8]];
      // A person moves from one address to another while a bulk claims both.
      if (i % 3 === 0) return put(key, ids[i % 8] as string, { email: `${other}${i % 7}@example.org` });
      if (i % 3 === 1) {
        const emails = [
          `${one}${i % 7}@example.org`,
          `${other}${(i + 1) % 7}@example.org`,
          `${one}@example.org`,
          `${other}@example.org`,
        ];
        return post(
          key,
          emails.map((email) => ({ email, status: i % 2 ? "active" : "pending" })),
          `/bulk${i % 2 ? "?on_duplicate=skip" : ""}`,
        );
      }
      return i % 2 ? post(key, { email: `${one}${i % 7}@example.org` }) : remove(key, ids[i % 8] as string);
    });
    expect(
      [...new Set(answers.map((answer) => answer.status))].filter(
        (status) => ![200, 201, 422].includes(status),
      ),
    ).toEqual([]);
    const rows = await api.at.list(newsletterId);
    expect(new Set(rows.map((row) => row.canonical)).size).toBe(rows.length);
    await expectExactTotals(key, newsletterId);
  });

  it.each(["active", "pending"])(
    "a bulk of %s people that loses a deadlock is retried, and names the conflicting people",
    async (status) => {
      const isWaiting = async () =>
        (
          await api.app.db.$queryRaw<
            { n: number }[]
          >`SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
        )[0]?.n;
      // PostgreSQL ends one of the two transactions. On a busy machine that may be the test's own.
      const meet = async (): Promise<{ newsletterId: string; bulk: ReturnType<typeof post> }> => {
        const { key, newsletterId } = await api.at.tenant();
        const id = await person(key, "b@example.org");
        const move = (to: string) =>
          api.at.sql("UPDATE subscribers SET email = $2, email_canonical = $2 WHERE id = $1", [id, to]);
        // The person leaves b. The bulk has a and waits for b. Then the person wants a.
        await api.at.sql("BEGIN");
        await move("c@example.org");
        const people = ["a", "b"].map((one) => ({ email: `${one}@example.org`, status }));
        const bulk = post(key, people, "/bulk");
        // Of this database alone: other tests share the server.
        await expect.poll(isWaiting, { timeout: 20_000, interval: 5 }).toBe(1);
        try {
          await move("a@example.org");
        } catch (error) {
          expect(error).toMatchObject({ code: "40P01" });
          await api.at.sql("ROLLBACK");
          await bulk;
          return meet();
        }
        await api.at.sql("COMMIT");
        return { newsletterId, bulk };
      };
      const { newsletterId, bulk } = await meet();
      const { status: code, json } = await bulk;
      expect([code, json.code, json.items]).toEqual([
        422,
        "validation_error",
        [expect.objectContaining({ index: 0, code: "already_subscribed" })],
      ]);
      expect((await api.at.list(newsletterId)).map((row) => row.email)).toEqual(["a@example.org"]);
    },
  );
});

describe("following the cursor", () => {
  it("returns every existing person once, newest first, while others are added, changed and removed", async () => {
    const { key, newsletterId } = await api.at.tenant();
    for (let i = 0; i < 3; i++)
      await post(
        key,
        Array.from({ length: 70 }, (_, j) => ({ email: `p${i}-${j}@example.org` })),
        "/bulk",
      );
    const before = (await api.at.list(newsletterId)).map((row) => row.id).reverse();
    const met: string[] = [];
    let cursor: string | null = null;
    let n = 0;
    do {
      const { json } = await list(key, `?limit=20${cursor ? `&cursor=${cursor}` : ""}`);
      met.push(...json.data.map((one: { id: string }) => one.id));
      cursor = json.pagination.next_cursor;
      n++;
      await post(key, { email: `new${n}@example.org` });
      await remove(key, before[(n * 17) % before.length] as string);
      await put(key, before[(n * 31) % before.length] as string, { name: `Changed ${n}` });
    } while (cursor);
    expect(met).toEqual(before);
    expect(n).toBe(11);
    await expectExactTotals(key, newsletterId);
  });

  it("gives the same people as page numbers", async () => {
    const { key } = await api.at.tenant();
    await post(
      key,
      Array.from({ length: 55 }, (_, j) => ({
        email: `p${j}@example.org`,
        status: j % 3 ? "active" : "pending",
      })),
      "/bulk",
    );
    for (const status of ["", "&status=active", "&status=pending"]) {
      const byPage: string[] = [];
      const byCursor: string[] = [];
      let pages = 1;
      for (let page = 1; page <= pages; page++) {
        const { json } = await list(key, `?limit=7&page=${page}${status}`);
        pages = json.pagination.pages;
        byPage.push(...json.data.map((one: { id: string }) => one.id));
      }
      for (let cursor: string | null = ""; cursor !== null; ) {
        const { json } = await list(key, `?limit=7${status}${cursor && `&cursor=${cursor}`}`);
        cursor = json.pagination.next_cursor;
        byCursor.push(...json.data.map((one: { id: string }) => one.id));
      }
      expect(byCursor).toEqual(byPage);
    }
  });
});
