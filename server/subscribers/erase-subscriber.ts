import { recordPeople } from "../accounts/audit";
import { type OfNewsletter, withTransaction } from "../accounts/context";
import { newId } from "../kernel/ids";
import { suppressionSource } from "../suppressions/source";
import type { Ctx } from "./context";
import { includeMembers } from "./include-members";
import { deleteSubscribers, lockSubscribers } from "./queries/subscribers";
import type { Include } from "./schema/fields";
import type { SubscriberRecord } from "./schema/subscriber";
import { type OfSubscriber, presentSubscriber, subscriberNotFound } from "./subscribers";

/**
 * Erases one person, as the bulk action `erase` does. A digest of the address stays suppressed.
 * @returns the person's last record, as unsubscribed
 * @throws AppError not_found
 */
export function eraseSubscriber(
  ctx: Ctx,
  { newsletterId, accountId, id, include }: OfNewsletter & OfSubscriber & { include: Include | undefined },
): Promise<SubscriberRecord> {
  return withTransaction(ctx, async (tx) => {
    const [row] = await lockSubscribers(tx, newsletterId, [id]);
    if (!row) throw subscriberNotFound(id);
    const records = [presentSubscriber({ ...row, status: "unsubscribed" }, row.createdAt)];
    const [record] = await includeMembers({ ...ctx, tx }, { newsletterId, records, include });
    await deleteSubscribers(tx, newsletterId, [id], { by: suppressionSource(ctx) });
    // The entry has the id and no address, because erased people must not remain in the log.
    const entry = { accountId, newsletterId, action: "people.erase", subjectId: id } as const;
    await recordPeople(ctx, tx, { ...entry, id: newId(), people: 1 });
    return record as SubscriberRecord;
  });
}
