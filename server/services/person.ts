import type { ConfirmationClaims } from "../auth/signed-links";
import type { Ctx } from "../context";
import { findPerson } from "../db/people";
import { listEvents } from "../db/people-acts";
import { AppError } from "../errors";
import { presentPerson } from "./people";

type LinkMaker = (claims: ConfirmationClaims) => string;

/** What happened to a person; `kind` is worded in the browser. */
export type Happening = {
  id: string;
  at: Date;
  kind: string;
  by: { kind: string; name: string | null } | null;
  address: string | null;
  mail: {
    id: string;
    state: string;
    reason: string | null;
    heldUntil: Date | null;
    linkExpiresAt: Date;
  } | null;
};

/** States of mails whose link is somebody's to follow. */
const LINKED = ["waiting", "held", "kept", "sending", "sent", "failed", "uncertain"];

const gone = () => new AppError("not_found", "This person is not on the roll any more.");

/** A person with what happened to them, newest first. @throws AppError not_found, also for another newsletter's */
export async function getPerson(ctx: Pick<Ctx, "db">, newsletterId: string, id: string) {
  const [row, events, mails] = await Promise.all([
    findPerson(ctx.db, newsletterId, id),
    listEvents(ctx.db, newsletterId, id),
    ctx.db.mail.findMany({
      where: { newsletterId, subscriberId: id },
      orderBy: { id: "desc" },
      take: 100,
      omit: { html: true, text: true },
    }),
  ]);
  if (!row) throw gone();
  const happenings: Happening[] = [
    ...events.map((event) => ({
      id: event.id,
      at: event.at,
      kind: event.kind,
      by: { kind: event.actorKind, name: event.actorName },
      address: event.address,
      mail: null,
    })),
    ...mails.map((mail) => ({
      id: mail.id,
      at: mail.settledAt ?? mail.packedAt ?? mail.createdAt,
      kind: `mail.${mail.state}`,
      by: null,
      address: null,
      mail: {
        id: mail.id,
        state: mail.state,
        reason: mail.errorMessage,
        heldUntil: mail.heldUntil,
        linkExpiresAt: mail.linkExpiresAt,
      },
    })),
    {
      id: row.id,
      at: row.createdAt,
      kind: "created",
      by: { kind: row.source, name: row.sourceName },
      address: null,
      mail: null,
    },
  ];
  happenings.sort((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1));
  return { person: presentPerson(row), happenings };
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
      state: { in: LINKED },
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
