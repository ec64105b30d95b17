import { type Site, until } from "./site";

/** What the provider has by address: how often it accepted a mail to each. */
function arrivals({ fake }: Site): Map<string, number> {
  const times = new Map<string, number>();
  for (const to of fake.mails.flatMap((mail) => mail.to)) times.set(to, (times.get(to) ?? 0) + 1);
  return times;
}

const OPEN = `SELECT (SELECT count(*) FROM mails WHERE state IN ('waiting', 'deferred', 'sending'))
  + (SELECT count(*) FROM mail_batches WHERE finished_at IS NULL) AS open`;

/** Waits until the outbox holds nothing that is still to leave. */
export async function outboxIsEmpty(site: Site, seconds = 90): Promise<void> {
  await until(
    "an empty outbox",
    async () => (await site.sql<{ open: string }>(OPEN))[0]?.open === "0",
    seconds,
  );
}

/** When all has left: who should have one mail from the provider and has none or several, or has one for no reason. */
export async function misdeliveries(site: Site) {
  await outboxIsEmpty(site);
  const pending = await site.sql<{ email: string }>("SELECT email FROM subscribers WHERE status = 'pending'");
  const arrived = arrivals(site);
  const wanted = new Set(pending.map((row) => row.email));
  return {
    missing: [...wanted].filter((email) => !arrived.has(email)),
    twice: [...arrived].filter(([, times]) => times > 1),
    uninvited: [...arrived.keys()].filter((email) => !wanted.has(email)),
    notMarkedSent: await site.sql("SELECT to_email, state, error_message FROM mails WHERE state <> 'sent'"),
    // The provider would say so if one key ever came with two contents.
    mismatches: site.fake.requests.filter((request) => request.name === "invalid_idempotent_request"),
  };
}

export const noMisdeliveries = { missing: [], twice: [], uninvited: [], notMarkedSent: [], mismatches: [] };
