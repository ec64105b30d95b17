import { expect, it } from "vitest";
import { type Answer, ask, expectOwnHeaders, SUBSCRIBERS } from "./client";
import { create, createMany, type Stage } from "./stage";

/** contract.md §4, Headers. */
export function headersSuite(stage: Stage): void {
  /** An answer of every status that needs no limit. */
  async function allSorts(headers: Record<string, string>): Promise<Answer[]> {
    const { key } = await stage.at.tenant();
    const ada = { email: "ada@example.org" };
    const plain = { ...headers, "Content-Type": "text/plain" };
    return [
      await create(stage, key, ada, { headers }),
      await create(stage, key, ada, { headers }),
      await create(
        stage,
        key,
        { email: "new@example.org" },
        { headers, path: `${SUBSCRIBERS}?dry_run=true` },
      ),
      await createMany(stage, key, [], { headers }),
      await create(stage, key, undefined, { headers, raw: "{" }),
      await create(stage, key, undefined, { raw: "x", headers: plain }),
      await create(stage, key, undefined, { headers, raw: " ".repeat(600_000) }),
      await ask(stage.mount, { headers, raw: "{}" }),
      await ask(stage.mount, { headers, method: "OPTIONS" }),
      await ask(stage.mount, { headers, method: "GET", path: "/api/v1/nope" }),
    ];
  }
  const STATUSES = [201, 422, 200, 422, 400, 415, 413, 401, 405, 404];

  it("every answer is JSON that is not cached, allows no other origin and has the caller's X-Request-Id", async () => {
    const id = "Import_7.of-2026".padEnd(128, "x");
    const preflight = { Origin: "https://example.org", "Access-Control-Request-Method": "POST" };
    const answers = await allSorts({ ...preflight, "X-Request-Id": id });
    expect(answers.map((answer) => answer.status)).toEqual(STATUSES);
    for (const answer of answers) {
      expectOwnHeaders(answer);
      expect(answer.headers["x-request-id"]).toBe(id);
    }
  });

  it("an answer has an X-Request-Id of its own by default, and without limits no header about limits", async () => {
    const answers = await allSorts({});
    expect(new Set(answers.map((answer) => answer.headers["x-request-id"])).size).toBe(STATUSES.length);
    for (const { headers } of answers)
      expect(Object.keys(headers).filter((name) => /ratelimit|retry-after/.test(name))).toEqual([]);
  });

  it("an X-Request-Id that is not 1 to 128 of [A-Za-z0-9._-] is replaced", async () => {
    const { key } = await stage.at.tenant();
    for (const id of ["", "x".repeat(129), "a b", "a/b", "<script>", "é", "a,b"]) {
      const answer = await create(stage, key, {}, { headers: { "X-Request-Id": id } });
      expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    }
  });
}
