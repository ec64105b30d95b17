import { describe, it } from "vitest";
import { ask, BULK, expectRejection, SUBSCRIBERS } from "./client";
import { create, type Stage } from "./stage";

const PLAIN = { "Content-Type": "text/plain" };
const HUGE = "x".repeat(512 * 1024 + 1);

/**
 * contract.md §3, "the first failure answers": one promise for each two that stand side by side. Those with a rate limit or
 * a lockout in them are in limits.ts and lockouts.ts.
 */
export function orderSuite(stage: Stage): void {
  describe("of two failures the first answers:", () => {
    it("a bad key before API access that is off", async () => {
      const { key, keyId, accountId } = await stage.at.tenant({ apart: true });
      await stage.at.apiAccess(accountId, false);
      await stage.at.revoke(keyId);
      expectRejection(await create(stage, key, { email: "ada@example.org" }), 401, "unauthorized");
    });

    it("API access that is off before a missing permission", async () => {
      const { newsletterId, accountId } = await stage.at.tenant({ apart: true });
      const { secret } = await stage.at.addKey(newsletterId, { permissions: ["subscribers:read"] });
      await stage.at.apiAccess(accountId, false);
      expectRejection(await create(stage, secret, { email: "ada@example.org" }), 403, "api_access_disabled");
    });

    it("a missing permission before the media type", async () => {
      const { newsletterId } = await stage.at.tenant();
      const { secret } = await stage.at.addKey(newsletterId, { permissions: ["subscribers:read"] });
      expectRejection(
        await create(stage, secret, undefined, { raw: "x", headers: PLAIN }),
        403,
        "api_module_access_disabled",
      );
    });

    it("the media type before the size", async () => {
      const { key } = await stage.at.tenant();
      expectRejection(
        await create(stage, key, undefined, { raw: HUGE, headers: PLAIN }),
        415,
        "unsupported_media_type",
      );
    });

    it("the size before the JSON", async () => {
      const { key } = await stage.at.tenant();
      expectRejection(await create(stage, key, undefined, { raw: HUGE }), 413, "payload_too_large");
    });

    it("what is no JSON before a bad query parameter, a bad Idempotency-Key and the rules", async () => {
      const { key } = await stage.at.tenant();
      for (const path of [SUBSCRIBERS, BULK]) {
        const answer = await ask(stage.mount, { key, path, raw: "{" });
        expectRejection(answer, 400, "validation_error");
        const worse = await ask(stage.mount, {
          key,
          path: `${path}?dry_run=1`,
          raw: "{",
          headers: { "Idempotency-Key": "" },
        });
        expectRejection(worse, 400, "validation_error");
      }
    });

    it("a bad query parameter before the rules", async () => {
      const { key } = await stage.at.tenant();
      for (const path of [`${SUBSCRIBERS}?dry_run=1`, `${BULK}?dry_run=1`, `${BULK}?on_duplicate=x`]) {
        expectRejection(await ask(stage.mount, { key, path, json: 7 }), 400, "validation_error");
      }
    });

    it("a bad Idempotency-Key before the rules, in a dry run too", async () => {
      const { key } = await stage.at.tenant();
      for (const path of [SUBSCRIBERS, BULK, `${SUBSCRIBERS}?dry_run=true`, `${BULK}?dry_run=true`]) {
        expectRejection(
          await ask(stage.mount, { key, path, json: 7, headers: { "Idempotency-Key": "" } }),
          400,
          "validation_error",
        );
      }
    });
  });
}
