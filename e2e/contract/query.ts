import { describe, expect, it } from "vitest";
import { ask, BULK, expectRejection, SUBSCRIBERS } from "./client";
import { create, createMany, people, type Stage } from "./stage";

const DRY = { path: `${BULK}?dry_run=true` };
const SKIP = { path: `${BULK}?on_duplicate=skip` };
const DRY_SKIP = { path: `${BULK}?dry_run=true&on_duplicate=skip` };

/** contract.md §1: `dry_run` and `on_duplicate`; §3: a bad query parameter. */
export function querySuite(stage: Stage): void {
  describe("a dry run", () => {
    it("is rejected with the same bytes as the real request", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      await create(stage, key, { email: "known@example.org" });
      const bad = ["new@example.org", "known@example.org", "NEW@example.org", "no"].map((email) => ({
        email,
      }));
      for (const [path, bodies] of [
        [SUBSCRIBERS, [{ email: "Known@example.org" }, { email: "no", status: 1 }, {}, 7]],
        [BULK, [bad, bad.slice(0, 2), bad.slice(0, 3), [], people(101), null]],
      ] as const)
        for (const json of bodies) {
          const dry = await ask(stage.mount, { key, json, path: `${path}?dry_run=true` });
          const real = await ask(stage.mount, { key, json, path });
          expect([dry.status, dry.text]).toEqual([422, real.text]);
        }
      expect(await stage.at.list(newsletterId)).toHaveLength(1);
    });

    it("of a bulk with on_duplicate=skip lists the people that the real request skips", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      await create(stage, key, { email: "known@example.org" });
      const gone = (await create(stage, key, { email: "gone@example.org" })).json.data.id;
      await ask(stage.mount, { method: "DELETE", path: `${SUBSCRIBERS}/${gone}?erase=true`, key });
      const body = ["new@example.org", "known@example.org", "NEW@example.org", "gone@example.org"].map(
        (email) => ({ email, ...(email !== "gone@example.org" && { status: "pending" }) }),
      );
      const dry = await createMany(stage, key, body, DRY_SKIP);
      expect([dry.status, Object.keys(dry.json.data), dry.json.data.valid]).toEqual([
        200,
        ["valid", "skipped"],
        true,
      ]);
      expect(await stage.at.list(newsletterId)).toHaveLength(1);
      const real = await createMany(stage, key, body, SKIP);
      expect([real.status, Object.keys(real.json.data)]).toEqual([201, ["created", "skipped"]]);
      expect(real.json.data.created).toMatchObject([{ email: "new@example.org" }]);
      expect(real.json.data.skipped).toEqual([
        { index: 1, email: "known@example.org", reason: "already_subscribed" },
        { index: 2, email: "NEW@example.org", reason: "duplicate_in_request" },
        { index: 3, email: "gone@example.org", reason: "suppressed" },
      ]);
      expect(dry.json.data.skipped).toEqual(real.json.data.skipped);
      expect(await stage.at.mails(newsletterId)).toHaveLength(1);
      expect((await createMany(stage, key, people(100), DRY)).text).toBe(
        '{"success":true,"data":{"valid":true}}',
      );
    });
  });

  describe("a bad query parameter", () => {
    it.each([
      [SUBSCRIBERS, "dry_run=", "dry_run", ["true", "false"]],
      [SUBSCRIBERS, "dry_run=TRUE", "dry_run", ["true", "false"]],
      [BULK, "dry_run=true&dry_run=false", "dry_run", ["is repeated"]],
      [BULK, "on_duplicate=ignore", "on_duplicate", ["error", "skip"]],
    ])("%s?%s is 400, says what is allowed, and writes nothing", async (path, query, name, allowed) => {
      const { key, newsletterId } = await stage.at.tenant();
      const json = path === BULK ? [{ email: "ada@example.org" }] : { email: "ada@example.org" };
      const answer = await create(stage, key, json, { path: `${path}?${query}` });
      expectRejection(answer, 400, "validation_error");
      expect(Object.keys(answer.json.errors)).toEqual([name]);
      for (const word of allowed) expect(answer.json.errors[name][0]).toContain(word);
      expect(await stage.at.list(newsletterId)).toEqual([]);
    });
  });

  describe("an unknown query parameter", () => {
    it.each([
      ["GET", SUBSCRIBERS, "emial=ada@example.org", "emial", "email"],
      ["GET", SUBSCRIBERS, "status=active&Limit=1", "Limit", "limit"],
      ["GET", SUBSCRIBERS, "offset=10", "offset", null],
      ["POST", SUBSCRIBERS, "dryrun=true", "dryrun", "dry_run"],
      ["POST", BULK, "on_duplicates=skip", "on_duplicates", "on_duplicate"],
      ["GET", "/api/v1/me", "verbose=1", "verbose", null],
      ["GET", "/api/v1/openapi.json", "v=2", "v", null],
    ])("%s %s?%s is 400, names it and the nearest known one", async (method, path, query, name, nearest) => {
      const { key, newsletterId } = await stage.at.tenant();
      const json = path === BULK ? [{ email: "ada@example.org" }] : { email: "ada@example.org" };
      const more = method === "POST" ? { json } : {};
      const answer = await ask(stage.mount, { method, key, path: `${path}?${query}`, ...more });
      expectRejection(answer, 400, "validation_error");
      expect(Object.keys(answer.json.errors)).toEqual(["query"]);
      const [sentence] = answer.json.errors.query;
      expect(sentence).toContain(`Unknown query parameter "${name}"`);
      if (nearest === null) expect(sentence).not.toContain("did you mean");
      else expect(sentence).toContain(`did you mean ${nearest}?`);
      expect(await stage.at.list(newsletterId)).toEqual([]);
    });

    it("is 400 also where the path has an id, and changes no one", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const { id } = (await create(stage, key, { email: "ada@example.org" })).json.data;
      const path = `${SUBSCRIBERS}/${id}?erased=true`;
      for (const question of [
        { method: "GET" },
        { method: "PUT", json: { name: "A" } },
        { method: "DELETE" },
      ])
        expectRejection(await ask(stage.mount, { key, path, ...question }), 400, "validation_error");
      expect(await stage.at.list(newsletterId)).toMatchObject([{ first: "", status: "active" }]);
    });
  });
}
