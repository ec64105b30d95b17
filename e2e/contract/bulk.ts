import { describe, expect, it } from "vitest";
import { BULK, expectRejection } from "./client";
import { create, createMany, people, type Stage } from "./stage";

const DRY = { path: `${BULK}?dry_run=true` };
const SKIP = { path: `${BULK}?on_duplicate=skip` };

/** contract.md §4, Bulk. */
export function bulkSuite(stage: Stage): void {
  describe("a bulk", () => {
    it("accepts 1 to 100 people and answers in the order of the request", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      expect((await createMany(stage, key, people(1, "one"))).json.data.created).toHaveLength(1);
      const hundred = people(100).reverse();
      const { status, json } = await createMany(stage, key, hundred);
      expect(status).toBe(201);
      expect(Object.keys(json.data)).toEqual(["created"]);
      expect(json.data.created.map((record: { email: string }) => record.email)).toEqual(
        hundred.map((item) => item.email),
      );
      expect(await stage.at.list(newsletterId)).toHaveLength(101);
    });

    it.each([
      ["empty", [], "1 to 100"],
      ["over 100", people(101), "101"],
      ["no list", { email: "ada@example.org" }, "array"],
      ["null", null, "array"],
    ])("that is %s is rejected on the body, and adds no one", async (_, body, word) => {
      const { key, newsletterId } = await stage.at.tenant();
      for (const more of [{}, DRY, SKIP]) {
        const answer = await createMany(stage, key, body, more);
        expectRejection(answer, 422, "validation_error");
        expect(Object.keys(answer.json.errors)).toEqual(["body"]);
        expect(answer.json.errors.body.join()).toContain(word);
      }
      expect(await stage.at.list(newsletterId)).toEqual([]);
    });

    it("reports every bad item by field and by index, and adds no one", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      await create(stage, key, { email: "known@example.org" });
      const body = [
        { email: "good@example.org" },
        { email: "bad", name: 7 },
        null,
        { email: "known@example.org" },
        { name: "Nobody" },
        { email: "GOOD@example.org", status: "active" },
        { email: "a@bücher.example" },
        { email: "A@xn--bcher-kva.example" },
        { email: "a@BÜCHER.example" },
        { email: "late@example.org", status: "unsubscribed" },
        [],
        "x",
      ];
      const answer = await createMany(stage, key, body);
      expectRejection(answer, 422, "validation_error");
      const { items, errors, message } = answer.json;
      expect(items.map(({ index, field, code }: Record<string, unknown>) => [index, field, code])).toEqual([
        [1, "email", "at_sign"],
        [1, "name", "invalid_type"],
        [2, "body", "invalid_type"],
        [3, "email", "already_subscribed"],
        [4, "email", "required"],
        [5, "email", "duplicate_in_request"],
        [7, "email", "duplicate_in_request"],
        [8, "email", "duplicate_in_request"],
        [9, "status", "invalid_choice"],
        [10, "body", "invalid_type"],
        [11, "body", "invalid_type"],
      ]);
      // A repeated address, in any spelling, names its first position.
      expect([5, 6, 7].map((at) => /item \d+/.exec(items[at].message)?.[0])).toEqual([
        "item 1",
        "item 7",
        "item 7",
      ]);
      for (const item of items) expect(Object.keys(item)).toEqual(["index", "field", "code", "message"]);
      for (const field of ["email", "name", "status", "body"]) {
        const own = items.filter((item: { field: string }) => item.field === field);
        expect(errors[field]).toEqual(
          own.map((item: { index: number; message: string }) => `Item ${item.index + 1}: ${item.message}`),
        );
      }
      expect(message).toContain("10 items");
      expect(message).toContain("on_duplicate=skip");
      expect((await stage.at.list(newsletterId)).map((row) => row.email)).toEqual(["known@example.org"]);
    });
  });
}
