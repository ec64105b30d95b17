import { expect, it, onTestFinished } from "vitest";
import { createTestDatabase } from "../../server/test/database";
import { openDatabaseLine } from "../../server/test/database-line";
import { staffAt } from "../fixtures/staff";
import { type LogStage, MARK, OWNER, playRound, rejections, WEBHOOK_SECRET } from "./log-traffic";
import { siteForTest, until } from "./site";

const REJECTIONS = 500;

const ADDRESS = /[A-Za-z0-9._%+'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/;
const SHAPES = [
  ADDRESS,
  new RegExp(OWNER.password),
  /sk_[0-9A-Za-z]{32}/,
  /\bre_\w{8,}/,
  /whsec_\w/,
  /[A-Za-z0-9_-]{92}/,
  /session_token=/,
  /\$scrypt|scrypt:/,
];

/** Finds the mark, a secret that the server gave out, or the shape of a secret or address. */
function leakIn(line: string, issued: Set<string>): string | undefined {
  if (line.toLowerCase().includes(MARK)) return MARK;
  const shape = SHAPES.find((one) => one.test(line));
  return shape ? String(shape) : line.match(/[\w%.+/=-]{16,}/g)?.find((word) => issued.has(word));
}

const OUTAGE = /"msg":"[^"]*(?:connection lost|jobs: the database|an error of the service)/;
/** Each part of the traffic has logged something. */
const PARTS = [
  /"msg":"rejected/,
  /"msg":"mail: accepted by the provider/,
  /"msg":"mail: (?:will be retried|rejected)/,
  /"msg":"mail: Resend reports/,
  OUTAGE,
];

it("under mixed load, faults of the provider and an outage of the database, the log at its finest holds no key, password, token, cookie or bare address", async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const line = await openDatabaseLine(url);
  onTestFinished(() => line.close());
  const withPassword = Object.assign(new URL(line.url), { password: `${MARK}-of-the-database` });
  const settings = {
    DATABASE_URL: withPassword.href,
    AUTH_SECRET: `${MARK} signs links and sessions and is long`,
    HEALTH_TOKEN: `${MARK} shows how each part does, and is long`,
    RESEND_API_KEY: `re_${MARK}`,
    RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET,
    MAIL_FROM: `Rollcall <a${MARK}@list.example>`,
    LOG_LEVEL: "trace",
  };
  const { first, fake, key, newsletterId } = await siteForTest(
    { onTestFinished },
    { database: { url }, settings },
  );
  onTestFinished(() => line.fix());
  const staff = await staffAt(first.url, OWNER.email, OWNER.password);
  const stage: LogStage = { url: first.url, key, newsletterId, fake, staff, issued: new Set([key]) };

  const play = () => [playRound(stage), rejections(stage, REJECTIONS), rejections(stage, REJECTIONS)];
  await Promise.all(play());
  // Requests that the outage cuts off leak nothing.
  const second = Promise.allSettled(play());
  const before = first.output().length;
  line.cut();
  await until("a line about the outage", () => OUTAGE.test(first.output().slice(before)));
  line.fix();
  await second;
  fake.heal();
  // The last emails are sent a moment later.
  await until("a line of each part", () => PARTS.every((part) => part.test(first.output())));
  const lines = first.output().split("\n");
  expect(lines.length).toBeGreaterThan(2 * REJECTIONS);
  const leaks = lines.map((text) => ({ leak: leakIn(text, stage.issued), text: text.slice(0, 2_000) }));
  expect(leaks.filter(({ leak }) => leak)).toEqual([]);
});
