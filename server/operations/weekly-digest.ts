import { listNewsletters } from "../accounts/shared-queries";
import { WEEK_MS } from "../kernel/time";
import type { NotifyStaff } from "../mail/notices";
import { countAttention } from "../mail-log/shared-queries";
import type { Db } from "../platform/db/client";
import type { NewsletterWeek } from "../staff/schema/staff-notices";
import { countActiveSince, countByStatus } from "../subscribers/shared-queries";
import { countConfirmed, type DigestReader, listDigestsDue, noteDigest } from "./queries/digests";

/** The most newsletters in one digest. */
const MOST = 30;

/**
 * Writes the weekly digest to all staff members who want one and have not received this week's. After a crash, the next
 * run writes the rest.
 */
export async function sendWeeklyDigests(
  { db, notify }: { db: Db; notify: NotifyStaff },
  closing?: AbortSignal,
): Promise<void> {
  const weeks = new Map<string, Promise<NewsletterWeek[]>>();
  for (const reader of await listDigestsDue(db)) {
    if (closing?.aborted) return;
    const { accountId } = reader;
    const week = weeks.get(accountId) ?? weekOf(db, accountId);
    weeks.set(accountId, week);
    await writeDigest({ db, notify }, reader, await week);
  }
}

function writeDigest(
  { db, notify }: { db: Db; notify: NotifyStaff },
  reader: DigestReader,
  newsletters: NewsletterWeek[],
): Promise<void> {
  return db.$transaction(async (tx) => {
    if ((await noteDigest(tx, reader)) && newsletters.length > 0)
      await notify(tx, reader, { kind: "digest", newsletters });
  });
}

/** Returns the last 7 days of an account's newsletters that are not archived, oldest newsletter first. */
async function weekOf(db: Db, accountId: string): Promise<NewsletterWeek[]> {
  const since = new Date(Date.now() - WEEK_MS);
  const weeks: NewsletterWeek[] = [];
  const open = (await listNewsletters(db, accountId)).filter(({ archivedAt }) => archivedAt === null);
  for (const { id, name } of open.slice(0, MOST)) {
    const [{ active }, moves, confirmed, mails] = await Promise.all([
      countByStatus(db, id),
      countActiveSince(db, id, since),
      countConfirmed(db, id, since),
      countAttention(db, id),
    ]);
    const { failed = 0, uncertain = 0, bounced = 0 } = mails;
    weeks.push({ id, name, active, ...moves, confirmed, mails: failed + uncertain + bounced });
  }
  return weeks;
}
