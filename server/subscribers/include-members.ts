import {
  type ConfirmationState,
  type ForecastContext,
  findConfirmationStates,
} from "../mail/confirmation-states";
import type { ConfirmationRecord } from "../mail/schema/confirmation-states";
import { includeAttributes } from "./attributes";
import { readIncludedRows } from "./queries/subscribers";
import type { Include } from "./schema/fields";
import type { SubscriberRecord } from "./schema/subscriber";
import { formatTime, formatTimeOrNull, formatUntil } from "./subscribers";

const none: ConfirmationRecord = { state: "none", reason: null, held_until: null, requested_at: null };

const presentConfirmation = ({ state, hold, requestedAt }: ConfirmationState): ConfirmationRecord => ({
  state,
  reason: hold?.reason ?? null,
  held_until: hold?.until ? formatUntil(hold.until) : null,
  requested_at: formatTime(requestedAt),
});

type IncludedOrigins = Pick<Include, "subscribed_at" | "external_id">;

/** Adds the date of the original sign-up and the id in another system to records. */
export async function includeOrigins(
  { db, tx }: Pick<ForecastContext, "db" | "tx">,
  {
    newsletterId,
    records,
    include,
  }: { newsletterId: string; records: SubscriberRecord[]; include: IncludedOrigins },
): Promise<SubscriberRecord[]> {
  if (!include.subscribed_at && !include.external_id) return records;
  const ids = records.map(({ id }) => id);
  const rows = await readIncludedRows(tx ?? db, newsletterId, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return records.map((record) => {
    const { subscribedAt = null, externalId = null } = byId.get(record.id) ?? {};
    return {
      ...record,
      ...(include.subscribed_at && { subscribed_at: formatTimeOrNull(subscribedAt) ?? record.created_at }),
      ...(include.external_id && { external_id: externalId }),
    };
  });
}

type ToInclude = { newsletterId: string; records: SubscriberRecord[]; include: Include | undefined };

/** Adds the members of `include` to records, with the current values. */
export async function includeMembers(
  ctx: ForecastContext,
  { newsletterId, records, include }: ToInclude,
): Promise<SubscriberRecord[]> {
  if (!include || records.length === 0) return records;
  const attributed = await includeAttributes(ctx, { newsletterId, records, include });
  const described = await includeOrigins(ctx, { newsletterId, records: attributed, include });
  if (!include.confirmation) return described;
  const subscriberIds = records.map(({ id }) => id);
  const states = await findConfirmationStates(ctx, { newsletterId, subscriberIds });
  return described.map((record) => {
    const state = states.get(record.id);
    return { ...record, confirmation: state ? presentConfirmation(state) : none };
  });
}
