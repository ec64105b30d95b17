import { recordAddressChange } from "../accounts/audit";
import { actorOf, withTransaction } from "../accounts/context";
import { parseEmail } from "../kernel/email";
import { AppError, invalidField } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { cancelUnsent } from "../mail/shared-queries";
import { isUniqueViolation, type Tx } from "../platform/db/client";
import { type SuppressionReason, suppressedSentence } from "../suppressions/schema/suppression-messages";
import { findSuppression, recordReturnRequest } from "../suppressions/shared-queries";
import {
  type AttributeChange,
  applyAttributes,
  describeAttributes,
  resolveOwnAttributes,
} from "./attributes";
import { isMailable, postConfirmations } from "./confirmation-requests";
import type { Ctx } from "./context";
import { type ChangeDetail, insertActivities } from "./queries/activities";
import { forgetUndo } from "./queries/forget-undo";
import type { NewSubscriberRow } from "./queries/new-subscribers";
import {
  findExternalIds,
  findTaken,
  type LockedSubscriber,
  listSubscriberRows,
  lockSubscribers,
  type SubscriberChange,
  type SubscriberRow,
  type TakenBy,
  updateSubscribers,
} from "./queries/subscribers";
import {
  type NewSubscriber,
  type SubscriberPatch,
  type SubscriberRecord,
  showTexts,
  storeTexts,
} from "./schema/subscriber";
import { type StoredText, textNames } from "./schema/subscriber-texts";
import { setStatus } from "./set-status";
import { mayMove, moveFrom, type Status } from "./status-moves";

let lastTime: Date | undefined;
let lastText = "";

/** A time in the contract's format: whole seconds, numeric offset. */
export function formatTime(time: Date): string {
  // A bulk's subscribers share one time. Formatting it for each took a tenth of presenting them.
  if (time !== lastTime) {
    lastTime = time;
    lastText = `${time.toISOString().slice(0, 19)}+00:00`;
  }
  return lastText;
}

export const formatTimeOrNull = (time: Date | null) => time && formatTime(time);

/** The end of a wait in the contract's format. Rounded up, so that a retry at this time is not too early. */
export const formatUntil = (until: Date) => formatTime(new Date(Math.ceil(until.getTime() / 1000) * 1000));

export function presentSubscriber(
  row: Pick<SubscriberRow, "id" | StoredText | "status">,
  createdAt: Date,
): SubscriberRecord {
  return {
    id: row.id,
    ...showTexts(row),
    status: row.status,
    created_at: formatTime(createdAt),
  };
}

/** The origin of new subscribers: the newsletter and the adapter. */
export type Origin = {
  newsletterId: string;
  source: "api" | "dashboard" | "import" | "public";
  sourceId: string | null;
};

const noAttributes = { fields: null, tags: null };

export function newRow(origin: Origin, input: NewSubscriber, attributes?: AttributeChange): NewSubscriberRow {
  const { fields = null, tags = null } = attributes
    ? applyAttributes(noAttributes, attributes)
    : noAttributes;
  return {
    id: newId(),
    newsletterId: origin.newsletterId,
    ...storeTexts(input),
    status: input.status,
    source: origin.source,
    sourceId: origin.sourceId,
    fields,
    tags,
    subscribedAt: input.subscribed_at ?? null,
    externalId: input.external_id ?? null,
  };
}

export function subscriberNotFound(id: string): AppError {
  return new AppError("not_found", `This newsletter has no subscriber with the id ${id.slice(0, 64)}.`);
}

/** @param status undefined if the subscriber with this address has just been deleted */
export function takenSentence(status: Status | undefined): string {
  if (status === "unsubscribed")
    return "This address is on the list as unsubscribed. Leave this address out: only its owner can resubscribe.";
  const as = status ? ` as ${status}` : "";
  return `This address is already on the list${as}. Leave this address out, or change the existing person.`;
}

export function suppressedError(reason: SuppressionReason, advice?: string): AppError {
  const message = suppressedSentence(reason, advice);
  return new AppError("email_suppressed", message, { errors: { email: [message] } });
}

