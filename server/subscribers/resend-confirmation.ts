import { record } from "../accounts/audit";
import { type OfNewsletter, withTransaction } from "../accounts/context";
import { invalidField } from "../kernel/errors";
import { recipientHash } from "../mail/recipient-hash";
import { nextConfirmations } from "../mail/shared-queries";
import type { Tx } from "../platform/db/client";
import type { AskingRecord } from "../rest/schema/operation-schemas";
import { askPending } from "./confirmation-requests";
import type { Ctx } from "./context";
import { type LockedSubscriber, lockSubscribers } from "./queries/subscribers";
import {
  changeSubscriber,
  formatUntil,
  type OfSubscriber,
  subscriberNotFound,
  suppressedError,
} from "./subscribers";

const CONFIRMED =
  "This person is active. Only pending or unsubscribed people can receive a confirmation email.";

/** Sends a pending person a confirmation email, unless one is queued or was sent lately. @throws AppError email_suppressed */
async function resendPending(ctx: Ctx, tx: Tx, person: LockedSubscriber): Promise<AskingRecord> {
  const { emailCanonical, suppression } = person;
  const obstacle = await askPending(ctx, tx, person);
  if (obstacle === null) return { status: "queued", next_at: null };
  if (obstacle === "on_its_way") return { status: "waiting", next_at: null };
  if (obstacle === "not_to_be_mailed" && suppression)
    throw suppressedError(suppression, "No confirmation was sent.");
  const hash = recipientHash(emailCanonical);
  const next = (await nextConfirmations(tx, [hash])).get(hash);
  return { status: "deferred", next_at: next ? formatUntil(next.at) : null };
}

/**
 * Sends one person another confirmation email for an API key. An unsubscribed person becomes pending.
 * @throws AppError not_found, validation_error on `status` for an active person, email_suppressed
 */
export function resendConfirmation(
  ctx: Ctx,
  { newsletterId, accountId, id }: OfNewsletter & OfSubscriber,
): Promise<AskingRecord> {
  return withTransaction(ctx, async (tx) => {
    const [person] = await lockSubscribers(tx, newsletterId, [id]);
    if (!person) throw subscriberNotFound(id);
    if (person.status === "active") throw invalidField("status", CONFIRMED);
    if (person.status === "pending") {
      const asked = await resendPending(ctx, tx, person);
      const entry = { accountId, newsletterId, action: "people.confirm", subjectId: id } as const;
      if (asked.status === "queued") await record(ctx, tx, entry);
      return asked;
    }
    await changeSubscriber(ctx, tx, person, { patch: { status: "pending" }, attributes: {} });
    return { status: "queued", next_at: null };
  });
}
