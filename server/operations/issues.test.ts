import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { diskFull, toAppError } from "../kernel/errors";
import { type HttpApp, openHttpApp } from "../test/http-app";

let opened: HttpApp;
beforeEach(async () => {
  opened = await openHttpApp();
});
afterEach(async () => {
  diskFull.at = null;
  await opened.close();
});

async function health({ origin } = opened) {
  const answer = await fetch(`${origin}/api/health`);
  return {
    code: answer.status,
    ...((await answer.json()) as { status: string; issues: string[]; delivery: object }),
  };
}

test("health is ok without issues, and reports a full disk for one minute", async () => {
  expect(await health()).toMatchObject({ code: 200, status: "ok", issues: [] });
  toAppError(Object.assign(new Error("could not extend file"), { code: "53100" }));
  const full = await health();
  expect(full).toMatchObject({
    code: 200,
    status: "degraded",
    issues: [expect.stringContaining("disk is full")],
  });
  diskFull.at = Date.now() - 61_000;
  expect(await health()).toMatchObject({ status: "ok", issues: [] });
});

test("health counts overdue emails, and reports how long the oldest has waited", async () => {
  const { db } = opened.app;
  await db.$executeRaw`INSERT INTO mail_batches (id, payload, size, next_attempt_at)
    SELECT gen_random_uuid(), '[]', 1, now() + span
    FROM unnest(ARRAY['-6 minutes', '-4 minutes', '14 minutes']::interval[]) AS span`;
  await db.$executeRaw`INSERT INTO mails (id, kind, to_email, recipient_hash, state, newsletter_id, staff_id, created_at, link_expires_at, subject, html, text)
    SELECT gen_random_uuid(), 'test', 'ada@lovelace.org', 'x', 'waiting', ${opened.newsletterId}::uuid, (SELECT id FROM staff_members), now() - interval '1000 seconds', now() + interval '7 days', 's', 'h', 't'`;
  const found = await health();
  expect(found).toMatchObject({ status: "degraded", delivery: { overdueSends: 1 } });
  const { oldestWaitingSeconds } = found.delivery as { oldestWaitingSeconds: number };
  expect(oldestWaitingSeconds).toBeGreaterThanOrEqual(1000);
  expect(oldestWaitingSeconds).toBeLessThan(1100);
  expect(found.issues).toEqual([expect.stringMatching(/^1 sends/)]);
});

test("health reports a proxy that TRUST_PROXY does not name", async () => {
  const other = await openHttpApp({ TRUST_PROXY: "off" });
  onTestFinished(other.close);
  await fetch(`${other.origin}/api/health`, { headers: { "X-Forwarded-For": "198.51.100.1" } });
  expect((await health(other)).issues).toEqual([expect.stringContaining("set TRUST_PROXY")]);
});