/** The error for a single address that is already on the list. */
export function alreadySubscribed(subscriber: TakenBy | undefined): AppError {
  const message = takenSentence(subscriber?.status);
  return new AppError("email_already_subscribed", message, { errors: { email: [message] }, subscriber });
}

export const externalIdSentence = ({ id }: Pick<TakenBy, "id">) =>
  `The subscriber ${id} already has this external_id. Send another external_id, or change that subscriber.`;

export type OfSubscriber = { newsletterId: string; id: string };

/**
 * Returns the id of the subscriber with this address.
 * @param address any text
 * @throws AppError not_found
 */
export async function getSubscriberId(
  { db }: Pick<Ctx, "db">,
  { newsletterId, address }: { newsletterId: string; address: string },
): Promise<string> {
  const email = parseEmail(address);
  const taken = email.ok && (await findTaken(db, newsletterId, [email.canonical])).get(email.canonical);
  if (taken) return taken.id;
  throw new AppError("not_found", "This newsletter has no subscriber with this email address.");
}

/** @throws AppError not_found, also for another newsletter's subscriber, so that callers can't detect them */
export async function getSubscriber(
  ctx: Pick<Ctx, "db">,
  { newsletterId, id }: OfSubscriber,
): Promise<SubscriberRecord> {
  const [row] = await listSubscriberRows(ctx.db, newsletterId, [id]);
  if (!row) throw subscriberNotFound(id);
  return presentSubscriber(row, row.createdAt);
}

const ONLY_THEMSELVES =
  "This person unsubscribed. Only they can resubscribe, by confirming from their own inbox.";

/** @throws AppError validation_error on `status` for a move that the actor or a suppression forbids */
function checkMove(ctx: Ctx, row: LockedSubscriber, next: SubscriberRow): void {
  if (row.status === next.status) return;
  if (!mayMove(moveFrom(row), next.status, ctx.actor.kind)) throw invalidField("status", ONLY_THEMSELVES);
  const { suppression } = row;
  const stays = row.emailCanonical === next.emailCanonical;
  if (suppression === null || !stays || next.status === "unsubscribed") return;
  if (next.status === "active" || !isMailable(row))
    throw invalidField("status", suppressedSentence(suppression, `Their status can't be "${next.status}".`));
}

/** @throws AppError email_suppressed for a suppressed address, except after the person's own unsubscribe */
async function checkAddress(tx: Tx, row: LockedSubscriber, next: SubscriberRow): Promise<void> {
  if (row.emailCanonical === next.emailCanonical) return;
  const suppression = await findSuppression(tx, row.newsletterId, next.emailCanonical);
  if (suppression && next.status !== "unsubscribed") throw suppressedError(suppression.reason);
}

const signedUp = ({ subscribedAt, createdAt }: Pick<SubscriberRow, "subscribedAt" | "createdAt">) =>
  formatTime(subscribedAt ?? createdAt);

/** A date that is sent back as it was read, in whole seconds, is no change. */
function changedOrigin(
  row: SubscriberRow,
  { subscribed_at: subscribedAt, external_id: externalId }: SubscriberPatch,
): SubscriberChange {
  const isOtherDate = subscribedAt !== undefined && signedUp({ ...row, subscribedAt }) !== signedUp(row);
  return { ...(isOtherDate && { subscribedAt }), ...(externalId !== undefined && { externalId }) };
}

/** The changed personal details; null if only the status changes. */
async function describeChange(
  tx: Tx,
  row: SubscriberRow,
  { next, change }: { next: SubscriberRow; change: SubscriberChange },
): Promise<ChangeDetail | null> {
  const [before, after] = [presentSubscriber(row, row.createdAt), presentSubscriber(next, row.createdAt)];
  const [detail = {}] = await describeAttributes(tx, row.newsletterId, [{ before: row, after: change }]);
  for (const name of textNames)
    if (before[name] !== after[name]) detail[name] = [before[name] ?? "", after[name] ?? ""];
  if (change.subscribedAt !== undefined) detail.subscribed_at = [row, next].map(signedUp) as [string, string];
  if (row.externalId !== next.externalId) detail.external_id = [row.externalId ?? "", next.externalId ?? ""];
  return Object.keys(detail).length > 0 ? detail : null;
}

