import { expect, test } from "vitest";
import { textsInEnglish } from "../texts/testing/in-english";
import { describeIssue, describeRetry, type MailIssue } from "./mail-issue-text";

const issue = { code: "x", mails: 2, message: null, domain: null, budget: null, until: null };
const describe = (given: Partial<MailIssue>) =>
  Object.values(describeIssue(textsInEnglish("mails.issues"), { ...issue, state: "failed", ...given })).join(
    ". ",
  );

test.each<[Partial<MailIssue>, RegExp]>([
  [{ mails: 1, message: "Because." }, /^1 email failed. Because.$/],
  [{ mails: 1204 }, /^1,204 emails failed. .*send again/],
  [{ code: "invalid_from_address", message: "x" }, /sender/],
  [{ state: "uncertain" }, /duplicates do no harm/],
  [{ state: "bounced", mails: 1 }, /^1 address does not accept email/],
  [{ state: "deferred", message: "Deferred: they are sent by themselves." }, /. Deferred: they are sent/],
  [
    { state: "deferred", code: "domain_day", domain: "x.org", budget: 50, mails: 9_950 },
    /^9,950 sign-up confirmations to x.org wait: the limit is 50 a day to one domain. .*check the people/,
  ],
  [
    { state: "deferred", code: "own_domain_day", domain: "x.org", budget: 2_000, mails: 1 },
    /^1 confirmation to x.org waits: the limit is 2,000 a day to one domain for people who .* higher than 2,000/,
  ],
  [
    { state: "deferred", code: "newsletter_day", budget: 5_000, mails: 1 },
    /^1 confirmation waits: the limit is 5,000 a day in total/,
  ],
])("describes the issue %j with advice", (given, text) => {
  expect(describe(given)).toMatch(text);
});

test.each([
  [1, 0, true, "1 new email is queued."],
  [2, 0, false, "2 new emails are stored but not sent: email is not set up."],
  [0, 1, true, "1 was closed: the person can’t receive a confirmation any more."],
  [2, 3, true, "2 new emails are queued. 3 were closed: the people can’t receive a confirmation any more."],
])("describes a retry that sent %i emails and closed %i", (sent, closed, sends, text) => {
  expect(describeRetry(textsInEnglish("mails.retry"), { sent, closed }, sends)).toBe(text);
});
