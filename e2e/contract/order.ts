import { expect, it } from "vitest";
import { ask, BULK, expectRejection, SUBSCRIBERS } from "./client";
import type { Stage } from "./stage";

const GZIP = { "Content-Encoding": "gzip" };
const HUGE = "x".repeat(512 * 1024 + 1);

/** contract.md §3, "the first failure answers". Rate limits and lockouts are in e2e/resource/limits.test.ts. */
export function orderSuite(stage: Stage): void {
  it("of two failures of the key the first answers: a bad key, API access that is off, a missing permission, the encoding", async () => {
    const { at, mount } = stage;
    const { newsletterId, accountId, key, keyId } = await at.tenant({ apart: true });
    const reader = await at.addKey(newsletterId, { permissions: ["subscribers:read"] });
    const post = (secret: string) => ask(mount, { key: secret, raw: "x", headers: GZIP });
    expectRejection(await post(reader.secret), 403, "api_module_access_disabled");
    await at.apiAccess(accountId, false);
    const code = async () => (await post(reader.secret)).json.code;
    await expect.poll(code, { timeout: 10_000 }).toBe("api_access_disabled");
    await at.revoke(keyId);
    await expect.poll(async () => (await post(key)).status, { timeout: 10_000 }).toBe(401);
  });

  const badKey = { "Idempotency-Key": "" };
  it.each([
    ["the encoding before the size", 415, "unsupported_media_type", { raw: HUGE, headers: GZIP }, ""],
    ["the size before the JSON", 413, "payload_too_large", { raw: HUGE }, ""],
    [
      "the JSON before the query and the Idempotency-Key",
      400,
      "validation_error",
      { raw: "{" },
      "?dry_run=1",
    ],
    ["the query before the rules", 400, "validation_error", { json: 7 }, "?dry_run=1"],
    ["the Idempotency-Key before the rules", 400, "validation_error", { json: 7, headers: badKey }, ""],
    ["the same in a dry run", 400, "validation_error", { json: 7, headers: badKey }, "?dry_run=true"],
  ])("of two failures the first answers: %s", async (_, status, code, question, query) => {
    const { key } = await stage.at.tenant();
    for (const path of [SUBSCRIBERS, BULK])
      expectRejection(await ask(stage.mount, { key, path: path + query, ...question }), status, code);
  });
}
