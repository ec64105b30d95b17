import { describe, expect, it } from "vitest";
import { ask } from "./client";
import { retryAfter } from "./limits";
import { create, createMany, type Stage } from "./stage";

const ADA = { email: "ada@example.org" };
const TEXT = { raw: "x", headers: { "Content-Type": "text/plain" } };

/** contract.md §4, Lockouts, with 4 bad requests for 4 seconds. */
export function lockoutsSuite(stage: Stage): void {
  /** Four answers that count, each of another sort. */
  async function misbehave(key: string): Promise<void> {
    expect((await create(stage, key, { email: "no" })).status).toBe(422);
    expect((await create(stage, key, undefined, { raw: "{" })).status).toBe(400);
    expect((await create(stage, key, undefined, TEXT)).status).toBe(415);
    expect((await create(stage, key, undefined, { raw: " ".repeat(600_000) })).status).toBe(413);
  }

  describe("100 bad requests of a key (here 4)", () => {
    it("lock its writes for a while, both of them, and no other key's; then it may go on", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const colleague = await stage.at.addKey(newsletterId);
      await misbehave(key);
      const locked = await create(stage, key, ADA);
      const seconds = retryAfter(locked);
      expect(seconds).toBeLessThanOrEqual(4);
      retryAfter(await createMany(stage, key, [ADA]));
      retryAfter(await create(stage, key, undefined, TEXT));
      expect((await create(stage, colleague.secret, { email: "bob@example.org" })).status).toBe(201);
      expect(await stage.at.list(newsletterId)).toHaveLength(1);
      const status = async () => (await create(stage, key, ADA)).status;
      await expect.poll(status, { timeout: 60_000 }).toBe(201);
    });

    it("are not 401, 403 and 429, nor what is answered before the key is read", async () => {
      const { key, accountId } = await stage.at.tenant({ apart: true });
      await stage.at.apiAccess(accountId, false);
      const status = async () => (await create(stage, key, {})).status;
      for (let i = 0; i < 6; i++) expect(await status()).toBe(403);
      for (let i = 0; i < 6; i++)
        expect((await ask(stage.mount, { key, path: "/api/v1/nope" })).status).toBe(404);
      await stage.at.apiAccess(accountId, true);
      await expect
        .poll(async () => (await create(stage, key, ADA)).status, {
          interval: 5,
          timeout: 20_000,
        })
        .not.toBe(403);
      expect((await create(stage, key, { email: "bob@example.org" })).status).toBe(201);
    });
  });
}
