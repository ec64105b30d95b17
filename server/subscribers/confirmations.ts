import { record } from "../accounts/audit";
import { type Actor, withTransaction } from "../accounts/context";
import { findNewsletter, type NewsletterRow } from "../accounts/shared-queries";
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
 * The state that a link finds.
 * denied: the subscriber pressed "this wasn't me". suppressed: they did so earlier and were added again later.
 * outdated: the newsletter changed the address after this link was sent. gone: the subscriber does not exist any more.
 * void: the link was never emailed, and is too old or belongs to a person who opted out.
 */
export type LinkStatus = Status | "denied" | "suppressed" | "expired" | "outdated" | "gone" | "void";

export type Confirmation = {
  linkStatus: LinkStatus;
  newsletter: Pick<NewsletterRow, "name" | "language" | "timeZone" | "replyTo"> & { nextUrl: string | null };
  /** The subscriber's address. Null when they are gone or the link is outdated, because its reader must not see it. */
  email: string | null;
  confirmedAt: Date | null;
  /** The link was sent by email, so its reader already knows the address. Staff open links that were only logged. */
  mailed: boolean;
  /** The link has not expired, so its buttons work. */
  fresh: boolean;
  /** A newer link was sent or is queued. */
  renewed: boolean;
};

/** A button's result. `done`: this request made the change. Otherwise `linkStatus` is the state that it found. */
export type ConfirmationResult = Confirmation & { done: boolean };

type LinkCtx = Pick<Ctx, "db" | "requestId"> & { actor: Extract<Actor, { kind: "link" }> };

/** The audit entry is the only trace of a person who pressed "this wasn't me". */
const DENIED = "subscriber.denied";

/** Whether the link was sent to the subscriber's current address. Only then may its reader decide for them. */
function isCurrent({ mailedTo, emailCanonical }: LinkedRow): boolean {
  const validation = mailedTo === null ? null : parseEmail(mailedTo);
  return validation?.ok === true && validation.canonical === emailCanonical;
}

function linkStatusOf(row: LinkedRow): LinkStatus {
  if (!isCurrent(row)) return "outdated";
  if (row.status !== "pending") return row.status;
  if (row.suppression === "denied") return "suppressed";
  if (!row.mailed && (row.expired || row.left || row.suppression)) return "void";
  return row.expired ? "expired" : "pending";
}

async function read(
  db: Db | Tx,
  claims: ConfirmationClaims,
): Promise<{ accountId: string; view: Confirmation }> {
  const found = await findNewsletter(db, claims.newsletterId);
  if (!found) throw new AppError("not_found", "This newsletter does not exist.");
  const { accountId, name, language, timeZone, replyTo, confirmNextUrl: nextUrl } = found;
  const newsletter = { name, language, timeZone, replyTo, nextUrl };
  const row = await findLinked(db, claims);
  if (!row) {
    const isDenied = await wasRemovedBy(db, DENIED, { accountId, link: claims });
    const nobody = { email: null, confirmedAt: null, mailed: false, fresh: false, renewed: false };
    return { accountId, view: { ...nobody, linkStatus: isDenied ? "denied" : "gone", newsletter } };
  }
  const linkStatus = linkStatusOf(row);
  const isHidden = linkStatus === "outdated";
  const view = {
    linkStatus,
    newsletter,
    email: isHidden ? null : row.email,
    confirmedAt: isHidden ? null : row.confirmedAt,
    mailed: row.mailed,
    fresh: !row.expired,
    renewed: row.hasLiveLink,
  };
  return { accountId, view };
}

/** The state behind a link. Changes nothing, because mail scanners open links. @throws AppError not_found */
export async function showConfirmation(
  ctx: Pick<Ctx, "db">,
  claims: ConfirmationClaims,
): Promise<Confirmation> {
  return (await read(ctx.db, claims)).view;
}

type Decision = {
  applies: (view: Confirmation) => boolean;
  work: (tx: Tx, subscriber: LockedSubscriber, accountId: string) => Promise<Partial<Confirmation>>;
  /** The meaning of the press when the status does not change. */
  otherwise?: (tx: Tx, view: Confirmation) => Promise<void>;
};

/**
 * Runs `work` if it applies, as the only decision about this subscriber in all processes. A second request, from a double
 * click or the other button, finds the first one's result.
 */
function decide(
  ctx: LinkCtx,
  claims: ConfirmationClaims,
  { applies, work, otherwise }: Decision,
): Promise<ConfirmationResult> {
  return withTransaction(ctx, async (tx) => {
    // A separate statement takes the lock, so the next one sees what the previous holder wrote.
    const [subscriber] = await lockSubscribers(tx, claims.newsletterId, [claims.subscriberId]);
    const { accountId, view } = await read(tx, claims);
    if (!subscriber || !applies(view)) {
      if (subscriber) await otherwise?.(tx, view);
      return { ...view, done: false };
    }
    return { ...view, ...(await work(tx, subscriber, accountId)), done: true };
  });
}

const movable = (ctx: LinkCtx, from: Status, to: Status) => (view: Confirmation) =>
  view.mailed && view.linkStatus === from && view.fresh && mayMove(from, to, ctx.actor.kind);

/**
 * pending → active. Cancels unsent confirmation emails and queues the newsletter's welcome email.
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
 * pending → active with a link that was never emailed. The audit log names the staff member who last read the link, or an
 * operator. The activity does not count as a confirmation by the subscriber.
 * @throws AppError not_found
 */
export function activateByLink(ctx: LinkCtx, claims: ConfirmationClaims): Promise<ConfirmationResult> {
  return decide(ctx, claims, {
    applies: ({ mailed, linkStatus }) => !mailed && linkStatus === "pending",
    async work(tx, subscriber, accountId) {
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
 * "This wasn't me": deletes the pending subscriber with their emails and activities, and suppresses the address in this
 * newsletter. An active subscriber stays: of two buttons pressed at once only one counts, so unsubscribing is a separate
 * step.
 * @throws AppError not_found
 */
export function denyByLink(ctx: LinkCtx, claims: ConfirmationClaims): Promise<ConfirmationResult> {
  const { newsletterId, subscriberId } = claims;
  return decide(ctx, claims, {
    applies: movable(ctx, "pending", "unsubscribed"),
    async work(tx, { email, emailCanonical }, accountId) {
      await suppress(tx, [{ newsletterId, emailCanonical, email, reason: "denied", source: "person" }]);
      await deleteSubscribers(tx, newsletterId, [subscriberId], { by: "person" });
      await record(ctx, tx, { accountId, newsletterId, action: DENIED, subjectId: subscriberId });
      return { linkStatus: "denied" };
    },
  });
}

/**
 * active → unsubscribed, for a reader whose address was confirmed by another person. If staff unsubscribed them before, the
 * undo of that action no longer applies to them.
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
 * Sends a new link to a pending subscriber whose link has expired, unless a newer one exists. The outbox delays emails that
 * come too often.
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
      // A request proves that its sender reads the mailbox, whatever an earlier report said. Unsubscribed people get one email.
      await recordConfirmation(tx, newsletterId, { emailCanonical, mailId: claims.mailId });
      await recordReturnRequest(tx, newsletterId, emailCanonical);
      await postConfirmations(ctx, tx, [subscriber]);
      return { renewed: true };
    },
  });
}
