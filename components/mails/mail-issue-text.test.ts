import { expect, test } from "vitest";
import { describeIssue } from "./mail-issue-text";

const noBudget = { domain: null, budget: null, until: null };

test("each mail issue names what has happened and what to do, in words that fit the number", () => {
  const word = (
    state: Parameters<typeof describeIssue>[0]["state"],
    mails: number,
    message: string | null = null,
  ) => describeIssue({ state, code: "x", mails, message, ...noBudget });
  expect(word("failed", 1, "Because.")).toEqual({ what: "1 email failed", advice: "Because." });
  expect(word("failed", 1204).what).toBe("1,204 emails failed");
  expect(word("failed", 2).advice).toMatch(/send again/);
  expect(word("uncertain", 2).advice).toMatch(/duplicates do no harm/);
  expect(word("bounced", 1).what).toBe("1 address does not accept email");
  expect(word("deferred", 3, "Deferred: they are sent by themselves.").advice).toBe(
    "Deferred: they are sent by themselves.",
  );
  expect(
    describeIssue({ state: "failed", code: "invalid_from_address", mails: 1, message: "x", ...noBudget })
      .advice,
  ).toMatch(/sender/);
  const overBudget = { state: "deferred", until: new Date(), message: null } as const;
  expect(
    describeIssue({ ...overBudget, code: "domain_day", domain: "x.org", budget: 50, mails: 9_950 }).what,
  ).toBe("9,950 confirmations to x.org wait: the limit is 50 a day to one domain");
  expect(
    describeIssue({ ...overBudget, code: "newsletter_day", domain: null, budget: 5_000, mails: 1 }).what,
  ).toBe("1 confirmation waits: the limit is 5,000 a day in total");
});
