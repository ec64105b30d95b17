import { record } from "../accounts/audit";
import { getNewsletter } from "../accounts/newsletters";
import type { ConfirmationClaims } from "../mail/signed-links";
import { includeStored } from "../subscribers/include-members";
import type { ActivityRecord } from "../subscribers/schema/activities";
import { exportSubscriberMails } from "../subscribers/shared-queries";
import { formatTime, formatTimeOrNull, presentSubscriber } from "../subscribers/subscribers";
import { listActivities } from "../subscribers/timeline";
import { findSuppression } from "../suppressions/shared-queries";
import { forPerson, type LinkCtx } from "./preferences";

/** The largest number of entries in the file. Hardly any person has more. */
const EVERYTHING = 100_000;

/** Returns an activity without the staff member behind it and without staff's IP address. */
const withoutStaff = ({ by, address, detail, ...activity }: ActivityRecord) => {
  const { imported_by: _, ...rest } = detail;
  const isOwn = by?.kind === "person" || by?.kind === "page";
  return { ...activity, by: by?.kind ?? null, address: isOwn ? address : null, detail: rest };
};

/** Returns a newsletter's data about a person, as a file for that person. The audit log records the download. */
export function downloadOwnData(ctx: LinkCtx, claims: ConfirmationClaims) {
  return forPerson(ctx, claims, async (tx, person) => {
    const { newsletterId, id, createdAt, confirmedAt, unsubscribedAt, updatedAt, emailCanonical } = person;
    const { accountId, name } = await getNewsletter(tx, newsletterId);
    const [described] = await includeStored(
      { ...ctx, tx },
      {
        newsletterId,
        records: [presentSubscriber(person, createdAt)],
        include: { fields: true, tags: true, subscribed_at: true, external_id: true },
      },
    );
    const all = { limit: EVERYTHING, after: null };
    const { items: records } = await listActivities({ db: tx }, { newsletterId, id, ...all });
    const suppression = await findSuppression(tx, newsletterId, emailCanonical);
    const mails = await exportSubscriberMails(tx, newsletterId, id);
    await record(ctx, tx, { accountId, newsletterId, action: "subscriber.exported", subjectId: id });
    return {
      exported_at: formatTime(new Date()),
      newsletter: name,
      person: {
        ...described,
        added_through: person.source,
        confirmed_at: formatTimeOrNull(confirmedAt),
        unsubscribed_at: formatTimeOrNull(unsubscribedAt),
        updated_at: formatTimeOrNull(updatedAt),
      },
      suppression: suppression && { reason: suppression.reason, since: formatTime(suppression.createdAt) },
      activities: records.reverse().map(withoutStaff),
      mails: mails.map((mail) => ({
        id: mail.id,
        kind: mail.kind,
        to: mail.toEmail,
        subject: mail.subject,
        state: mail.state,
        asked_at: formatTime(mail.createdAt),
        finished_at: formatTimeOrNull(mail.finishedAt),
        delivered_at: formatTimeOrNull(mail.deliveredAt),
        bounced_at: formatTimeOrNull(mail.bouncedAt),
        complained_at: formatTimeOrNull(mail.complainedAt),
      })),
    };
  });
}
