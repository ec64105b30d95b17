import { recordAddressChange } from "../accounts/audit";
import { actorOf, withTransaction } from "../accounts/context";
import { AppError } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { joinName } from "../kernel/name";
import { cancelUnsent } from "../mail/shared-queries";
import { isUniqueViolation, type Tx } from "../platform/db/client";
import { mayAsk, type SuppressionReason, suppressedSentence } from "../suppressions/schema/suppressions";
import { findSuppression, recordReturnRequest } from "../suppressions/shared-queries";
import {
  type AttributeChange,
  applyAttributes,
  describeAttributes,
  resolveOwnAttributes,
} from "./attributes";
import { postConfirmations } from "./confirmation-requests";
import type { Ctx } from "./context";
import { type ChangeDetail, insertActivities } from "./queries/activities";
import { forgetUndo } from "./queries/forget-undo";
import type { NewSubscriberRow } from "./queries/new-subscribers";
import {
  findSubscriber,
  findTaken,
  type LockedSubscriber,
  lockSubscribers,
  type SubscriberChange,
  type SubscriberRow,
  updateSubscribers,
} from "./queries/subscribers";
import type { NewSubscriber, SubscriberPatch, SubscriberRecord } from "./schema/subscriber";
import { type StoredText, textNames } from "./schema/subscriber-texts";
import { setStatus } from "./set-status";
import { mayMove, moveFrom, type Status } from "./status-moves";

let lastTime: Date | undefined;
let lastText = "";

/** A time as the contract writes it: whole seconds, numeric offset. */
export function formatTime(time: Date): string {
  // The subscribers of a bulk share one moment, and writing it a hundred times is a tenth of presenting them.
  if (time !== lastTime) {
    lastTime = time;
    lastText = `${time.toISOString().slice(0, 19)}+00:00`;
  }
  return lastText;
}

/** Row in, record out. */
export function presentSubscriber(
  row: Pick<SubscriberRow, "id" | StoredText | "status">,
  createdAt: Date,
): SubscriberRecord {
  return {
    id: row.id,
    email: row.email,
    name: joinName(row.firstName, row.lastName),
    status: row.status,
    created_at: formatTime(createdAt),
  };
}

/** Where new subscribers come from: the newsletter they join and the adapter they came through. */
export type Origin = {
  newsletterId: string;
  source: "api" | "dashboard" | "import" | "public";
  sourceId: string | null;
};

const noAttributes = { fields: null, tags: null };

/** Input in, row out. Without spreads: a bulk makes a hundred of these. */
export function newRow(origin: Origin, input: NewSubscriber, attributes?: AttributeChange): NewSubscriberRow {
  const { fields = null, tags = null } = attributes
    ? applyAttributes(noAttributes, attributes)
    : noAttributes;
  return {
    id: newId(),
    newsletterId: origin.newsletterId,
    email: input.email.email,
    emailCanonical: input.email.canonical,
    firstName: input.name.firstName,
    lastName: input.name.lastName,
    status: input.status,
    source: origin.source,
    sourceId: origin.sourceId,
    fields,
    tags,
  };
}

/** What a patch says, as columns; what it does not name is absent. */
function columnsOf({ email, name }: SubscriberPatch): SubscriberChange {
  return { ...(email && { email: email.email, emailCanonical: email.canonical }), ...name };
}

export function subscriberNotFound(id: string): AppError {
  return new AppError("not_found", `This newsletter has no subscriber with the id ${id.slice(0, 64)}.`);
}

/** @param status undefined when the person with this address was deleted a moment ago */
export function takenSentence(status: Status | undefined): string {
  if (status === "unsubscribed")
    return "This address is on the list as unsubscribed. Leave this address out: only its owner can resubscribe.";
  const as = status ? ` as ${status}` : "";
  return `This address is already on the list${as}. Leave this address out, or change the existing person.`;
}

/** The rejection of a single suppressed address. */
export function suppressedError(reason: SuppressionReason, advice?: string): AppError {
  const message = suppressedSentence(reason, advice);
  return new AppError("email_suppressed", message, { errors: { email: [message] } });
}

/** The rejection of a single address that is on the list already. */
export function alreadySubscribed(status?: Status): AppError {
  const message = takenSentence(status);
  return new AppError("email_already_subscribed", message, { errors: { email: [message] } });
}

/** @throws AppError not_found, also for another newsletter's: that they exist is not the caller's to know */
export async function getSubscriber(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  id: string,
): Promise<SubscriberRecord> {
  const row = await findSubscriber(ctx.db, newsletterId, id);
  if (!row) throw subscriberNotFound(id);
  return presentSubscriber(row, row.createdAt);
}

const invalid = (field: string, message: string) =>
  new AppError("validation_error", message, { errors: { [field]: [message] } });

const ONLY_THEMSELVES =
  "This person unsubscribed. Only they can resubscribe, by confirming from their own inbox.";

/** @throws AppError validation_error on `status` for a move that the actor may not make, or that the address's suppression forbids */
function checkMove(ctx: Ctx, row: LockedSubscriber, next: SubscriberRow): void {
  if (row.status === next.status) return;
  if (!mayMove(moveFrom(row), next.status, ctx.actor.kind)) throw invalid("status", ONLY_THEMSELVES);
  const { suppression: reason, askedAt } = row;
  const stays = row.emailCanonical === next.emailCanonical;
  if (reason === null || !stays || next.status === "unsubscribed") return;
  if (next.status === "active" || !mayAsk({ reason, askedAt }))
    throw invalid("status", suppressedSentence(reason, `Their status can't be "${next.status}".`));
}

