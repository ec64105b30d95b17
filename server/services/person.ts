import type { ConfirmationClaims } from "../auth/signed-links";
import { linkedStates } from "../contract/mail-states";
import { findSuppression, forgetBounce } from "../db/confirmations";
import { findPerson } from "../db/people";
import { listEvents, lockPeople } from "../db/people-acts";
import { AppError } from "../errors";
import { record } from "./audit";
import { type Ctx, withTransaction } from "./context";
import { presentPerson } from "./people";
import { timelineOf } from "./timeline";

type LinkMaker = (claims: ConfirmationClaims) => string;

const gone = () => new AppError("not_found", "This person is not on the list any more.");

/** A person with what happened to them, newest first. @throws AppError not_found, also for another newsletter's */
export async function getPerson(ctx: Pick<Ctx, "db">, newsletterId: string, id: string) {
  const [row, sources, suppression, events, mails] = await Promise.all([
    findPerson(ctx.db, newsletterId, id),
    ctx.db.subscriber.findMany({ where: { newsletterId, id }, select: { sourceId: true } }),
    findSuppression(ctx.db, newsletterId, id),
    listEvents(ctx.db, newsletterId, id),
    ctx.db.mail.findMany({
      where: { newsletterId, subscriberId: id },
      orderBy: { id: "desc" },
      take: 100,
      omit: { html: true, text: true },
    }),
  ]);
  if (!row) throw gone();
  const [{ sourceId = null } = {}] = sources;
  return {
    person: { ...presentPerson(row), suppression },
    activities: timelineOf({ ...row, sourceId }, events, mails, new Date()),
  };
}

/**
 * The link of the newest confirmation to a person who is pending.
 * @throws AppError not_found when the person is gone, is not pending or was sent none
 */
export async function confirmationLink(
  ctx: Pick<Ctx, "db">,
  makeLink: LinkMaker,
  newsletterId: string,
  id: string,
) {
  const mail = await ctx.db.mail.findFirst({
    where: {
      newsletterId,
      subscriberId: id,
      kind: "confirmation",
      state: { in: linkedStates },
      subscriber: { status: "pending" },
    },
    orderBy: { id: "desc" },
    select: { id: true, linkExpiresAt: true },
  });
  if (!mail)
    throw new AppError(
      "not_found",
      "There is no confirmation link: this person is not pending, or was never mailed.",
    );
  const expiresAt = mail.linkExpiresAt;
  return { url: makeLink({ newsletterId, subscriberId: id, mailId: mail.id, expiresAt }), expiresAt };
}

/**
 * Writes to an address again that bounced: its mailbox may have been fixed since. What its reader has said is not undone.
 * @throws AppError not_found, validation_error when no bounce stands against it
 */
export async function allowMail(
  ctx: Pick<Ctx, "db" | "actor" | "requestId">,
  newsletter: { id: string; accountId: string },
  id: string,
): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const [person] = await lockPeople(tx, newsletter.id, [id]);
    if (!person) throw gone();
    if (!(await forgetBounce(tx, newsletter.id, person.canonical)))
      throw new AppError("validation_error", "No bounce stands against this address. Nothing was changed.");
    await record(ctx, tx, {
      accountId: newsletter.accountId,
      newsletterId: newsletter.id,
      action: "people.mail_allowed",
      subjectId: id,
    });
  });
}
