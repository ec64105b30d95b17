import { type Site, until } from "../process/site";

const OPEN = `SELECT (SELECT count(*) FROM mails WHERE state IN ('waiting', 'sending'))
  + (SELECT count(*) FROM mail_batches WHERE finished_at IS NULL) AS open`;

/** Waits until all mails have left or never will; what is still there after `seconds` is stranded. */
async function settle(site: Site, seconds: number): Promise<string[]> {
  const isEmpty = async () => (await site.sql<{ open: string }>(OPEN))[0]?.open === "0";
  return until("an empty outbox", isEmpty, seconds).then(
    () => [],
    (error: Error) => [error.message],
  );
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
    // Who unsubscribed may have been mailed before; who was created as active never is.
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
