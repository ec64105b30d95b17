import type { Db, Tx } from "../../platform/db/client";
import { isTight } from "./mail-budgets";
import { isThrottled } from "./mail-throttle";

export type NewestConfirmationRow = {
  id: string;
  subscriberId: string;
  state: string;
  code: string | null;
  /** When a deferred mail is due, or the next attempt of a mail whose batch the provider did not accept. */
  until: Date | null;
  /** It may leave now, as far as the mail itself knows. */
  isDue: boolean;
  urgent: boolean;
  recipientHash: string;
  /** The domain of the person's address, in ASCII. */
  domain: string;
  createdAt: Date;
  /** The provider's last report, as in the mail log. */
  report: "complained" | "bounced" | "delivered" | null;
};

/** Reads the newest confirmation of each of these people who has one, in the order in which the mails leave. */
export async function readNewestConfirmations(
  tx: Db | Tx,
  newsletterId: string,
  subscriberIds: string[],
): Promise<NewestConfirmationRow[]> {
  // The mails are read before the join: until a newsletter that grew fast is analyzed, the planner would compare each of
  // its people with each of its mails.
  return tx.$queryRaw<NewestConfirmationRow[]>`
    SELECT m.id, m.subscriber_id AS "subscriberId", m.state, m.error_code AS code,
      coalesce(m.deferred_until, b.next_attempt_at) AS until,
      m.state = 'waiting' OR m.state = 'deferred' AND m.deferred_until <= now() AS "isDue",
      m.urgent, m.recipient_hash AS "recipientHash", split_part(s.email_canonical, '@', 2) AS domain,
      m.created_at AS "createdAt", CASE WHEN m.complained_at IS NOT NULL THEN 'complained'
        WHEN m.bounced_at IS NOT NULL THEN 'bounced' WHEN m.delivered_at IS NOT NULL THEN 'delivered' END AS report
    FROM (
      SELECT DISTINCT ON (subscriber_id) * FROM mails
      WHERE newsletter_id = ${newsletterId}::uuid AND subscriber_id = ANY (${subscriberIds}::uuid[]) AND kind = 'confirmation'
      ORDER BY subscriber_id, id DESC
    ) AS m JOIN subscribers s ON s.newsletter_id = m.newsletter_id AND s.id = m.subscriber_id
    LEFT JOIN mail_batches b ON b.id = m.batch_id AND m.state = 'sending'
    ORDER BY m.urgent DESC, m.id`;
}

/** Due confirmations of one newsletter. `domains`: the budgets that may count them, as `budgetDomain`. */
export type DueConfirmations = {
  newsletterId: string;
  urgentOnly: boolean;
  domains: string[];
  recipientHashes: string[];
};

/** `isLimited`: a limit may hold some of them. `hasOwnProvider`: staff have set up a provider on the dashboard. */
export type Obstacles = { isPaused: boolean; hasOwnProvider: boolean; isLimited: boolean };

/** Finds in one statement whether anything may keep these confirmations from leaving now. */
export async function findObstacles(
  tx: Db | Tx,
  { domains, recipientHashes, ...queue }: DueConfirmations,
): Promise<Obstacles> {
  const [row] = await tx.$queryRaw<[Obstacles]>`
    SELECT EXISTS (SELECT FROM send_pace WHERE paused_at IS NOT NULL) AS "isPaused",
      EXISTS (SELECT FROM mail_service) AS "hasOwnProvider",
      ${isThrottled(recipientHashes)} OR ${isTight(queue, domains)} AS "isLimited"`;
  return row;
}
