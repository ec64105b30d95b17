import { expect, test } from "vitest";
import { wordTrouble } from "./trouble-words";

test("each trouble says what has happened and what to do, in words that fit the number", () => {
  const word = (
    state: Parameters<typeof wordTrouble>[0]["state"],
    mails: number,
    message: string | null = null,
  ) => wordTrouble({ state, code: "x", mails, message });
  expect(word("failed", 1, "Because.")).toEqual({ what: "1 mail failed", advice: "Because." });
  expect(word("failed", 1204).what).toBe("1,204 mails failed");
  expect(word("failed", 2).advice).toMatch(/send again/);
  expect(word("uncertain", 2).advice).toMatch(/arrive twice/);
  expect(word("bounced", 1).what).toBe("1 address takes no mail");
  expect(word("deferred", 3, "Deferred: they are sent later.").advice).toBe("Deferred: they are sent later.");
  expect(
    wordTrouble({ state: "failed", code: "invalid_from_address", mails: 1, message: "x" }).advice,
  ).toMatch(/sender/);
});
