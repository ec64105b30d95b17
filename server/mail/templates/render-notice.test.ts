import { expect, test } from "vitest";
import type { Notice } from "../../staff/schema/staff-notices";
import { renderNotice } from "./render-notice";

const home = "https://list.example.org";
const where = { at: new Date("2026-11-22T09:31:00Z"), device: "Firefox on Linux", network: "203.0.113.*" };
const link = `${home}/reset/abc`;

const forgot = `${home}/forgot`;
const off = { newsletterId: "1", newsletter: "Weekly", host: "shop.example", failure: "It answered 500." };
const week = { id: "1", name: "Weekly", active: 12_408, joined: 214, confirmed: 180, left: 12, mails: 1 };

const notices: [Notice, says: string, url: string][] = [
  [{ kind: "failures", tries: 7, ...where }, "7 times to sign in as you", forgot],
  [
    { kind: "new_device", ...where },
    "on 22 November 2026 at 09:31 UTC, with Firefox on Linux, from the network 203.0.113.*.",
    forgot,
  ],
  [{ kind: "new_device", ...where, device: "A browser", network: "" }, "UTC, with a browser.", forgot],
  [{ kind: "password_changed", by: "you", at: where.at }, "was changed on 22 November 2026", forgot],
  [{ kind: "password_changed", by: "operator", at: where.at }, "An operator of this Rollcall", forgot],
  [{ kind: "reset", url: link, minutes: 30 }, "works once, for 30 minutes", link],
  [{ kind: "confirm_email", url: link, minutes: 60 }, "works once, for 60 minutes", link],
  [{ kind: "email_changed", to: "new@lovelace.org" }, "is now new@lovelace.org", `${home}/sign-in`],
  [
    { kind: "webhook_off", ...off },
    "Weekly has a webhook to shop.example. It was turned off: It answered 500.",
    `${home}/n/1/api/webhooks`,
  ],
  [
    { kind: "digest", newsletters: [week] },
    "12,408 active people. In the last 7 days 214 joined, 180 confirmed and 12 unsubscribed. 1 email did not arrive",
    `${home}/n/1`,
  ],
];

test.each(notices)("%o says what happened and leads to what to do", async (notice, says, url) => {
  const { subject, text, html } = await renderNotice(notice, home);
  expect(subject).toMatch(/Rollcall|Weekly: 214 joined, 12 left/);
  expect(text).toContain(says);
  expect(text.split("\n").filter((line) => line === url)).toHaveLength(1);
  expect(html).toContain(`href="${url}"`);
  expect(html).not.toMatch(/<img|<script|<link|url\(/);
});
