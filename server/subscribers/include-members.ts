import {
  type ConfirmationState,
  type ForecastContext,
  findConfirmationStates,
} from "../mail/confirmation-states";
import type { ConfirmationRecord } from "../mail/schema/confirmation-states";
import { includeAttributes } from "./attributes";
import type { Include } from "./schema/fields";
import type { SubscriberRecord } from "./schema/subscriber";
import { formatTime, formatUntil } from "./subscribers";

const none: ConfirmationRecord = { state: "none", reason: null, held_until: null, requested_at: null };

const presentConfirmation = ({ state, hold, requestedAt }: ConfirmationState): ConfirmationRecord => ({
  state,
  reason: hold?.reason ?? null,
  held_until: hold?.until ? formatUntil(hold.until) : null,
  requested_at: formatTime(requestedAt),
});

type ToInclude = { newsletterId: string; records: SubscriberRecord[]; include: Include | undefined };

/** Adds the members of `include` to records, with the current values. */
export async function includeMembers(
  ctx: ForecastContext,
  { newsletterId, records, include }: ToInclude,
): Promise<SubscriberRecord[]> {
  if (!include || records.length === 0) return records;
  const described = await includeAttributes(ctx, { newsletterId, records, include });
  if (!include.confirmation) return described;
  const subscriberIds = records.map(({ id }) => id);
  const states = await findConfirmationStates(ctx, { newsletterId, subscriberIds });
  return described.map((record) => {
    const state = states.get(record.id);
    return { ...record, confirmation: state ? presentConfirmation(state) : none };
  });
}