export type SubscriberUpdate = OfSubscriber & {
  patch: SubscriberPatch;
  /** The version that the caller read. If the subscriber changed since, nothing is changed. */
  version?: number;
};

/**
 * Changes a locked subscriber. Sends a confirmation email if they become pending, or are pending and get a new address.
 * Cancels unsent confirmation emails to the old address.
 * @returns the stored subscriber
 * @throws AppError email_suppressed, validation_error; and errors that `isUniqueViolation` recognises
 */
export async function changeSubscriber(
  ctx: Ctx,
  tx: Tx,
  row: LockedSubscriber,
  { patch, attributes }: { patch: SubscriberPatch; attributes: AttributeChange },
): Promise<SubscriberRow> {
  const { newsletterId, id } = row;
  const change = {
    ...storeTexts(patch),
    ...applyAttributes(row, attributes),
    ...changedOrigin(row, patch),
  };
  const next = { ...row, ...change, ...(patch.status && { status: patch.status }) };
  if (patch.status === "unsubscribed" && row.status !== "unsubscribed")
    throw invalidField(
      "status",
      'The status can\'t be set to "unsubscribed". Delete the subscriber instead.',
    );
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
    const activity = { newsletterId, ids: [id], kind: "changed", details: [detail] };
    await insertActivities(tx, { ...activity, actor: actorOf(ctx) });
  }
  if (readdressed) await recordAddressChange(ctx, tx, { newsletterId, id });
  if ((moves || readdressed) && next.status === "pending") {
    if (row.suppression && !readdressed) await recordReturnRequest(tx, newsletterId, row.emailCanonical);
    await postConfirmations(ctx, tx, [next]);
  }
  return next;
}

/**
 * Changes the patch's members and keeps the others; see `changeSubscriber`.
 * @throws AppError not_found, email_already_subscribed, email_suppressed, validation_error
 */
export async function updateSubscriber(
  ctx: Ctx,
  { newsletterId, id, patch, version }: SubscriberUpdate,
): Promise<SubscriberRecord> {
  const attributes = await resolveOwnAttributes(ctx, newsletterId, patch);
  const work = async (tx: Tx) => {
    const [row] = await lockSubscribers(tx, newsletterId, [id]);
    if (!row) throw subscriberNotFound(id);
    if (version !== undefined && row.version !== version)
      throw invalidField(
        "version",
        "This person was changed since you opened them. Your changes were not saved.",
      );
    const next = await changeSubscriber(ctx, tx, row, { patch, attributes });
    return presentSubscriber(next, row.createdAt);
  };
  try {
    return await withTransaction(ctx, work);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw await takenError(ctx, { newsletterId, id, patch });
  }
}

/** The error when another subscriber has the address or the external id of a change. */
async function takenError(
  { db }: Pick<Ctx, "db">,
  { newsletterId, id, patch: { email, external_id: externalId } }: SubscriberUpdate,
): Promise<AppError> {
  // Read outside the transaction, which the violation has aborted.
  const byId = externalId
    ? (await findExternalIds(db, newsletterId, [externalId])).get(externalId)
    : undefined;
  if (byId && byId.id !== id) return invalidField("external_id", externalIdSentence(byId));
  const taken = email && (await findTaken(db, newsletterId, [email.canonical])).get(email.canonical);
  return alreadySubscribed(taken);
}

/** Unsubscribes a person. The row stays, so a later import can't add them again. @throws AppError not_found */
export async function unsubscribe(
  ctx: Pick<Ctx, "db" | "tx" | "actor">,
  { newsletterId, id }: OfSubscriber,
): Promise<SubscriberRecord> {
  return withTransaction(ctx, async (tx) => {
    const [row] = await lockSubscribers(tx, newsletterId, [id]);
    if (!row) throw subscriberNotFound(id);
    if (row.status === "unsubscribed") await forgetUndo(tx, newsletterId, [id]);
    else await setStatus(tx, { subscribers: [row], to: "unsubscribed", actor: ctx.actor });
    return presentSubscriber({ ...row, status: "unsubscribed" }, row.createdAt);
  });
}
