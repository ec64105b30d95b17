import type { Db } from "./client";
import { strandedSeconds } from "./mail-batches";

/**
 * Brings back to now what waits for a time that it was never meant to wait for: a machine that had started with a wrong clock
 * would let sends, jobs and pg-boss's own rounds stand still for as long as it was ahead. @returns how many rows
 */
export async function bringBackFromFuture(db: Db): Promise<number> {
  const counts = await db.$transaction([
    db.$executeRaw`
      UPDATE mail_batches SET next_attempt_at = now(), unsure_since = least(unsure_since, now())
      WHERE finished_at IS NULL AND next_attempt_at > now() + ${strandedSeconds} * interval '1 second'`,
    // People wait for at most a day; those of a mailing until it is due.
    db.$executeRaw`
      UPDATE mails SET deferred_until = now() WHERE state = 'deferred' AND deferred_until > now() + interval '25 hours'`,
    db.$executeRaw`
      UPDATE mail_throttle SET allowed_at = (SELECT array_agg(least(at, now()) ORDER BY at) FROM unnest(allowed_at) AS at)
      WHERE EXISTS (SELECT FROM unnest(allowed_at) AS at WHERE at > now() + interval '1 minute')`,
    // Endpoints that fail wait for at most an hour.
    db.$executeRaw`
      UPDATE webhook_endpoints SET next_try_at = now(), failing_since = least(failing_since, now())
      WHERE next_try_at > now() + interval '1 hour 1 minute'`,
    db.$executeRaw`
      UPDATE mailings SET due_at = now() WHERE released_at IS NULL AND cancelled_at IS NULL AND due_at > now() + interval '1 hour'`,
    db.$executeRaw`
      UPDATE pgboss.job SET start_after = now() WHERE state < 'active'
        AND start_after > now() + CASE name WHEN 'mail-batch' THEN interval '25 hours'
          WHEN 'mail-send' THEN ${strandedSeconds} * interval '1 second' ELSE interval '1 hour' END`,
    // Of a worker that died then, nobody would take the job over.
    db.$executeRaw`
      UPDATE pgboss.job SET started_on = now(), heartbeat_on = now() WHERE state = 'active' AND started_on > now() + interval '1 minute'`,
    db.$executeRaw`
      UPDATE pgboss.queue SET monitor_claim_on = NULL, monitor_on = NULL, maintain_on = NULL
      WHERE greatest(monitor_claim_on, monitor_on, maintain_on) > now() + interval '1 minute'`,
    db.$executeRaw`
      UPDATE pgboss.version SET cron_on = NULL, bam_on = NULL, flow_on = NULL, reindex_on = NULL, monitor_backoff_on = NULL
      WHERE greatest(cron_on, bam_on, flow_on, reindex_on, monitor_backoff_on) > now() + interval '10 minutes'`,
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}
