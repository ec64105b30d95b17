import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { type Answer, ask, expectRejection, SUBSCRIBERS } from "./client";
import { create, createMany, each, people, type Stage } from "./stage";

const QUOTA = '"minute";q=4;w=60, "hour";q=3;w=3600, "day";q=10;w=86400';
const QUOTA_BULK = '"minute";q=2;w=60, "hour";q=3;w=3600, "day";q=4;w=86400';
const person = (i: number | string) => ({ email: `p${i}@example.org` });

/** The remaining requests of each window in an answer. */
const left = ({ headers }: Answer) =>
  [...(headers.ratelimit ?? "").matchAll(/r=(\d+)/g)].map((match) => Number(match[1]));
const resets = ({ headers }: Answer) =>
  [...(headers.ratelimit ?? "").matchAll(/t=(\d+)/g)].map((match) => Number(match[1]));

/** Holds a 429 to the contract, and returns the seconds it asks for. */
export function retryAfter(answer: Answer): number {
  expectRejection(answer, 429, "rate_limit_exceeded");
  const seconds = answer.json.errors.retry_after;
  expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
  expect(answer.headers["retry-after"]).toBe(String(seconds));
  expect(Object.keys(answer.json.errors)).toEqual(["retry_after"]);
  return seconds;
}

