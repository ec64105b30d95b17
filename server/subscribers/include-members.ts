import {
  type ConfirmationState,
  type ForecastContext,
  findConfirmationStates,
} from "../mail/confirmation-states";
import type { ConfirmationRecord } from "../mail/schema/confirmation-states";
import { presentAttributes } from "./attributes";
import type { Ctx } from "./context";
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

type ToInclude<Members> = { newsletterId: string; records: SubscriberRecord[]; include: Members };

const nothingStored = { fields: null, tags: null, subscribedAt: null, externalId: null };

/** Adds the stored members of `include` to records, with the current values. */
export async function includeStored(
  ctx: Pick<Ctx, "db" | "tx">,
  { newsletterId, records, include }: ToInclude<Omit<Include, "confirmation">>,
): Promise<SubscriberRecord[]> {
  const { fields, tags, subscribed_at, external_id } = include;
  if (records.length === 0 || !(fields || tags || subscribed_at || external_id)) return records;
  const ids = records.map(({ id }) => id);
  const stored = new Map(
    (await readIncludedRows(ctx.tx ?? ctx.db, newsletterId, ids)).map((row) => [row.id, row]),
  );
  const rows = ids.map((id) => stored.get(id) ?? nothingStored);
  const attributes = await presentAttributes(ctx, { newsletterId, rows, include });
  return records.map((record, i) => {
    const { subscribedAt, externalId } = rows[i] ?? nothingStored;
    return {
      ...record,
      ...attributes[i],
      ...(subscribed_at && { subscribed_at: formatTimeOrNull(subscribedAt) ?? record.created_at }),
      ...(external_id && { external_id: externalId }),
    };
  });
}

/** Adds the members of `include` to records, with the current values. */
export async function includeMembers(
  ctx: ForecastContext,
  { newsletterId, records, include }: ToInclude<Include | undefined>,
): Promise<SubscriberRecord[]> {
  if (!include || records.length === 0) return records;
  const described = await includeStored(ctx, { newsletterId, records, include });
  if (!include.confirmation) return described;
  const subscriberIds = records.map(({ id }) => id);
  const states = await findConfirmationStates(ctx, { newsletterId, subscriberIds });
  return described.map((record) => {
    const state = states.get(record.id);
    return { ...record, confirmation: state ? presentConfirmation(state) : none };
  });
}
