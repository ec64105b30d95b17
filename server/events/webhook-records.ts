import type { OfNewsletter } from "../accounts/context";
import { noLongerExists } from "../kernel/errors";
import type { Ctx } from "../subscribers/context";
import { formatTime, formatTimeOrNull } from "../subscribers/subscribers";
import type { WebhookMessageRecord, WebhookRecord } from "./schema/webhook-records";
import type { listMessages } from "./webhook-messages";
import { listEndpoints, type OfEndpoint } from "./webhooks";

type Listed = Awaited<ReturnType<typeof listEndpoints>>[number];

function presentEndpoint({ id, url, events, description, offReason, ...row }: Listed): WebhookRecord {
  return {
    ...{ id, url, events, description },
    enabled: offReason === null,
    off_reason: offReason === "staff" ? "manual" : offReason,
    waiting: row.waiting,
    failing_since: formatTimeOrNull(row.failingSince),
    failure: row.failure,
    next_attempt_at: formatTimeOrNull(row.nextTryAt),
    delivered_at: formatTimeOrNull(row.deliveredAt),
    created_at: formatTime(row.createdAt),
  };
}

/** A newsletter's endpoints as the API shows them, oldest first. */
export const listWebhookRecords = async (
  ctx: Pick<Ctx, "db" | "tx">,
  { newsletterId }: Pick<OfNewsletter, "newsletterId">,
): Promise<WebhookRecord[]> => (await listEndpoints(ctx, { newsletterId })).map(presentEndpoint);

/** One endpoint as the API shows it. @throws AppError not_found */
export async function getWebhookRecord(
  ctx: Pick<Ctx, "db" | "tx">,
  { id, newsletterId }: OfEndpoint,
): Promise<WebhookRecord> {
  // A newsletter has at most ten.
  const record = (await listWebhookRecords(ctx, { newsletterId })).find((one) => one.id === id);
  if (!record) throw noLongerExists("webhook");
  return record;
}

type MessageRow = Awaited<ReturnType<typeof listMessages>>["items"][number];

/** A message of the log without its body, which has the data of people. */
export const presentWebhookMessage = (row: MessageRow): WebhookMessageRecord => ({
  ...{ number: row.number, id: row.id, type: row.type, state: row.state, attempts: row.attempts },
  status: row.answerStatus,
  attempted_at: formatTimeOrNull(row.triedAt),
  created_at: formatTime(row.createdAt),
});
