import { describe, expect, it } from "vitest";
import { type Answer, ask, BULK, expectOwnHeaders, SUBSCRIBERS } from "./client";
import { create, createMany, type Stage } from "./stage";

/** contract.md §4, Headers. */
export function headersSuite(stage: Stage): void {
  /** An answer of every sort there is without a limit. */
  async function allSorts(headers: Record<string, string>): Promise<Answer[]> {
    const { key } = await stage.at.tenant();
    return [
      await create(stage, key, { email: "ada@example.org" }, { headers }),
      await create(stage, key, { email: "ada@example.org" }, { headers }),
      await create(
        stage,
        key,
        { email: "new@example.org" },
        { headers, path: `${SUBSCRIBERS}?dry_run=true` },
      ),
      await createMany(stage, key, [{ email: "bob@example.org" }], { headers }),
      await createMany(stage, key, [], { headers }),
      await create(stage, key, undefined, { headers, raw: "{" }),
      await create(stage, key, undefined, {
        raw: "x",
        headers: { ...headers, "Content-Type": "text/plain" },
      }),
      await create(stage, key, undefined, { headers, raw: " ".repeat(600_000) }),
      await ask(stage.mount, { headers, raw: "{}" }),
      await ask(stage.mount, { headers, method: "OPTIONS" }),
      await ask(stage.mount, { headers, method: "GET", path: "/api/v1/nope" }),
    ];
  }
  const STATUSES = [201, 422, 200, 201, 422, 400, 415, 413, 401, 405, 404];

  it("every answer is JSON that nobody stores or guesses at, and allows no browser in", async () => {
    const answers = await allSorts({
      Origin: "https://example.org",
      "Access-Control-Request-Method": "POST",
    });
    expect(answers.map((answer) => answer.status)).toEqual(STATUSES);
    for (const answer of answers) expectOwnHeaders(answer);
  });

  it("a caller's own X-Request-Id comes back on every answer", async () => {
    const id = "Import_7.of-2026".padEnd(128, "x");
    for (const answer of await allSorts({ "X-Request-Id": id }))
      expect(answer.headers["x-request-id"]).toBe(id);
  });

  describe("an X-Request-Id that is not 1 to 128 of [A-Za-z0-9._-]", () => {
    it.each(["", "x".repeat(129), "a b", "a/b", "<script>", "é", "a,b", "a;b"])(
      "%j is replaced",
      async (id) => {
        const { key } = await stage.at.tenant();
        const answer = await create(stage, key, {}, { headers: { "X-Request-Id": id } });
        expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      },
    );
  });

  it("an answer's X-Request-Id is its own when the caller gave none", async () => {
    const ids = new Set((await allSorts({})).map((answer) => answer.headers["x-request-id"]));
    expect(ids.size).toBe(STATUSES.length);
  });

  it("without limits no answer speaks of limits", async () => {
    for (const { headers } of await allSorts({})) {
      expect(Object.keys(headers).filter((name) => /ratelimit|retry-after/.test(name))).toEqual([]);
    }
  });

  it("a preflight gets no leave: 405, without a CORS header", async () => {
    for (const path of [SUBSCRIBERS, BULK]) {
      const headers = {
        Origin: "https://example.org",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
      };
      const answer = await ask(stage.mount, { method: "OPTIONS", path, headers });
      expect(answer.status).toBe(405);
      expectOwnHeaders(answer);
    }
  });
}
