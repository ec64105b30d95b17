import { linkedStates } from "../../mail/schema/mail-states";
import type { Db, Tx } from "../../platform/db/client";

/** All mails to a subscriber with their texts, oldest first, for the subscriber's data export. */
export function exportSubscriberMails(db: Db | Tx, newsletterId: string, subscriberId: string) {
  return db.mail.findMany({
    where: { newsletterId, subscriberId },
    orderBy: { id: "asc" },
    omit: {
      recipientHash: true,
      batchId: true,
      batchPosition: true,
      newsletterId: true,
      staffId: true,
      invitationId: true,
    },
  });
}

/** The newest confirmation to a pending subscriber, or null. */
export function findLinkedMail(db: Db, newsletterId: string, subscriberId: string) {
  return db.mail.findFirst({
    where: {
      newsletterId,
      subscriberId,
      kind: "confirmation",
      state: { in: linkedStates },
      subscriber: { status: "pending" },
    },
    orderBy: { id: "desc" },
    select: { id: true, state: true, createdAt: true, linkExpiresAt: true },
  });
}

/** The subscribers with a confirmation that is not sent yet. */
export async function findAwaitingMail(
  tx: Db | Tx,
  newsletterId: string,
  ids: string[],
): Promise<Set<string>> {
  const rows = await tx.mail.findMany({
    where: {
      newsletterId,
      subscriberId: { in: ids },
      kind: "confirmation",
      state: { in: ["waiting", "deferred", "sending"] },
    },
    select: { subscriberId: true },
  });
  return new Set(rows.flatMap(({ subscriberId }) => subscriberId ?? []));
}
