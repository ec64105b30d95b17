import { describe, expect, it } from "vitest";
import { BULK, expectRejection, SUBSCRIBERS } from "./client";
import { create, createMany, each, type Stage } from "./stage";

const withKey = (idempotencyKey: string) => ({ headers: { "Idempotency-Key": idempotencyKey } });
const ADA = { email: "ada@example.org", status: "pending" };

/** contract.md §4, Idempotency-Key. */
export function idempotencySuite(stage: Stage): void {
  describe("an Idempotency-Key", () => {
    it("repeats the first answer byte for byte, says so, and mails nobody again", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const first = await create(stage, key, ADA, withKey("one"));
      expect([first.status, first.headers["idempotency-replayed"]]).toEqual([201, undefined]);
      for (let i = 0; i < 3; i++) {
        const again = await create(stage, key, ADA, withKey("one"));
        expect([again.status, again.text, again.headers["idempotency-replayed"]]).toEqual([
          201,
          first.text,
          "true",
        ]);
      }
      const elsewhere = await create({ ...stage, mount: stage.other }, key, ADA, {
        ...withKey("one"),
      });
      expect([elsewhere.status, elsewhere.text]).toEqual([201, first.text]);
      expect(await stage.at.list(newsletterId)).toHaveLength(1);
      expect(await stage.at.mails(newsletterId)).toHaveLength(1);
    });

    it("repeats a bulk's answer, what was skipped included", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const more = { path: `${BULK}?on_duplicate=skip`, ...withKey("two") };
      const first = await createMany(
        stage,
        key,
        [ADA, { email: "ADA@example.org" }, { email: "bob@example.org" }],
        more,
      );
      const again = await createMany(
        stage,
        key,
        [ADA, { email: "ADA@example.org" }, { email: "bob@example.org" }],
        more,
      );
      expect(first.json.data).toMatchObject({ created: [{}, {}], skipped: [{ index: 1 }] });
      expect([again.status, again.text, again.headers["idempotency-replayed"]]).toEqual([
        201,
        first.text,
        "true",
      ]);
      expect(await stage.at.mails(newsletterId)).toHaveLength(1);
    });

    it("keeps email_already_subscribed too: the answer stays though the person is gone", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      await create(stage, key, { email: "ada@example.org" });
      const first = await create(stage, key, { email: "ada@example.org" }, withKey("three"));
      expectRejection(first, 422, "email_already_subscribed");
      await stage.at.sql("DELETE FROM subscribers WHERE newsletter_id = $1", [newsletterId]);
      const again = await create(stage, key, { email: "ada@example.org" }, withKey("three"));
      expect([again.status, again.text, again.headers["idempotency-replayed"]]).toEqual([
        422,
        first.text,
        "true",
      ]);
      expect(await stage.at.list(newsletterId)).toEqual([]);
    });

    it("rejects another request: another body, though it means the same, or another query", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      await create(stage, key, ADA, withKey("six"));
      expectRejection(
        await create(stage, key, { email: "eve@example.org" }, withKey("six")),
        422,
        "idempotency_key_reused",
      );
      expectRejection(
        await create(stage, key, undefined, { raw: ` ${JSON.stringify(ADA)}`, ...withKey("six") }),
        422,
        "idempotency_key_reused",
      );
      await createMany(stage, key, [{ email: "bob@example.org" }], withKey("seven"));
      const skipping = { path: `${BULK}?on_duplicate=skip`, ...withKey("seven") };
      expectRejection(
        await createMany(stage, key, [{ email: "bob@example.org" }], skipping),
        422,
        "idempotency_key_reused",
      );
      expect(await stage.at.list(newsletterId)).toHaveLength(2);
    });

    it("belongs to one API key and one path: the same text elsewhere is another one", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const colleague = await stage.at.addKey(newsletterId);
      expect((await create(stage, key, { email: "a@example.org" }, withKey("eight"))).status).toBe(201);
      expect((await createMany(stage, key, [{ email: "b@example.org" }], withKey("eight"))).status).toBe(201);
      expect(
        (await create(stage, colleague.secret, { email: "c@example.org" }, withKey("eight"))).status,
      ).toBe(201);
      expect(await stage.at.list(newsletterId)).toHaveLength(3);
    });

    it("used by many at once has one effect: the others get that answer or 409", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const mounts = [stage.mount, stage.other];
      const answers = await each(Array(40).fill(0), 40, (_, i) =>
        create({ ...stage, mount: mounts[i % 2] ?? stage.mount }, key, ADA, {
          ...withKey("nine"),
        }),
      );
      const made = answers.filter((answer) => answer.status === 201);
      expect(made.length).toBeGreaterThan(0);
      expect(new Set(made.map((answer) => answer.text)).size).toBe(1);
      expect(made.filter((answer) => answer.headers["idempotency-replayed"] === undefined)).toHaveLength(1);
      for (const answer of answers)
        if (answer.status !== 201) expectRejection(answer, 409, "idempotency_conflict");
      expect(await stage.at.list(newsletterId)).toHaveLength(1);
      expect(await stage.at.mails(newsletterId)).toHaveLength(1);
    });

    it("whose first request still runs answers 409, and that request's answer afterwards", async () => {
      const { key, keyId } = await stage.at.tenant();
      // What the product itself holds while the first request runs.
      const name = `${keyId} POST ${SUBSCRIBERS} ten`;
      await stage.at.sql("SELECT pg_advisory_lock(hashtextextended($1, 0))", [name]);
      try {
        expectRejection(await create(stage, key, ADA, withKey("ten")), 409, "idempotency_conflict");
      } finally {
        await stage.at.sql("SELECT pg_advisory_unlock(hashtextextended($1, 0))", [name]);
      }
      expect((await create(stage, key, ADA, withKey("ten"))).status).toBe(201);
    });

    it("lasts 24 hours and no longer", async () => {
      const { key, keyId } = await stage.at.tenant();
      const age = (by: string) =>
        stage.at.sql(
          "UPDATE idempotent_answers SET created_at = now() - $2::interval WHERE api_key_id = $1",
          [keyId, by],
        );
      await create(stage, key, ADA, withKey("eleven"));
      await age("23 hours 59 minutes");
      expect((await create(stage, key, ADA, withKey("eleven"))).headers["idempotency-replayed"]).toBe("true");
      await age("24 hours 1 second");
      const fresh = await create(stage, key, { email: "bob@example.org" }, withKey("eleven"));
      expect([fresh.status, fresh.headers["idempotency-replayed"]]).toEqual([201, undefined]);
      const again = await create(stage, key, { email: "bob@example.org" }, withKey("eleven"));
      expect([again.text, again.headers["idempotency-replayed"]]).toEqual([fresh.text, "true"]);
    });

    it("has 1 to 255 printable ASCII characters; any other is 400 and writes nothing", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      for (const bad of ["", "x".repeat(256), "é", "a\tb", "\x80"]) {
        for (const path of [SUBSCRIBERS, BULK]) {
          const answer = await create(stage, key, path === BULK ? [ADA] : ADA, { path, ...withKey(bad) });
          expectRejection(answer, 400, "validation_error");
          expect(Object.keys(answer.json.errors)).toEqual(["Idempotency-Key"]);
        }
      }
      expect(await stage.at.list(newsletterId)).toEqual([]);
      for (const [i, good] of ["!", "x".repeat(255), "a b ~", "'; DROP TABLE subscribers; --"].entries()) {
        expect((await create(stage, key, { email: `ada${i}@example.org` }, withKey(good))).status).toBe(201);
      }
    });
  });
}
