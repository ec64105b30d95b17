import { record } from "../accounts/audit";
import { type Actor, withTransaction } from "../accounts/context";
import { parseEmail } from "../kernel/email";
import { AppError } from "../kernel/errors";
import type { ConfirmationClaims } from "../mail/signed-links";
import type { Db, Tx } from "../platform/db/client";
import { recordConfirmation, recordReturnRequest, suppress } from "../suppressions/shared-queries";
import { postConfirmations } from "./confirmation-requests";
import type { Ctx } from "./context";
import { findLinked, findLinkReader, type LinkedRow, wasRemovedBy } from "./queries/confirmations";
import { forgetUndo } from "./queries/forget-undo";
import { deleteSubscribers, type LockedSubscriber, lockSubscribers } from "./queries/subscribers";
import { setStatus } from "./set-status";
import { mayMove, type Status } from "./status-moves";

/**
 * What a link finds of its subscriber.
 * denied: they said "this wasn't me". suppressed: they said so earlier and were added again since.
 * outdated: the newsletter has changed the address since this link was mailed. gone: there is no such subscriber any more.
 * void: the link was not mailed, and is too old, or its person comes back by a mailed link alone.
 */
export type LinkStatus = Status | "denied" | "suppressed" | "expired" | "outdated" | "gone" | "void";

export type Confirmation = {
  linkStatus: LinkStatus;
  newsletter: {
    name: string;
    language: string;
    timeZone: string;
    replyTo: string | null;
    nextUrl: string | null;
  };
  /** The subscriber's address; null when they are gone or the link is outdated: then the reader must not see it. */
  email: string | null;
  confirmedAt: Date | null;
  /** The link left in a mail, so that whoever has it reads the address. One that was only logged is the staff's to open. */
  mailed: boolean;
  /** The link has not expired: its buttons work. */
  fresh: boolean;
  /** A newer link than this one has been sent, or is about to be. */
  renewed: boolean;
};

/** What a button did. `done`: this request did it; otherwise `linkStatus` is what it found instead. */
export type ConfirmationResult = Confirmation & { done: boolean };

type LinkCtx = Pick<Ctx, "db" | "requestId"> & { actor: Extract<Actor, { kind: "link" }> };

/** In the audit log, the only trace of a person who said "this wasn't me". */
const DENIED = "subscriber.denied";

/** Whether the link was mailed to the address that the subscriber has now: only then does its reader speak for them. */
function isCurrent({ mailedTo, emailCanonical }: LinkedRow): boolean {
  const validation = mailedTo === null ? null : parseEmail(mailedTo);
  return validation?.ok === true && validation.canonical === emailCanonical;
}

async function linkStatusOf(db: Db | Tx, link: ConfirmationClaims, row: LinkedRow): Promise<LinkStatus> {
  if (row.status === null)
    return (await wasRemovedBy(db, DENIED, { accountId: row.accountId, link })) ? "denied" : "gone";
  if (!isCurrent(row)) return "outdated";
  if (row.status !== "pending") return row.status;
  if (row.suppression === "denied") return "suppressed";
  if (!row.mailed && (row.expired || row.left || row.suppression)) return "void";
  return row.expired ? "expired" : "pending";
}

async function read(
  db: Db | Tx,
  claims: ConfirmationClaims,
): Promise<{ row: LinkedRow; view: Confirmation }> {
  const row = await findLinked(db, claims);
  if (!row) throw new AppError("not_found", "This newsletter does not exist.");
  const linkStatus = await linkStatusOf(db, claims, row);
  const { newsletterName: name, language, timeZone, replyTo, nextUrl } = row;
  const hidden = linkStatus === "outdated";
  const view = {
    linkStatus,
    newsletter: { name, language, timeZone, replyTo, nextUrl },
    email: hidden ? null : row.email,
    confirmedAt: hidden ? null : row.confirmedAt,
    mailed: row.mailed,
    fresh: !row.expired,
    renewed: row.hasLiveLink,
  };
  return { row, view };
}

/** What a link leads to; changes nothing, since mail scanners open links. @throws AppError not_found */
export async function showConfirmation(
  ctx: Pick<Ctx, "db">,
  claims: ConfirmationClaims,
): Promise<Confirmation> {
  return (await read(ctx.db, claims)).view;
}

type Work = (tx: Tx, subscriber: LockedSubscriber, row: LinkedRow) => Promise<Partial<Confirmation>>;

type Decision = {
  applies: (view: Confirmation) => boolean;
  work: Work;
  /** What the press means where it changes no status. */
  otherwise?: (tx: Tx, view: Confirmation) => Promise<void>;
};

/**
 * Runs `work` as the only decision about this subscriber, in all processes, where it applies. The second request, of a
 * double click or the other button, finds what the first has done.
 */
function decide(
  ctx: LinkCtx,
  claims: ConfirmationClaims,
  { applies, work, otherwise }: Decision,
): Promise<ConfirmationResult> {
  return withTransaction(ctx, async (tx) => {
    // Locked by a statement of its own: what is read after the wait must see what the one before has written.
    const [subscriber] = await lockSubscribers(tx, claims.newsletterId, [claims.subscriberId]);
    const { row, view } = await read(tx, claims);
    if (!subscriber || !applies(view)) {
      if (subscriber) await otherwise?.(tx, view);
      return { ...view, done: false };
    }
    return { ...view, ...(await work(tx, subscriber, row)), done: true };
  });
}

