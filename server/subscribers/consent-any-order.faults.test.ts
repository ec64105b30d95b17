import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Ledger, type Place } from "../test/consent-ledger";
import type { Person, Play } from "../test/consent-play";
import { openConsentStage } from "../test/consent-stage";
import { playStep } from "../test/consent-steps";
import { passTime } from "../test/every-job";
import { addNewsletter } from "../test/linked-person";
import { seeded } from "../test/seeded";
import { saveSignUpPage } from "../test/sign-up-fixture";

/** The rule was accepted with a run of 100,000. */
const STEPS = Number(process.env.CONSENT_STEPS ?? 1_000);
const SEED = Number(process.env.CONSENT_SEED ?? 20_261_121);
const ROUND = 200;
const AT_ONCE = 8;
/** The time that passes between rounds: undos and links expire, reminders and removals become due. */
const SPANS = ["10 minutes", "10 minutes", "25 hours", "4 days", "8 days", "91 days"] as const;

let play: Play;
beforeAll(async () => {
  const stage = await openConsentStage();
  const { accountId, newsletterId } = stage;
  const other = await addNewsletter(stage.app.db, { accountId });
  play = {
    ...stage,
    newsletterIds: [newsletterId, other.id],
    ledger: new Ledger(),
    random: seeded(SEED),
    ...{ people: [], touched: [], undoable: [], suppressions: [], changesAddresses: false, round: -1 },
  };
  await saveSignUpPage(stage.app.db, newsletterId);
  await play.sql(
    `UPDATE newsletters SET send_delay_seconds = 0, domain_mails_per_day = 100000, mails_per_day = 1000000,
       pending_reminder = true, pending_days = 7`,
  );
});
afterAll(() => play.close());

/** Runs steps, several at a time, and delivers emails meanwhile. */
async function playRound(steps: number): Promise<void> {
  play.round++;
  play.changesAddresses = play.round % 3 === 2;
  play.people = await play.sql<Person>(
    `SELECT newsletter_id AS "newsletterId", id, email, version FROM subscribers ORDER BY id DESC LIMIT 80`,
  );
  // Other tests cover how often a person receives email. Here the same people receive emails all day.
  await play.sql("TRUNCATE mail_throttle, mail_budgets");
  // Erasing requires a recent sign-in.
  await play.sql("UPDATE staff_sessions SET created_at = now()");
  let left = steps;
  const playing = Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await playStep(play);
    }),
  );
  for (let isOver = false; !isOver; ) {
    await play.jobs.runDue("mail-batch", "mail-send");
    isOver = await Promise.race([playing.then(() => true), sleep(50, false)]);
  }
}

/** Active people who opted out according to the steps, or whose address is suppressed. */
async function findWronged(): Promise<unknown[]> {
  const active = await play.sql<Place>(
    `SELECT newsletter_id AS "newsletterId", email FROM subscribers WHERE status = 'active'`,
  );
  const suppressed = await play.sql(
    `SELECT s.email, x.reason FROM subscribers s JOIN suppressions x ON x.newsletter_id = s.newsletter_id
       AND x.digest = address_digest(s.newsletter_id, s.email_canonical) WHERE s.status = 'active'`,
  );
  return [...active.flatMap((place) => play.ledger.objection(place) ?? []), ...suppressed];
}

/** How often the run reached each case of the test; some data is only kept for a while. */
const countSeen = () =>
  play.sql<{ what: string; times: number }>(
    `SELECT 'confirmed' AS what, count(*)::int AS times FROM subscriber_events WHERE kind = 'confirmed'
     UNION ALL SELECT 'bulk actions undone', count(*)::int FROM bulk_actions WHERE undone > 0
     UNION ALL SELECT 'imports undone', count(*)::int FROM imports WHERE state = 'undone'
     UNION ALL SELECT 'imports of who left', count(*)::int FROM imports WHERE (counts ->> 'new_unsubscribed')::int > 0 AND number > 0`,
  );

test(`no timer, undo, import or bulk action makes anyone active who said no, in any order: ${STEPS} random steps`, {
  timeout: 120_000 + STEPS * 400,
}, async () => {
  const seen = new Map<string, number>();
  for (let done = 0; done < STEPS; done += ROUND) {
    await playRound(Math.min(ROUND, STEPS - done));
    expect(await findWronged(), `after ${done + ROUND} steps`).toEqual([]);
    for (const { what, times } of await countSeen()) seen.set(what, Math.max(seen.get(what) ?? 0, times));
    const span = SPANS[play.round % SPANS.length] as string;
    await passTime(play.databaseUrl, span);
    await play.jobs.runAll();
    expect(await findWronged(), `after ${done + ROUND} steps, ${span} and all jobs`).toEqual([]);
  }
  expect(play.ledger.size).toBeGreaterThan(STEPS / 20);
  for (const [what, times] of seen) expect(times, what).toBeGreaterThan(0);
});
