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
