import { expect, it } from "vitest";
import { staffAt } from "../fixtures/staff";
import { Ledger, type Person, playStep, randomOf, type Stage, WEBHOOK_SECRET } from "./consent-steps";
import { siteForTest } from "./site";

/** 100,000 in the run that the rule was accepted with; one step takes 5 to 40 ms. */
const STEPS = Number(process.env.CONSENT_STEPS ?? 1_500);
const SEED = Number(process.env.CONSENT_SEED ?? 20_261_121);
const ROUND = 400;
const AT_ONCE = 8;

it(`of ${STEPS} random steps over every adapter, in two processes: nobody who left is active without a press of theirs`, {
  timeout: 120_000 + STEPS * 120,
}, async (test) => {
  const site = await siteForTest(test, {
    database: "shared",
    settings: { RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET },
  });
  await site.sql("UPDATE newsletters SET send_delay_seconds = 0");
  const stage: Stage = {
    site,
    processes: [site.first, await site.start()],
    staff: await staffAt(site.first.url, "ada@lovelace.org", "correct horse battery"),
    ledger: new Ledger(),
    random: randomOf(SEED),
    people: [],
    undoable: [],
    suppressions: [],
    changesAddresses: false,
    round: -1,
  };
  for (let done = 0; done < STEPS; done += ROUND) {
    stage.changesAddresses = !stage.changesAddresses;
    stage.round++;
    stage.people = await site.sql<Person>(
      "SELECT id, email, version FROM subscribers ORDER BY id DESC LIMIT 200",
    );
    // How often one person is mailed is another promise; here the same people are asked all day long.
    await site.sql("TRUNCATE mail_throttle, mail_budgets");
    let left = Math.min(ROUND, STEPS - done);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) await playStep(stage);
      }),
    );
    const active = await site.sql<{ email: string }>("SELECT email FROM subscribers WHERE status = 'active'");
    const wronged = active.flatMap(({ email }) => stage.ledger.objection(email) ?? []);
    expect(wronged, `after ${done + ROUND} steps`).toEqual([]);
    const suppressed = await site.sql(
      `SELECT s.email, x.reason FROM subscribers s JOIN suppressions x ON x.newsletter_id = s.newsletter_id
         AND x.digest = address_digest(s.newsletter_id, s.email_canonical) WHERE s.status = 'active'`,
    );
    expect(suppressed, `after ${done + ROUND} steps`).toEqual([]);
  }
  // The steps did what the test is about.
  const returned = await site.sql("SELECT 1 FROM subscriber_events WHERE kind = 'confirmed'");
  expect(returned.length).toBeGreaterThan(STEPS / 400);
  expect(stage.ledger.size).toBeGreaterThan(STEPS / 50);
  const brought = await site.sql(
    "SELECT 1 FROM imports WHERE (counts ->> 'new_unsubscribed')::int > 0 AND number > 0",
  );
  expect(brought.length).toBeGreaterThan(STEPS / 400);
  await expectTheDatabaseRefuses(site);
});

/** Tries by hand, on everybody who left, what no service does. */
async function expectTheDatabaseRefuses({ sql, newsletterId }: Pick<Stage["site"], "sql" | "newsletterId">) {
  const gone = await sql<Person>(
    "SELECT id, email, version FROM subscribers WHERE unsubscribed_at IS NOT NULL LIMIT 50",
  );
  expect(gone.length).toBeGreaterThan(0);
  for (const { id, email } of gone) {
    const refused = (text: string, values: unknown[]) => expect(sql(text, values)).rejects.toThrow();
    await refused("UPDATE subscribers SET status = 'active', unsubscribed_at = NULL WHERE id = $1", [id]);
    await refused("UPDATE subscribers SET status = 'pending', unsubscribed_at = NULL WHERE id = $1", [id]);
    await refused(
      `WITH gone AS (DELETE FROM subscribers WHERE id = $1)
       INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source) VALUES ($2, gen_random_uuid(), $3, lower($3), 'active', 'api')`,
      [id, newsletterId, email],
    );
    await sql("DELETE FROM subscribers WHERE id = $1", [id]);
    await refused(
      `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source) VALUES ($1, gen_random_uuid(), $2, lower($2), 'active', 'api')`,
      [newsletterId, email],
    );
    await refused(
      "DELETE FROM suppressions WHERE source = 'person' AND digest = address_digest($1, lower($2))",
      [newsletterId, email],
    );
  }
}
