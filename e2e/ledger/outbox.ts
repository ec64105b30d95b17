import { type Site, until } from "../process/site";

const OPEN = `SELECT (SELECT count(*) FROM mails WHERE state IN ('waiting', 'sending'))
  + (SELECT count(*) FROM mail_batches WHERE finished_at IS NULL) AS open`;

const FACTS = `SELECT concat_ws('; ',
  (SELECT string_agg(concat(count, ' mails ', state), ', ') FROM (
    SELECT state, count(*) FROM mails WHERE state IN ('waiting', 'deferred', 'sending') GROUP BY state) AS mails),
  (SELECT concat(count(*), ' batches due in ', min(extract(epoch FROM next_attempt_at - now())::int), ' to ',
    max(extract(epoch FROM next_attempt_at - now())::int), ' s') FROM mail_batches WHERE finished_at IS NULL HAVING count(*) > 0),
  (SELECT string_agg(concat(count, ' jobs ', name, ' ', state, ' due in ', due, ' s'), ', ') FROM (
    SELECT name, state, count(*), min(extract(epoch FROM start_after - now())::int) AS due FROM pgboss.job
    WHERE state < 'completed' AND name LIKE 'mail-%' GROUP BY name, state) AS jobs)) AS facts`;

/** The emails that wait, and when they are due. */
async function whatIsOpen(site: Site): Promise<string> {
  return (await site.sql<{ facts: string }>(FACTS))[0]?.facts || "Nothing waits.";
}

/**
 * Waits until all mails have left, however long that takes at the provider's pace. Stranded is what is still there when
 * nothing has moved for `seconds`.
 */
async function settle(site: Site, seconds = 180): Promise<string[]> {
  let least = Number.POSITIVE_INFINITY;
  let movedAt = performance.now();
  const isOver = async () => {
    const open = Number((await site.sql<{ open: string }>(OPEN))[0]?.open);
    if (open < least) movedAt = performance.now();
    least = Math.min(least, open);
    return least === 0 || performance.now() - movedAt > seconds * 1000;
  };
  await until("an empty outbox", isOver, 3600);
  return least === 0 ? [] : [`The outbox stood still for ${seconds} s: ${await whatIsOpen(site)}`];
}

/**
 * When all has left: pending people without a mail, addresses with two, mails to people who need none, mails that are
 * neither sent nor cancelled, keys that came to the provider with two contents.
 */
export async function strandedMails(site: Site, seconds = 180): Promise<string[]> {
  const stuck = await settle(site, seconds);
  const people = await site.sql<{ email: string; status: string }>("SELECT email, status FROM subscribers");
  const arrived = new Map<string, number>();
  for (const to of site.fake.mails.flatMap((mail) => mail.to)) arrived.set(to, (arrived.get(to) ?? 0) + 1);
  const open = await site.sql<{ to_email: string; state: string }>(
    "SELECT to_email, state FROM mails WHERE state NOT IN ('sent', 'delivered', 'cancelled')",
  );
  return [
    ...stuck,
    ...people
      .filter(({ email, status }) => status === "pending" && !arrived.has(email))
      .map(({ email }) => `${email} has no mail`),
    // Unsubscribed people may have received an email before. Active people never receive one.
    ...people
      .filter(({ email, status }) => status === "active" && arrived.has(email))
      .map(({ email }) => `${email} needed no mail`),
    ...[...arrived].filter(([, times]) => times > 1).map(([email, times]) => `${email} has ${times} mails`),
    ...open.map(({ to_email, state }) => `the mail to ${to_email} is ${state}`),
    ...site.fake.requests
      .filter((request) => request.name === "invalid_idempotent_request")
      .map((request) => `the key ${request.key} came with two contents`),
  ];
}
