import { describe, expect, it } from "vitest";
import { makeSecret } from "../../server/api-keys/api-key";
import { ask, askRaw, BULK, expectRejection, rawRequest, SUBSCRIBERS } from "./client";
import { create, type Stage } from "./stage";

const BODY = '{"email":"ada@example.org"}';

/** contract.md §5 and the 401 and 403 of §3. */
export function keysSuite(stage: Stage): void {
  describe("a key", () => {
    it("is rejected with the same bytes, whatever is wrong with it", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const revoked = await stage.at.addKey(newsletterId);
      await stage.at.revoke(revoked.id);
      const expired = await stage.at.addKey(newsletterId, { expiresInDays: 1 });
      await stage.at.sql("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [
        expired.id,
      ]);
      const headers: Record<string, string | undefined> = {
        missing: undefined,
        "scheme only": "Bearer",
        "another scheme": `Basic ${key}`,
        "no scheme": key,
        "no prefix": `Bearer ${key.slice(3)}`,
        "a wrong check character": `Bearer ${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`,
        "two keys": `Bearer ${key} ${key}`,
        unknown: `Bearer ${makeSecret()}`,
        revoked: `Bearer ${revoked.secret}`,
        expired: `Bearer ${expired.secret}`,
        "an accent": "Bearer sk_é",
      };
      const bodies = new Set<string>();
      for (const [what, value] of Object.entries(headers)) {
        for (const path of [SUBSCRIBERS, BULK]) {
          const answer = await ask(stage.mount, {
            path,
            raw: BODY,
            headers: value === undefined ? {} : { Authorization: value },
          });
          expect([what, answer.status]).toEqual([what, 401]);
          expectRejection(answer, 401, "unauthorized");
          expect(answer.headers["www-authenticate"]).toBe("Bearer");
          expect(Object.keys(answer.json)).toEqual(["success", "code", "message", "docs"]);
          bodies.add(answer.text);
        }
      }
      expect(bodies.size).toBe(1);
      expect(await stage.at.list(newsletterId)).toEqual([]);
    });

    it("is read from the Authorization header only", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      for (const name of ["api_key", "key", "token", "access_token"]) {
        const answer = await ask(stage.mount, { path: `${SUBSCRIBERS}?${name}=${key}`, raw: BODY });
        expectRejection(answer, 401, "unauthorized");
      }
      for (const name of ["X-API-Key", "Cookie", "Proxy-Authorization"]) {
        const answer = await ask(stage.mount, { raw: BODY, headers: { [name]: `Bearer ${key}` } });
        expectRejection(answer, 401, "unauthorized");
      }
      expect(await stage.at.list(newsletterId)).toEqual([]);
    });

    it("is rejected when there are two Authorization headers, even of the same key", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const unknown = makeSecret();
      for (const pair of [
        [key, key],
        [key, unknown],
        [unknown, key],
      ]) {
        const lines = pair.map((one) => `Authorization: Bearer ${one}`);
        const answer = await askRaw(stage.mount, rawRequest("POST", SUBSCRIBERS, lines, BODY));
        expectRejection(answer, 401, "unauthorized");
      }
      expect(await stage.at.list(newsletterId)).toEqual([]);
    });

    it("may name its scheme in any case, and be set off by several spaces", async () => {
      const { key } = await stage.at.tenant();
      for (const [i, scheme] of ["bearer ", "BEARER ", "Bearer  "].entries()) {
        const headers = { Authorization: `${scheme}${key}` };
        const answer = await ask(stage.mount, { headers, json: { email: `ada${i}@example.org` } });
        expect(answer.status).toBe(201);
      }
    });

    /** Waits until requests of the key get the status in every process: notifications take a moment. */
    const becomes = async (status: number, key: string) => {
      for (const mount of [stage.mount, stage.other])
        await expect
          .poll(async () => (await ask(mount, { key, json: {} })).status, { interval: 5, timeout: 30_000 })
          .toBe(status);
    };

    it("is rejected at once when it is revoked, in every process", async () => {
      const { key, keyId } = await stage.at.tenant();
      await becomes(422, key);
      await stage.at.revoke(keyId);
      await becomes(401, key);
    });

    it("stops at its expiry though it was used a moment before", async () => {
      const { newsletterId } = await stage.at.tenant();
      const { secret } = await stage.at.addKey(newsletterId, { expiresInDays: 1 / 86_400 });
      expect((await create(stage, secret, { email: "a@example.org" })).status).toBe(201);
      await becomes(401, secret);
    });

    it("of some networks answers 403 elsewhere, with the caller's address, and keeps them when it is rotated", async () => {
      const { newsletterId } = await stage.at.tenant();
      const key = (networks: string) => stage.at.addKey(newsletterId, { networks });
      const body = { email: "a@example.org" };
      const refused = await create(stage, (await key("10.0.0.0/8, 2001:db8::1")).secret, body);
      expectRejection(refused, 403, "api_access_disabled");
      expect(refused.json.message).toContain("127.0.0.1");
      expect(await stage.at.list(newsletterId)).toEqual([]);
      const near = await key("10.0.0.0/8 127.0.0.1");
      const old = await ask(stage.mount, { key: near.secret, method: "GET", path: "/api/v1/me" });
      expect(old.json.data.key.networks).toEqual(["10.0.0.0/8", "127.0.0.1"]);
      const rotated = await stage.at.rotate(near.id);
      const answer = await ask(stage.mount, { key: rotated, method: "GET", path: "/api/v1/me" });
      expect(answer.json.data.key.networks).toEqual(["10.0.0.0/8", "127.0.0.1"]);
    });

    it("for all newsletters works in each newsletter of its account that the path names", async () => {
      const [first, second, foreign] = [
        await stage.at.tenant({ apart: true }),
        await stage.at.tenant(),
        await stage.at.tenant({ apart: true }),
      ];
      await stage.at.sql("UPDATE newsletters SET account_id = $2 WHERE id = $1", [
        second.newsletterId,
        first.accountId,
      ]);
      const { id, secret: key } = await stage.at.addKey(first.newsletterId, { forAllNewsletters: true });
      const of = ({ newsletterId }: { newsletterId: string }) =>
        `/api/v1/newsletters/${newsletterId}/subscribers`;
      // The key is cached for each newsletter apart.
      for (const one of [first, second, first]) {
        const email = `${one.newsletterId}@example.org`;
        const json = [{ email }];
        const path = `${of(one)}/bulk?on_duplicate=skip`;
        expect((await ask(stage.mount, { key, path, json })).status).toBe(201);
        expect((await stage.at.list(one.newsletterId)).map((person) => person.email)).toEqual([email]);
      }
      const listed = await ask(stage.mount, { key, method: "GET", path: "/api/v1/newsletters" });
      const news = (newsletterId: string) => ({ id: newsletterId, name: "News", archived: false });
      expect(listed.json.data).toEqual([news(first.newsletterId), news(second.newsletterId)]);
      const me = await ask(stage.mount, { key, method: "GET", path: "/api/v1/me" });
      expect(me.json.data).toMatchObject({ newsletter: null, key: { id } });
      for (const path of [of(foreign), of({ newsletterId: id }), SUBSCRIBERS])
        expectRejection(await ask(stage.mount, { key, method: "GET", path }), 403, "api_access_disabled");
      await stage.at.sql("UPDATE newsletters SET archived_at = now() WHERE id = $1", [second.newsletterId]);
      await stage.at.sql("SELECT pg_notify('rollcall_keys', '')");
      await expect
        .poll(async () => (await ask(stage.mount, { key, path: of(second), json: {} })).status, {
          timeout: 30_000,
        })
        .toBe(403);
      await stage.at.revoke(id);
      await expect
        .poll(async () => (await ask(stage.mount, { key, path: of(first), json: {} })).status, {
          timeout: 30_000,
        })
        .toBe(401);
    });

    it("for one newsletter works with paths that name it, and no other", async () => {
      const [{ key, newsletterId }, other] = [await stage.at.tenant(), await stage.at.tenant()];
      const path = (id: string) => `/api/v1/newsletters/${id.toUpperCase()}/subscribers/`;
      const json = { email: "ada@example.org" };
      expect((await ask(stage.mount, { key, path: path(newsletterId), json })).status).toBe(201);
      expectRejection(
        await ask(stage.mount, { key, path: path(other.newsletterId), json }),
        403,
        "api_access_disabled",
      );
      const listed = await ask(stage.mount, { key, method: "GET", path: "/api/v1/newsletters" });
      expect(listed.json.data).toEqual([{ id: newsletterId, name: "News", archived: false }]);
    });

    it("of an account whose API access is off answers 403 in every process, and works again as soon as it is on", async () => {
      const { key, accountId } = await stage.at.tenant({ apart: true });
      await becomes(422, key);
      await stage.at.apiAccess(accountId, false);
      await becomes(403, key);
      await stage.at.apiAccess(accountId, true);
      await becomes(422, key);
    });
  });
}
