import { describe, expect, it } from "vitest";
import { expectRejection } from "./client";
import { create, each, type Stage } from "./stage";

const ADA = { email: "ada@example.org", status: "pending" };
const withKey = { headers: { "Idempotency-Key": "one" } };

/** contract.md §4, Idempotency-Key, over two processes; the rules are in e2e/resource/idempotency.test.ts. */
export function idempotencySuite(stage: Stage): void {
  describe("an Idempotency-Key", () => {
    it("used by 40 requests at once has one effect: the others get that answer or 409", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const mounts = [stage.mount, stage.other];
      const answers = await each(Array(40).fill(0), 40, (_, i) =>
        create({ ...stage, mount: mounts[i % 2] ?? stage.mount }, key, ADA, withKey),
      );
      const made = answers.filter((answer) => answer.status === 201);
      expect(new Set(made.map((answer) => answer.text)).size).toBe(1);
      expect(made.filter((answer) => answer.headers["idempotency-replayed"] === undefined)).toHaveLength(1);
      for (const answer of answers)
        if (answer.status !== 201) expectRejection(answer, 409, "idempotency_conflict");
      expect(await stage.at.list(newsletterId)).toHaveLength(1);
      expect(await stage.at.mails(newsletterId)).toHaveLength(1);
    });
  });
}