const movable = (ctx: LinkCtx, from: Status, to: Status) => (view: Confirmation) =>
  view.mailed && view.linkStatus === from && view.fresh && mayMove(from, to, ctx.actor.kind);

/**
 * pending → active; confirmations that have not been sent yet are cancelled, and the newsletter's welcome is posted.
 * @throws AppError not_found
 */
export function confirmByLink(
  ctx: LinkCtx & Pick<Ctx, "outbox">,
  claims: ConfirmationClaims,
): Promise<ConfirmationResult> {
  return decide(ctx, claims, {
    applies: movable(ctx, "pending", "active"),
    async work(tx, subscriber) {
      const confirmedAt = await setStatus(tx, {
        subscribers: [subscriber],
        to: "active",
        actor: ctx.actor,
        cause: { kind: "mail", id: claims.mailId },
      });
      const { newsletterId, id: subscriberId, email: toEmail, emailCanonical: canonical } = subscriber;
      await ctx.outbox.postWelcome(tx, { newsletterId, subscriberId, toEmail, canonical });
      return { linkStatus: "active", confirmedAt };
    },
  });
}

/**
 * pending → active by a link that was not mailed: the act of the staff member who was the last to read it, else of an
 * operator. Nobody has confirmed by it.
 * @throws AppError not_found
 */
export function activateByLink(ctx: LinkCtx, claims: ConfirmationClaims): Promise<ConfirmationResult> {
  return decide(ctx, claims, {
    applies: ({ mailed, linkStatus }) => !mailed && linkStatus === "pending",
    async work(tx, subscriber, { accountId }) {
      const { address } = ctx.actor;
      const staffId = await findLinkReader(tx, { accountId, link: claims });
      const actor: Actor = staffId
        ? { kind: "staff", id: staffId, accountId, role: "editor", address }
        : { kind: "operator", address };
      const cause = { kind: "mail", id: claims.mailId } as const;
      await setStatus(tx, { subscribers: [subscriber], to: "active", actor, cause });
      return { linkStatus: "active" };
    },
  });
}

/**
 * "This wasn't me": removes the pending subscriber, with their mails and activities, and never mails the address for this
 * newsletter again. An active subscriber stays: of two buttons pressed at once only one may count, so unsubscribing is
 * asked separately.
 * @throws AppError not_found
 */
export function denyByLink(ctx: LinkCtx, claims: ConfirmationClaims): Promise<ConfirmationResult> {
  const { newsletterId, subscriberId } = claims;
  return decide(ctx, claims, {
    applies: movable(ctx, "pending", "unsubscribed"),
    async work(tx, { email, emailCanonical }, { accountId }) {
      await suppress(tx, [{ newsletterId, emailCanonical, email, reason: "denied", source: "person" }]);
      await deleteSubscribers(tx, newsletterId, [subscriberId], { by: "person" });
      await record(ctx, tx, { accountId, newsletterId, action: DENIED, subjectId: subscriberId });
      return { linkStatus: "denied" };
    },
  });
}

/**
 * active → unsubscribed, for a reader who finds that somebody confirmed in their name. Where staff have unsubscribed them
 * already, the undo of that leaves them alone from now on.
 * @throws AppError not_found
 */
export function unsubscribeByLink(ctx: LinkCtx, claims: ConfirmationClaims): Promise<ConfirmationResult> {
  const { newsletterId, subscriberId } = claims;
  return decide(ctx, claims, {
    applies: movable(ctx, "active", "unsubscribed"),
    async otherwise(tx, { mailed, linkStatus }) {
      if (mailed && linkStatus === "unsubscribed") await forgetUndo(tx, newsletterId, [subscriberId]);
    },
    async work(tx, subscriber) {
      const cause = { kind: "mail", id: claims.mailId } as const;
      await setStatus(tx, { subscribers: [subscriber], to: "unsubscribed", actor: ctx.actor, cause });
      return { linkStatus: "unsubscribed" };
    },
  });
}

/**
 * Mails a new link to a pending subscriber whose link has expired, unless a newer one is out already. The outbox defers
 * what would be too often.
 * @throws AppError not_found
 */
export function renewLink(
  ctx: LinkCtx & Pick<Ctx, "outbox">,
  claims: ConfirmationClaims,
): Promise<ConfirmationResult> {
  return decide(ctx, claims, {
    applies: (view) => view.mailed && view.linkStatus === "expired" && !view.renewed,
    async work(tx, subscriber) {
      const { newsletterId, emailCanonical } = subscriber;
      // Who asks for a mail reads there, whatever was reported of an earlier one; who left is asked once more.
      await recordConfirmation(tx, newsletterId, { emailCanonical, mailId: claims.mailId });
      await recordReturnRequest(tx, newsletterId, emailCanonical);
      await postConfirmations(ctx, tx, [subscriber]);
      return { renewed: true };
    },
  });
}