/** @throws AppError email_suppressed for an address that is not to be written to; one who left themselves may have it */
async function checkAddress(tx: Tx, row: LockedSubscriber, next: SubscriberRow): Promise<void> {
  if (row.emailCanonical === next.emailCanonical) return;
  const suppression = await findSuppression(tx, row.newsletterId, next.emailCanonical);
  if (suppression && next.status !== "unsubscribed") throw suppressedError(suppression.reason);
}

/** What a change changes of who a person is; null when it is their status alone. */
async function describeChange(
  tx: Tx,
  row: SubscriberRow,
  { next, change }: { next: SubscriberRow; change: SubscriberChange },
): Promise<ChangeDetail | null> {
  const [before, after] = [presentSubscriber(row, row.createdAt), presentSubscriber(next, row.createdAt)];
  const detail: ChangeDetail = await describeAttributes(tx, row.newsletterId, { before: row, after: change });
  for (const name of textNames)
    if (before[name] !== after[name]) detail[name] = [before[name] ?? "", after[name] ?? ""];
  return Object.keys(detail).length > 0 ? detail : null;
}

export type SubscriberUpdate = {
  id: string;
  patch: SubscriberPatch;
  /** The one the caller has read: a subscriber who changed since is left unchanged. */
  version?: number;
};

/**
 * Writes a change of a locked subscriber. Who becomes pending, or is pending and gets another address, is mailed a
 * confirmation; confirmations not yet sent to where they no longer belong are cancelled.
 * @returns what is there now
 * @throws AppError email_suppressed, validation_error; and what `isUniqueViolation` recognises
 */
export async function changeSubscriber(
  ctx: Ctx,
  tx: Tx,
  row: LockedSubscriber,
  { patch, attributes }: { patch: SubscriberPatch; attributes: AttributeChange },
): Promise<SubscriberRow> {
  const { newsletterId, id } = row;
  const change = { ...columnsOf(patch), ...applyAttributes(row, attributes) };
  const next = { ...row, ...change, ...(patch.status && { status: patch.status }) };
  checkMove(ctx, row, next);
  await checkAddress(tx, row, next);
  const detail = await describeChange(tx, row, { next, change });
  const moves = next.status !== row.status;
  const readdressed = next.emailCanonical !== row.emailCanonical;
  if (moves) {
    await setStatus(tx, { subscribers: [row], to: next.status, actor: ctx.actor, change, detail });
  } else if (detail) {
    await updateSubscribers(tx, newsletterId, [id], change);
    if (readdressed) await cancelUnsent(tx, newsletterId, [id]);
    await insertActivities(tx, { newsletterId, ids: [id], kind: "changed", actor: actorOf(ctx), detail });
  }
  if (readdressed) await recordAddressChange(ctx, tx, { newsletterId, id });
  if ((moves || readdressed) && next.status === "pending") {
    if (row.suppression && !readdressed) await recordReturnRequest(tx, newsletterId, row.emailCanonical);
    await postConfirmations(ctx, tx, [next]);
  }
  return next;
}

/**
 * Changes what the patch names and keeps the rest; see `changeSubscriber`.
 * @throws AppError not_found, email_already_subscribed, email_suppressed, validation_error
 */
export async function updateSubscriber(
  ctx: Ctx,
  newsletterId: string,
  { id, patch, version }: SubscriberUpdate,
): Promise<SubscriberRecord> {
  const attributes = await resolveOwnAttributes(ctx, newsletterId, { input: patch });
  const work = async (tx: Tx) => {
    const [row] = await lockSubscribers(tx, newsletterId, [id]);
    if (!row) throw subscriberNotFound(id);
    if (version !== undefined && row.version !== version)
      throw invalid(
        "version",
        "This person was changed since you opened them. Your changes were not saved. Reload to see the current version.",
      );
    const next = await changeSubscriber(ctx, tx, row, { patch, attributes });
    return presentSubscriber(next, row.createdAt);
  };
  try {
    return await withTransaction(ctx, work);
  } catch (error) {
    if (!isUniqueViolation(error) || !patch.email) throw error;
    const { canonical } = patch.email;
    // Read outside the transaction: the violation has ended it.
    const taken = await findTaken(ctx.db, newsletterId, [canonical]);
    throw alreadySubscribed(taken.get(canonical));
  }
}

/** Unsubscribes a person for good; their row stays, so that nobody adds them again unasked. @throws AppError not_found */
export async function unsubscribe(
  ctx: Pick<Ctx, "db" | "tx" | "actor">,
  newsletterId: string,
  id: string,
): Promise<SubscriberRecord> {
  return withTransaction(ctx, async (tx) => {
    const [row] = await lockSubscribers(tx, newsletterId, [id]);
    if (!row) throw subscriberNotFound(id);
    if (row.status === "unsubscribed") await forgetUndo(tx, newsletterId, [id]);
    else await setStatus(tx, { subscribers: [row], to: "unsubscribed", actor: ctx.actor });
    return presentSubscriber({ ...row, status: "unsubscribed" }, row.createdAt);
  });
}
