import type { SubscriberPatch, SubscriberRecord } from "../contract/subscriber";
import { forgetBefore } from "../db/bulk-actions";
import { isUniqueViolation, type Tx } from "../db/client";
import { cancelMails, insertEvent } from "../db/confirmations";
import {
  findSubscriber,
  type SubscriberChange,
  type SubscriberRow,
  updateSubscriber,
} from "../db/subscriber-pages";
import { joinName } from "../domain/name";
import { mayMove, type Status } from "../domain/status-moves";
import { AppError } from "../errors";
import { type Ctx, withTransaction } from "./context";
import { alreadySubscribed, present } from "./subscribers";

/** @throws AppError not_found, also for another newsletter's person: that they exist is not the caller's to know */
async function lockSubscriber(tx: Tx, newsletterId: string, id: string): Promise<SubscriberRow> {
  const row = await findSubscriber(tx, newsletterId, id, true);
  if (!row) throw notFound(id);
  return row;
}

export function notFound(id: string): AppError {
  return new AppError(
    "not_found",
    `There is no subscriber with the id ${id.slice(0, 64)} on this newsletter.`,
  );
}

/** @throws AppError validation_error on `status` for a move that nobody may make */
function checkMove(ctx: Ctx, from: Status, to: Status): void {
  if (from === to || mayMove(from, to, ctx.actor.kind)) return;
  const message =
    "This person has unsubscribed, and only their own yes brings them back: set pending, which asks them by email.";
  throw new AppError("validation_error", message, { errors: { status: [message] } });
}

/** What a change changes of who a person is; null when it is their status alone. */
function changesOf(row: SubscriberRow, next: SubscriberRow): Record<string, [string, string]> | null {
  const names = [row, next].map(({ firstName, lastName }) => joinName(firstName, lastName)) as [
    string,
    string,
  ];
  const changes: Record<string, [string, string]> = {
    ...(row.email !== next.email && { email: [row.email, next.email] as [string, string] }),
    ...(names[0] !== names[1] && { name: names }),
  };
  return Object.keys(changes).length > 0 ? changes : null;
}

function note(
  ctx: Ctx,
  tx: Tx,
  row: SubscriberRow,
  kind: string,
  detail: Record<string, [string, string]> | null = null,
): Promise<void> {
  const { actor } = ctx;
  return insertEvent(tx, {
    newsletterId: row.newsletterId,
    subscriberId: row.id,
    kind,
    actorKind: actor.kind,
    actorId: "id" in actor ? actor.id : null,
    address: "address" in actor ? (actor.address ?? null) : null,
    detail,
  });
}

/** @throws AppError validation_error on `version` when somebody changed the person since the caller read them */
function checkVersion(row: SubscriberRow, version: number | undefined): void {
  if (version === undefined || row.version === version) return;
  const message =
    "Somebody changed this person since you opened them. Nothing of yours was saved; look at what is there now.";
  throw new AppError("validation_error", message, { errors: { version: [message] } });
}

/**
 * Changes what the patch names and keeps the rest. Who becomes pending, or is pending and gets another address, is
 * mailed a confirmation; mails not yet sent to where they no longer belong are taken back.
 * @param version the one the caller has read; a person changed since is left alone
 * @throws AppError not_found, email_already_subscribed, validation_error
 */
export async function update(
  ctx: Ctx,
  newsletterId: string,
  id: string,
  patch: SubscriberPatch,
  version?: number,
): Promise<SubscriberRecord> {
  const change: SubscriberChange = {
    ...(patch.email && { email: patch.email.email, emailCanonical: patch.email.canonical }),
    ...patch.name,
    ...(patch.status && { status: patch.status }),
  };
  try {
    return await withTransaction(ctx, async (tx) => {
      const row = await lockSubscriber(tx, newsletterId, id);
      checkVersion(row, version);
      const next = { ...row, ...change };
      checkMove(ctx, row.status, next.status);
      if (
        next.email === row.email &&
        next.firstName === row.firstName &&
        next.lastName === row.lastName &&
        next.status === row.status
      ) {
        return present(row, row.createdAt);
      }
      await updateSubscriber(tx, row, change);
      const readdressed = next.emailCanonical !== row.emailCanonical;
      if (next.status !== row.status || readdressed) {
        await cancelMails(tx, { newsletterId, subscriberId: id });
        if (next.status === "pending") {
          await ctx.outbox.post(tx, [
            { newsletterId, subscriberId: id, toEmail: next.email, canonical: next.emailCanonical },
          ]);
        }
      }
      const kind = next.status !== row.status ? `status.${next.status}` : "changed";
      await note(ctx, tx, row, kind, changesOf(row, next));
      return present(next, row.createdAt);
    });
  } catch (error) {
    throw isUniqueViolation(error) ? alreadySubscribed() : error;
  }
}

/** Takes a person off the list; the row stays, so that nobody brings them back unasked. @throws AppError not_found */
export async function unsubscribe(ctx: Ctx, newsletterId: string, id: string): Promise<SubscriberRecord> {
  return withTransaction(ctx, async (tx) => {
    const row = await lockSubscriber(tx, newsletterId, id);
    if (row.status !== "unsubscribed") {
      await updateSubscriber(tx, row, { status: "unsubscribed" });
      await cancelMails(tx, { newsletterId, subscriberId: id });
      await note(ctx, tx, row, "unsubscribed");
    } else {
      await forgetBefore(tx, [id]);
    }
    return present({ ...row, status: "unsubscribed" }, row.createdAt);
  });
}
