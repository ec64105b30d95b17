import { describe, expect, it } from "vitest";
import { create, createMany, type Stage } from "./stage";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;
const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** contract.md §2 and what §4 says of the three fields. */
export function recordSuite(stage: Stage): void {
  describe("the record", () => {
    it("is id, email, name, status, created_at in this order and nothing else, and so is the stored row", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const ada = { email: "Ada@Example.ORG", name: "Ada King Lovelace", status: "pending" };
      const one = await create(stage, key, ada);
      const many = await createMany(stage, key, [{ email: "bob@example.org" }]);
      const [first, second] = [one.json.data, many.json.data.created[0]];
      expect(one.text).toBe(
        `{"success":true,"data":{"id":"${first.id}","email":"Ada@Example.ORG","name":"Ada King Lovelace","status":"pending","created_at":"${first.created_at}"}}`,
      );
      expect(many.text).toBe(
        `{"success":true,"data":{"created":[{"id":"${second.id}","email":"bob@example.org","name":"","status":"active","created_at":"${second.created_at}"}]}}`,
      );
      const [row] = await stage.at.list(newsletterId);
      expect(row).toEqual({
        id: first.id,
        email: "Ada@Example.ORG",
        canonical: "ada@example.org",
        first: "Ada",
        last: "King Lovelace",
        status: "pending",
      });
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

    it("joins the newsletter of the key with values of its own, whatever the body says", async () => {
      const [mine, other] = [await stage.at.tenant(), await stage.at.tenant()];
      // JSON.stringify would leave out __proto__, and keep only one email.
      const raw = `{"__proto__": {"status": "pending", "name": "X"}, "constructor": {"prototype": {"x": 1}},
        "email": "ada@example.org", "email": "eve@example.org", "id": "1", "created_at": "1970-01-01T00:00:00Z",
        "newsletter_id": "${other.newsletterId}", "newsletterId": "${other.newsletterId}", "source": "import"}`;
      const { data } = (await create(stage, mine.key, undefined, { raw })).json;
      expect(data).toMatchObject({ email: "eve@example.org", name: "", status: "active" });
      expect(data.id).toMatch(UUID7);
      expect(data.created_at).not.toContain("1970");
      expect((await stage.at.list(mine.newsletterId)).map((row) => row.id)).toEqual([data.id]);
      expect(await stage.at.list(other.newsletterId)).toEqual([]);
    });
  });

  it.each([[[{ email: "ada@example.org" }]], ["ada@example.org"], [1], [null], [true]])(
    "rejects the body %j, on the field body",
    async (body) => {
      const { key } = await stage.at.tenant();
      const { status, json } = await create(stage, key, body);
      expect([status, json.code, Object.keys(json.errors)]).toEqual([422, "validation_error", ["body"]]);
    },
  );
}
