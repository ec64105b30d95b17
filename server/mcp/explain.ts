import type { SkipReason } from "../bulk-actions/schema/bulk-actions";
import type { ConfirmationRecord } from "../mail/schema/confirmation-states";
import type { Ctx } from "../subscribers/context";
import { includeMembers } from "../subscribers/include-members";
import { getPerson } from "../subscribers/person";
import {
  type ActivityPlace,
  type ActivityRecord,
  writeActivityCursor,
} from "../subscribers/schema/activities";
import type { SubscriberRecord } from "../subscribers/schema/subscriber";
import { getSubscriber } from "../subscribers/subscribers";
import { listActivities } from "../subscribers/timeline";
import { suppressionSentences } from "../suppressions/schema/suppression-messages";

const ACTIVITIES = 20;

const statusSentences = {
  active: "The person is subscribed and receives the newsletter.",
  pending: "The person has not confirmed yet, so they receive no newsletter.",
  unsubscribed: "The person opted out. Only they can resubscribe, by confirming from their own inbox.",
};

const confirmationSentences: Record<ConfirmationRecord["state"], string> = {
  none: "No confirmation email was ever requested.",
  queued: "The confirmation email is sent within seconds.",
  held: "The confirmation email is held.",
  sent: "The confirmation email was sent.",
  delivered: "The confirmation email was delivered.",
  bounced: "The confirmation email bounced.",
  complained: "The person reported the confirmation email as spam.",
  failed: "The confirmation email could not be sent.",
  uncertain: "The email provider's answer was unclear, so the confirmation email may have been sent.",
  cancelled: "The confirmation email was cancelled.",
};

/** Why a pending person can't be sent another confirmation email. */
const obstacleSentences: Partial<Record<SkipReason, string>> = {
  not_to_be_mailed: "The address is suppressed, so no further confirmation email is sent.",
  on_its_way: "A confirmation email is already queued, so no further one is sent.",
  asked_lately: "The last confirmation email was requested less than a minute ago.",
  asked_often: "Three confirmation emails were requested today, which is the limit.",
};

/** An activity without IP addresses, which explain nothing. */
function withoutIp({ type, at, by, detail: { evidence, ...detail } }: ActivityRecord) {
  const { ip: _, ...rest } = evidence ?? {};
  return { type, at, by, detail: evidence ? { ...detail, evidence: rest } : detail };
}

/** A person with status, history, note, and sentences that say why an email was or was not sent. @throws AppError not_found */
export async function explainPerson(
  ctx: Ctx,
  { newsletterId, id, after }: { newsletterId: string; id: string; after: ActivityPlace | null },
) {
  const of = { newsletterId, id };
  const record = await getSubscriber(ctx, of);
  const include = { fields: true, tags: true, subscribed_at: true, external_id: true, confirmation: true };
  const [records, { person, note }, activities] = await Promise.all([
    includeMembers(ctx, { newsletterId, records: [record], include }),
    getPerson(ctx, of),
    listActivities(ctx, { ...of, limit: ACTIVITIES, after }),
  ]);
  const [shown = record] = records;
  return {
    person: shown,
    explanation: sentencesOf(shown, person),
    suppression: person.suppression?.reason ?? null,
    note: note?.text || null,
    activity: activities.items.map(withoutIp),
    next_cursor: activities.next && writeActivityCursor(activities.next),
  };
}

type Obstacles = Pick<Awaited<ReturnType<typeof getPerson>>["person"], "suppression" | "asking">;

function sentencesOf(
  { status, confirmation }: SubscriberRecord,
  { suppression, asking }: Obstacles,
): string[] {
  const sentences = [statusSentences[status]];
  if (suppression) sentences.push(suppressionSentences[suppression.reason]);
  if (confirmation) {
    const { state, reason, held_until: until } = confirmation;
    sentences.push(confirmationSentences[state]);
    if (reason) sentences.push(`The reason is ${reason}${until ? `, until ${until}` : ""}.`);
  }
  const obstacle = asking && status === "pending" ? obstacleSentences[asking] : undefined;
  if (obstacle) sentences.push(obstacle);
  return sentences;
}
