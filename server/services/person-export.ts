import { findPerson } from "../db/people";
import { listEvents } from "../db/people-acts";
import { AppError } from "../errors";
import type { Ctx } from "./context";
import { presentPerson } from "./people";

/** All that is kept about a person, for them to read: who they are, what happened, every mail word for word. @throws AppError not_found */
export async function everythingAbout(
  { db }: Pick<Ctx, "db">,
  newsletter: { id: string; accountId: string; name: string },
  id: string,
) {
  const [row, kept, events, mails, acts] = await Promise.all([
    findPerson(db, newsletter.id, id),
    db.subscriber.findUnique({
      where: { newsletterId_id: { newsletterId: newsletter.id, id } },
      select: { emailCanonical: true, sourceId: true },
    }),
    listEvents(db, newsletter.id, id),
    db.mail.findMany({
      where: { newsletterId: newsletter.id, subscriberId: id },
      orderBy: { id: "asc" },
      omit: {
        recipientHash: true,
        batchId: true,
        batchPosition: true,
        newsletterId: true,
        staffId: true,
        invitationId: true,
      },
    }),
    db.auditEntry.findMany({
      where: { accountId: newsletter.accountId, subjectId: id },
      orderBy: { id: "asc" },
      select: { at: true, action: true, actorKind: true, address: true, detail: true },
    }),
  ]);
  if (!row || !kept) throw new AppError("not_found", "This person is not on the list any more.");
  const suppression = await db.suppression.findUnique({
    where: {
      newsletterId_emailCanonical: { newsletterId: newsletter.id, emailCanonical: kept.emailCanonical },
    },
    select: { reason: true, createdAt: true },
  });
  return {
    exportedAt: new Date(),
    newsletter: newsletter.name,
    person: { ...presentPerson(row), ...kept },
    notWrittenTo: suppression,
    happened: events.reverse(),
    mails,
    actsOfStaff: acts,
  };
}
