import { type Site, until } from "../process/site";

const OPEN = `SELECT (SELECT count(*) FROM mails WHERE state IN ('waiting', 'sending'))
  + (SELECT count(*) FROM mail_batches WHERE finished_at IS NULL) AS open`;

/** So long the oldest lease and its retry may take. */
const PATIENCE_MS = 180_000;

/** Waits until all emails have left, at the provider's pace. @returns how many are left when nothing has moved for long */
async function settle(site: Site): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  let movedAt = performance.now();
  const isOver = async () => {
    const open = Number((await site.sql<{ open: string }>(OPEN))[0]?.open);
    if (open < least) movedAt = performance.now();
    least = Math.min(least, open);
    return least === 0 || performance.now() - movedAt > PATIENCE_MS;
  };
  await until("an empty outbox", isOver, 3600);
  return least;
}

/**
 * When all has left: pending people without a mail, addresses with two, mails to people who need none, mails that are
 * neither sent nor cancelled, keys that came to the provider with two contents.
 */
export async function strandedMails(site: Site): Promise<string[]> {
  const stuck = await settle(site);
  const people = await site.sql<{ email: string; status: string }>("SELECT email, status FROM subscribers");
  const arrived = new Map<string, number>();
  for (const to of site.fake.mails.flatMap((mail) => mail.to)) arrived.set(to, (arrived.get(to) ?? 0) + 1);
  const open = await site.sql<{ to_email: string; state: string }>(
    "SELECT to_email, state FROM mails WHERE state NOT IN ('sent', 'delivered', 'cancelled')",
  );
  return [
    ...(stuck > 0 ? [`${stuck} emails and batches did not move for ${PATIENCE_MS / 1000} s`] : []),
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
