import { expect, test } from "vitest";
import { textsInEnglish } from "../texts/in-english";
import { describeIssue, describeRetry, type MailIssue } from "./mail-issue-text";

const noBudget = { domain: null, budget: null, until: null };
const describe = (issue: MailIssue) => describeIssue(textsInEnglish("mails.issues"), issue);

test("each mail issue names what has happened and what to do, in words that fit the number", () => {
  const word = (state: MailIssue["state"], mails: number, message: string | null = null) =>
    describe({ state, code: "x", mails, message, ...noBudget });
  expect(word("failed", 1, "Because.")).toEqual({ what: "1 email failed", advice: "Because." });
  expect(word("failed", 1204).what).toBe("1,204 emails failed");
  expect(word("failed", 2).advice).toMatch(/send again/);
  expect(word("uncertain", 2).advice).toMatch(/duplicates do no harm/);
  expect(word("bounced", 1).what).toBe("1 address does not accept email");
  expect(word("deferred", 3, "Deferred: they are sent by themselves.").advice).toBe(
    "Deferred: they are sent by themselves.",
  );
  expect(
    describe({ state: "failed", code: "invalid_from_address", mails: 1, message: "x", ...noBudget }).advice,
  ).toMatch(/sender/);
  const overBudget = { state: "deferred", until: new Date(), message: null } as const;
  expect(
    describe({ ...overBudget, code: "domain_day", domain: "x.org", budget: 50, mails: 9_950 }).what,
  ).toBe("9,950 confirmations to x.org wait: the limit is 50 a day to one domain");
  expect(
    describe({ ...overBudget, code: "newsletter_day", domain: null, budget: 5_000, mails: 1 }).what,
  ).toBe("1 confirmation waits: the limit is 5,000 a day in total");
});

test("sending again says how many new emails there are, and how many need none any more", () => {
  const said = (sent: number, closed: number, sends = true) =>
    describeRetry(textsInEnglish("mails.retry"), { sent, closed }, sends);
  expect(said(1, 0)).toBe("1 new email is queued.");
  expect(said(2, 0, false)).toBe("2 new emails are stored but not sent: email is not set up.");
  expect(said(0, 1)).toBe("1 was closed: the person can’t receive a confirmation any more.");
  expect(said(2, 3)).toBe(
    "2 new emails are queued. 3 were closed: the people can’t receive a confirmation any more.",
  );
});