/** contract.md §4, Rate limits, with 4 a minute, 3 an hour, 10 a day; bulks 2, 3, 4. */
export function limitsSuite(stage: Stage): void {
  describe("rate limits", () => {
    // The windows are fixed: what is counted in one must not run over into the next.
    beforeEach(async () => {
      const leftMs = 60_000 - (Date.now() % 60_000);
      if (leftMs < 8_000) await sleep(leftMs + 50);
    });

    it("stand on every answer to a valid key, whatever the answer is", async () => {
      const at = async () => (await stage.at.tenant()).key;
      const reader = await stage.at.tenant();
      const readOnly = await stage.at.addKey(reader.newsletterId, { permissions: ["subscribers:read"] });
      const off = await stage.at.tenant({ apart: true });
      await stage.at.apiAccess(off.accountId, false);
      const taken = await stage.at.tenant();
      await create(stage, taken.key, person(1));
      const answers: [number, Answer, number[]][] = [
        [201, await create(stage, await at(), person(1)), [3, 2, 9]],
        [
          200,
          await create(stage, await at(), person(1), { path: "/api/v1/subscribers?dry_run=true" }),
          [3, 2, 9],
        ],
        [422, await create(stage, await at(), { email: "no" }), [3, 2, 9]],
        [422, await create(stage, taken.key, person(1)), [2, 1, 8]],
        [400, await create(stage, await at(), undefined, { raw: "{" }), [3, 2, 9]],
        [413, await create(stage, await at(), undefined, { raw: " ".repeat(600_000) }), [3, 2, 9]],
        [
          415,
          await create(stage, await at(), undefined, { raw: "x", headers: { "Content-Type": "text/plain" } }),
          [3, 2, 9],
        ],
        // A key that may not is told where it stands, but uses nothing up.
        [403, await create(stage, readOnly.secret, person(1)), [4, 3, 10]],
        [403, await create(stage, off.key, person(1)), [4, 3, 10]],
        // Nor does one that asks for nothing there is.
        [404, await ask(stage.mount, { key: await at(), path: "/api/v1/nope", raw: "{}" }), [4, 3, 10]],
        [405, await ask(stage.mount, { key: await at(), method: "DELETE", path: SUBSCRIBERS }), [4, 3, 10]],
      ];
      for (const [status, answer, remaining] of answers) {
        expect([answer.status, answer.headers["ratelimit-policy"], left(answer)]).toEqual([
          status,
          QUOTA,
          remaining,
        ]);
        // The tightest window: the hour, which has the fewest left.
        expect(answer.headers).toMatchObject({
          "x-ratelimit-limit": "3",
          "x-ratelimit-remaining": String(remaining[1]),
        });
      }
    });

    it("say nothing to a key that is not valid", async () => {
      const silent = ({ headers }: Answer) =>
        !Object.keys(headers).some((name) => name.includes("ratelimit"));
      const answer = await ask(stage.mount, { json: person(1) });
      expect([answer.status, silent(answer)]).toEqual([401, true]);
      const nowhere = await ask(stage.mount, { path: "/api/v1/nope", raw: "{}" });
      expect([nowhere.status, silent(nowhere)]).toEqual([404, true]);
    });

    it("reject by the window that is used up first; what is rejected uses nothing up", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      for (let i = 0; i < 3; i++) expect((await create(stage, key, person(i))).status).toBe(201);
      for (let i = 0; i < 4; i++) {
        const answer = await create(stage, key, person("late"));
        const seconds = retryAfter(answer);
        expect(answer.json.message).toContain("per hour");
        expect(left(answer)).toEqual([1, 0, 7]);
        expect(Math.abs(seconds - (resets(answer)[1] ?? 0))).toBeLessThanOrEqual(1);
      }
      expect(await stage.at.list(newsletterId)).toHaveLength(3);
    });

    it("count bulks apart from singles, and a bulk once whatever its length", async () => {
      const { key } = await stage.at.tenant();
      for (const i of [1, 2]) {
        const answer = await createMany(stage, key, people(100, `b${i}`));
        expect([answer.status, answer.headers["ratelimit-policy"], left(answer)]).toEqual([
          201,
          QUOTA_BULK,
          [2 - i, 3 - i, 4 - i],
        ]);
      }
      const rejected = await createMany(stage, key, [person("late")]);
      expect(retryAfter(rejected)).toBeLessThanOrEqual(60);
      expect(rejected.json.message).toContain("per minute");
      expect((await create(stage, key, person(1))).status).toBe(201);
    });

    it("answer after the permission and before the media type", async () => {
      const { key, keyId } = await stage.at.tenant();
      for (let i = 0; i < 3; i++) await create(stage, key, person(i));
      const text = { raw: "x", headers: { "Content-Type": "text/plain" } };
      retryAfter(await create(stage, key, undefined, text));
      retryAfter(await ask(stage.mount, { key, raw: " ".repeat(600_000) }));
      await stage.at.sql("UPDATE api_keys SET permissions = '{subscribers:read}' WHERE id = $1", [keyId]);
      await stage.at.sql("SELECT pg_notify('rollcall_keys', '')");
      const status = async () => (await create(stage, key, person(9))).status;
      await expect.poll(status, { interval: 5, timeout: 20_000 }).toBe(403);
    });
  });

  describe("20 wrong keys from one address (here 3)", () => {
    it("lock its failing attempts out; X-Forwarded-For changes nothing without a trusted proxy; a valid key still works", async () => {
      const { key } = await stage.at.tenant();
      // The promise about keys above has failed once, from this address as well.
      const tries = await each(Array(4).fill(0), 1, (_, i) =>
        ask(stage.mount, {
          key: "sk_wrong",
          json: person(1),
          headers: {
            "X-Forwarded-For": `198.51.100.${i}`,
            "X-Rollcall-Caller": `x 198.51.100.${i}`,
            Forwarded: `for=198.51.100.${i}`,
          },
        }),
      );
      expect(tries.at(-1)?.status).toBe(429);
      expect(tries.filter((answer) => answer.status === 401).length).toBeLessThanOrEqual(3);
      const locked = await ask(stage.mount, {
        json: person(1),
        headers: { "X-Forwarded-For": "203.0.113.9" },
      });
      expect(retryAfter(locked)).toBeLessThanOrEqual(600);
      expect(retryAfter(locked)).toBeGreaterThan(500);
      expect((await create(stage, key, person(1))).status).toBe(201);
      retryAfter(await ask(stage.mount, { json: person(1) }));
    });
  });
}
