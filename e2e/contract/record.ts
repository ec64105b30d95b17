import { describe, expect, it } from "vitest";
import { create, createMany, type Stage } from "./stage";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;
const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** contract.md §2 and what §4 says of the three fields. */
export function recordSuite(stage: Stage): void {
  describe("the record", () => {
    it("is id, email, name, status, created_at in this order and nothing else, byte for byte", async () => {
      const { key } = await stage.at.tenant();
      const answer = await create(stage, key, { email: "ada@example.org", name: "Ada Lovelace" });
      expect(answer.status).toBe(201);
      const { id, created_at } = answer.json.data;
      expect(answer.text).toBe(
        `{"success":true,"data":{"id":"${id}","email":"ada@example.org","name":"Ada Lovelace","status":"active","created_at":"${created_at}"}}`,
      );
    });

    it("is the same in a bulk's answer", async () => {
      const { key } = await stage.at.tenant();
      const answer = await createMany(stage, key, [{ email: "ada@example.org", status: "pending" }]);
      expect(answer.status).toBe(201);
      const { id, created_at } = answer.json.data.created[0];
      expect(answer.text).toBe(
        `{"success":true,"data":{"created":[{"id":"${id}","email":"ada@example.org","name":"","status":"pending","created_at":"${created_at}"}]}}`,
      );
    });

    it("has a UUID v7 that carries the time of creation, and a created_at in whole seconds at +00:00", async () => {
      const { key } = await stage.at.tenant();
      const before = Date.now();
      const { data } = (await create(stage, key, { email: "ada@example.org" })).json;
      expect(data.id).toMatch(UUID7);
      const inId = Number.parseInt(data.id.replaceAll("-", "").slice(0, 12), 16);
      expect(inId).toBeGreaterThanOrEqual(before - 1);
      expect(inId).toBeLessThanOrEqual(Date.now() + 1);
      expect(data.created_at).toMatch(TIME);
      const [row] = await stage.at.sql<{ time: string }>(
        "SELECT to_char(date_trunc('second', created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS') AS time FROM subscribers WHERE id = $1",
        [data.id],
      );
      expect(data.created_at).toBe(`${row?.time}+00:00`);
    });

    it("is durable once it is answered: the row has what the answer says", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const { data } = (
        await create(stage, key, { email: "Ada@Example.ORG", name: "Ada King Lovelace", status: "pending" })
      ).json;
      expect(await stage.at.list(newsletterId)).toEqual([
        {
          id: data.id,
          email: "Ada@Example.ORG",
          canonical: "ada@example.org",
          first: "Ada",
          last: "King Lovelace",
          status: "pending",
        },
      ]);
    });

    it("joins the newsletter of the key, whatever the body says", async () => {
      const [mine, other] = [await stage.at.tenant(), await stage.at.tenant()];
      const body = {
        email: "ada@example.org",
        id: "1",
        created_at: "1970-01-01T00:00:00Z",
        newsletter_id: other.newsletterId,
        newsletterId: other.newsletterId,
        confirmed_at: "2020-01-01",
        role: "admin",
        source: "import",
      };
      const { json } = await create(stage, mine.key, body);
      expect(json.data.id).toMatch(UUID7);
      expect(json.data.created_at).not.toContain("1970");
      expect((await stage.at.list(mine.newsletterId)).map((row) => row.email)).toEqual(["ada@example.org"]);
      expect(await stage.at.list(other.newsletterId)).toEqual([]);
    });
  });

  describe("email", () => {
    it("is kept and answered as given, but for spaces and tabs around it", async () => {
      const { key } = await stage.at.tenant();
      expect((await create(stage, key, { email: " \t Ada.L+news@Example.ORG\t " })).json.data.email).toBe(
        "Ada.L+news@Example.ORG",
      );
      expect((await create(stage, key, { email: "user@Bücher.example" })).json.data.email).toBe(
        "user@Bücher.example",
      );
    });

    it.each([
      ["upper and lower case", "User@Example.org", "uSER@eXAMPLE.ORG"],
      ["an international domain and its A-label", "user@bücher.example", "user@XN--BCHER-KVA.example"],
      ["composed and decomposed letters", "user@bücher.example", "user@bu\u0308cher.example"],
      ["spaces around it", "user@example.org", "  user@example.org "],
    ])("is the same person in %s", async (_, first, again) => {
      const { key, newsletterId } = await stage.at.tenant();
      expect((await create(stage, key, { email: first })).status).toBe(201);
      const answer = await create(stage, key, { email: again });
      expect([answer.status, answer.json.code]).toEqual([422, "email_already_subscribed"]);
      expect(await stage.at.list(newsletterId)).toHaveLength(1);
    });

    it("counts plus tags, dots and a look-alike domain as different people", async () => {
      const { key } = await stage.at.tenant();
      for (const email of ["ada@gmail.com", "ada+x@gmail.com", "a.da@gmail.com", "ada@gmаil.com"]) {
        expect((await create(stage, key, { email })).status).toBe(201);
      }
    });

    it("may be on two newsletters at once", async () => {
      const [one, two] = [await stage.at.tenant(), await stage.at.tenant()];
      expect((await create(stage, one.key, { email: "ada@example.org" })).status).toBe(201);
      expect((await create(stage, two.key, { email: "ada@example.org" })).status).toBe(201);
    });

    it("may be as short as the policy allows: a top label of one Chinese character", async () => {
      const { key } = await stage.at.tenant();
      expect((await create(stage, key, { email: "a@b.香" })).status).toBe(201);
    });

    it.each([
      ["missing", {}],
      ["null", { email: null }],
      ["a number", { email: 1 }],
      ["a boolean", { email: true }],
      ["a list", { email: ["ada@example.org"] }],
      ["an object", { email: { contains: "@" } }],
      ["empty", { email: "" }],
    ])("is rejected when it is %s", async (_, body) => {
      const { key } = await stage.at.tenant();
      const { status, json } = await create(stage, key, body);
      expect([status, json.code, Object.keys(json.errors)]).toEqual([422, "validation_error", ["email"]]);
    });
  });

  describe("name", () => {
    it.each([
      ["Ada Lovelace", "Ada Lovelace", "Ada", "Lovelace"],
      ["Plato", "Plato", "Plato", ""],
      ["Jean Paul Sartre", "Jean Paul Sartre", "Jean", "Paul Sartre"],
      ["A  B", "A  B", "A", " B"],
      ["  Ada Lovelace ", "Ada Lovelace", "Ada", "Lovelace"],
      ["Ada\u00a0King Lovelace", "Ada\u00a0King Lovelace", "Ada\u00a0King", "Lovelace"],
      ["山田\u3000太郎", "山田\u3000太郎", "山田\u3000太郎", ""],
      ["Zoe\u0308", "Zoë", "Zoë", ""],
      ["null", "null", "null", ""],
      ["", "", "", ""],
      ["   ", "", "", ""],
      [null, "", "", ""],
      [undefined, "", "", ""],
    ])("%j comes back as %j, kept as %j and %j", async (name, back, first, last) => {
      const { key, newsletterId } = await stage.at.tenant();
      expect((await create(stage, key, { email: "ada@example.org", name })).json.data.name).toBe(back);
      expect(await stage.at.list(newsletterId)).toMatchObject([{ first, last }]);
    });

    it("may have 255 characters, counted as people do, and no more", async () => {
      const { key } = await stage.at.tenant();
      for (const [i, letter] of ["x", "😀", "e\u0301"].entries()) {
        const longest = letter.repeat(255);
        const { json } = await create(stage, key, { email: `ada${i}@example.org`, name: longest });
        expect(json.data.name).toBe(longest.normalize("NFC"));
        const rejected = await create(stage, key, { email: `bob${i}@example.org`, name: letter.repeat(256) });
        expect([rejected.status, Object.keys(rejected.json.errors)]).toEqual([422, ["name"]]);
      }
    });

    it.each([
      ["a number", 1],
      ["a list", ["Ada"]],
      ["an object", {}],
      ["true", true],
    ])("is rejected when it is %s", async (_, name) => {
      const { key } = await stage.at.tenant();
      const { status, json } = await create(stage, key, { email: "ada@example.org", name });
      expect([status, json.code, Object.keys(json.errors)]).toEqual([422, "validation_error", ["name"]]);
    });
  });

  describe("status", () => {
    it.each([
      ["active", { status: "active" }, "active", 0],
      ["pending, with one confirmation email", { status: "pending" }, "pending", 1],
      ["active when it is left out", {}, "active", 0],
    ])("is %s", async (_, part, status, mails) => {
      const { key, newsletterId } = await stage.at.tenant();
      const single = await create(stage, key, { email: "single@example.org", ...part });
      expect(single.json.data.status).toBe(status);
      expect((await stage.at.mails(newsletterId)).map((mail) => mail.subscriberId)).toEqual(
        mails ? [single.json.data.id] : [],
      );
      const many = await createMany(stage, key, [{ email: "bulk@example.org", ...part }]);
      expect(many.json.data.created[0].status).toBe(status);
      expect(await stage.at.mails(newsletterId)).toHaveLength(2 * mails);
    });

    it.each([
      ["null", null],
      ["in capitals", "Active"],
      ["unsubscribed", "unsubscribed"],
      ["empty", ""],
      ["a number", 1],
      ["an object", { not: "x" }],
    ])("is rejected when it is %s", async (_, status) => {
      const { key, newsletterId } = await stage.at.tenant();
      const answer = await create(stage, key, { email: "ada@example.org", status });
      expect([answer.status, answer.json.code, Object.keys(answer.json.errors)]).toEqual([
        422,
        "validation_error",
        ["status"],
      ]);
      expect(await stage.at.list(newsletterId)).toEqual([]);
    });
  });

  it("tells everything that is wrong with a person at once, by field", async () => {
    const { key } = await stage.at.tenant();
    const { json } = await create(stage, key, { email: "nobody", name: 7, status: "gone" });
    expect(Object.keys(json.errors).sort()).toEqual(["email", "name", "status"]);
  });

  it.each([
    ["a list", [{ email: "ada@example.org" }]],
    ["a string", "ada@example.org"],
    ["a number", 1],
    ["null", null],
    ["true", true],
  ])("rejects a body that is %s, on the field body", async (_, body) => {
    const { key } = await stage.at.tenant();
    const { status, json } = await create(stage, key, body);
    expect([status, json.code, Object.keys(json.errors)]).toEqual([422, "validation_error", ["body"]]);
  });

  it("keeps what JavaScript reads into objects out of them", async () => {
    const { key, newsletterId } = await stage.at.tenant();
    const raw =
      '{"__proto__":{"status":"pending","name":"X"},"constructor":{"prototype":{"x":1}},"email":"ada@example.org"}';
    const { json } = await create(stage, key, undefined, { raw });
    expect(json.data).toMatchObject({ name: "", status: "active" });
    const again = await create(stage, key, undefined, {
      raw: '{"email":"bob@example.org","email":"eve@example.org"}',
    });
    expect(again.json.data.email).toBe("eve@example.org");
    expect(await stage.at.list(newsletterId)).toHaveLength(2);
  });
}
