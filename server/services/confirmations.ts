import type { ConfirmationClaims } from "../auth/signed-links";
import type { Db, Tx } from "../db/client";
import {
  cancelMails,
  deletePerson,
  findLinked,
  insertEvent,
  type LinkedRow,
  liftSuppression,
  lockPerson,
  setConfirmed,
  setUnsubscribed,
  suppress,
  wasRemovedBy,
} from "../db/confirmations";
import { parseEmail } from "../domain/email";
import { mayMove, type Status } from "../domain/status-moves";
import { AppError } from "../errors";
import { record } from "./audit";
import { type Ctx, withTransaction } from "./context";

/**
 * Where a person stands who follows a link.
 * denied: said "this wasn't me". suppressed: said so earlier and was put on the list again since.
 * outdated: the newsletter has changed the address since this link was mailed. gone: nobody is there any more.
 */
export type Standing =
  | "pending"
  | "active"
  | "unsubscribed"
  | "denied"
  | "suppressed"
  | "expired"
  | "outdated"
  | "gone";

export type Confirmation = {
  standing: Standing;
  newsletter: {
    name: string;
    language: string;
    timeZone: string;
    replyTo: string | null;
    nextUrl: string | null;
  };
  /** The person's address; null when they are gone or the link is outdated: then it is not the reader's to see. */
  email: string | null;
  confirmedAt: Date | null;
  /** The link has not expired: its buttons work. */
  fresh: boolean;
  /** A newer link than this one has been sent, or is about to be. */
  renewed: boolean;
};

/** What a button did. `done`: this press did it; otherwise `standing` says how things are instead. */
export type Outcome = Confirmation & { done: boolean };

type Acting = Pick<Ctx, "db" | "actor" | "requestId">;

/** In the audit log, the only trace of a person who said "this wasn't me". */
const DENIED = "subscriber.denied";

/** Whether the link was mailed to the mailbox that the person has now: only then does its holder speak for them. */
function reaches({ mailedTo, emailCanonical }: LinkedRow): boolean {
  const validation = mailedTo === null ? null : parseEmail(mailedTo);
  return validation?.ok === true && validation.canonical === emailCanonical;
}

async function standingOf(db: Db | Tx, claims: ConfirmationClaims, row: LinkedRow): Promise<Standing> {
  if (row.status === null) return (await wasRemovedBy(db, DENIED, row.accountId, claims)) ? "denied" : "gone";
  if (!reaches(row)) return "outdated";
  if (row.status !== "pending") return row.status;
  if (row.suppressed) return "suppressed";
  return row.expired ? "expired" : "pending";
}

async function look(
  db: Db | Tx,
  claims: ConfirmationClaims,
): Promise<{ row: LinkedRow; view: Confirmation }> {
  const row = await findLinked(db, claims);
  if (!row) throw new AppError("not_found", "There is no such newsletter.");
  const standing = await standingOf(db, claims, row);
  const { newsletterName: name, language, timeZone, replyTo, nextUrl } = row;
  const hidden = standing === "outdated";
  return {
    row,
    view: {
      standing,
      newsletter: { name, language, timeZone, replyTo, nextUrl },
      email: hidden ? null : row.email,
      confirmedAt: hidden ? null : row.confirmedAt,
      fresh: !row.expired,
      renewed: row.hasLiveLink,
    },
  };
}

/** What a link leads to; changes nothing, since mail scanners open links. @throws AppError not_found */
export async function show(ctx: Pick<Ctx, "db">, claims: ConfirmationClaims): Promise<Confirmation> {
  return (await look(ctx.db, claims)).view;
}

/**
 * Runs `act` as the only decision about this person, in all processes, if they stand where it applies.
 * Whoever comes second, a double click or the other button, finds how things are by then.
 */
function decide(
  ctx: Acting,
  claims: ConfirmationClaims,
  applies: (view: Confirmation) => boolean,
  act: (tx: Tx, row: LinkedRow) => Promise<Partial<Confirmation>>,
): Promise<Outcome> {
  return withTransaction(ctx, async (tx) => {
    await lockPerson(tx, claims);
    const { row, view } = await look(tx, claims);
    if (!applies(view)) return { ...view, done: false };
    return { ...view, ...(await act(tx, row)), done: true };
  });
}

const movable = (ctx: Acting, view: Confirmation, from: Status, to: Status) =>
  view.standing === from && view.fresh && mayMove(from, to, ctx.actor.kind);

function note(
  ctx: Acting,
  tx: Tx,
  { newsletterId, subscriberId }: ConfirmationClaims,
  kind: string,
): Promise<void> {
  const { actor } = ctx;
  const address = "address" in actor ? (actor.address ?? null) : null;
  return insertEvent(tx, { newsletterId, subscriberId, kind, actorKind: actor.kind, address });
}

/** pending → active; mails to the person that have not left yet are taken back. @throws AppError not_found */
export function confirm(ctx: Acting, claims: ConfirmationClaims): Promise<Outcome> {
  const applies = (view: Confirmation) => movable(ctx, view, "pending", "active");
  return decide(ctx, claims, applies, async (tx, row) => {
    const confirmedAt = await setConfirmed(tx, claims);
    await liftSuppression(tx, claims.newsletterId, row.emailCanonical as string);
    await cancelMails(tx, claims);
    await note(ctx, tx, claims, "confirmed");
    return { standing: "active", confirmedAt };
  });
}

/**
 * "This wasn't me": removes the pending person, with their mails and events, and never mails the address for this
 * newsletter again.
 * Somebody who is active stays: of two buttons pressed at once only one may count, so leaving is asked for separately.
 * @throws AppError not_found
 */
export function deny(ctx: Acting, claims: ConfirmationClaims): Promise<Outcome> {
  const applies = (view: Confirmation) => movable(ctx, view, "pending", "unsubscribed");
  return decide(ctx, claims, applies, async (tx, row) => {
    const { newsletterId, subscriberId } = claims;
    await suppress(tx, newsletterId, row.emailCanonical as string, "denied");
    await deletePerson(tx, claims);
    await record(ctx, tx, {
      accountId: row.accountId,
      newsletterId,
      action: DENIED,
      subjectId: subscriberId,
    });
    return { standing: "denied" };
  });
}

/** active → unsubscribed, for whoever finds that somebody has confirmed in their name. @throws AppError not_found */
export function unsubscribe(ctx: Acting, claims: ConfirmationClaims): Promise<Outcome> {
  const applies = (view: Confirmation) => movable(ctx, view, "active", "unsubscribed");
  return decide(ctx, claims, applies, async (tx) => {
    await setUnsubscribed(tx, claims);
    await cancelMails(tx, claims);
    await note(ctx, tx, claims, "unsubscribed");
    return { standing: "unsubscribed" };
  });
}

/**
 * Mails a new link to a pending person whose link has expired, unless a newer one is out already. The outbox holds
 * back what would be too often.
 * @throws AppError not_found
 */
export function renew(ctx: Acting & Pick<Ctx, "outbox">, claims: ConfirmationClaims): Promise<Outcome> {
  const applies = (view: Confirmation) => view.standing === "expired" && !view.renewed;
  return decide(ctx, claims, applies, async (tx, row) => {
    const { newsletterId, subscriberId } = claims;
    const to = { toEmail: row.email as string, canonical: row.emailCanonical as string };
    // Whoever asks for a mail reads there, whatever a mail server has said of an earlier one.
    await liftSuppression(tx, newsletterId, to.canonical);
    await ctx.outbox.post(tx, [{ newsletterId, subscriberId, ...to }]);
    return { renewed: true };
  });
}
