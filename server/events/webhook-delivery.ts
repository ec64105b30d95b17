import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { withTransaction } from "../accounts/context";
import { getNewsletter } from "../accounts/newsletters";
import { insertAudit, listOwners } from "../accounts/shared-queries";
import { concurrencyLimit } from "../kernel/concurrency-limit";
import { newId } from "../kernel/ids";
import { reseal, type Secrets, unseal } from "../kernel/secrets";
import type { NotifyStaff } from "../mail/notices";
import type { Ctx } from "../subscribers/context";
import { includeStored } from "../subscribers/include-members";
import { formatTime } from "../subscribers/subscribers";
import { type LogEntry, readLog } from "./changes";
import { redactMessages } from "./queries/about-people";
import {
  type AttemptRow,
  findEndpoint,
  findFirstWaiting,
  insertMessages,
  listEndpointsOn,
  listSecrets,
  type NewMessage,
  noteDelivered,
  noteFailed,
  placeColumns,
  placeOf,
  replaceSecrets,
  type StoredEndpoint,
  updateEndpoint,
} from "./queries/webhook-endpoints";
import { webhookEventOf, webhookFailureDays } from "./schema/webhooks";
import { failedAttempt, type Guard, type Outcome, postWebhook } from "./webhook-request";

/** The encryption purpose of endpoint secrets. */
export const sealedFor = "webhook secrets";

type SenderCtx = { authSecrets: Secrets; webhookGuard: Guard };
type DeliveryCtx = SenderCtx & {
  db: Ctx["db"];
  notify: NotifyStaff;
  log: { warn(details: object, message: string): void };
};

/** Seconds to wait after the first, second and further failures; after the last value, an hour each. */
const waits = [1, 30, 120, 600, 1_800];
const longestWait = 3_600;
const waitAfter = (failures: number, { retryAfterSeconds }: Outcome) =>
  Math.max(waits[failures - 1] ?? longestWait, Math.min(retryAfterSeconds ?? 0, longestWait));

/** The `webhook-id` header of a message. */
export const messageId = (id: string) => `msg_${id}`;

/** The result of an attempt, as one sentence. */
export const sentenceOf = ({ status, says }: Pick<Outcome, "status" | "says">) =>
  status === null ? says : `It answered ${status}.`;

/** Signs a message by Standard Webhooks and makes one attempt to deliver it. */
async function post(
  { authSecrets, webhookGuard }: SenderCtx,
  { url, secret, oldSecret, oldSecretUntil }: StoredEndpoint,
  message: { id: string; body: string },
): Promise<Outcome> {
  const now = new Date();
  const current = unseal(authSecrets, sealedFor, secret);
  if (!current)
    return failedAttempt(
      "The secret was encrypted with an AUTH_SECRET that is no longer set. Create a new secret.",
    );
  const isOldValid = oldSecret !== null && oldSecretUntil !== null && oldSecretUntil > now;
  const old = isOldValid ? unseal(authSecrets, sealedFor, oldSecret) : null;
  const id = messageId(message.id);
  const signatures = [current, ...(old ? [old] : [])].map(({ text }) =>
    new Webhook(text).sign(id, now, message.body),
  );
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Rollcall-Webhooks",
    "Webhook-Id": id,
    "Webhook-Timestamp": String(Math.floor(now.getTime() / 1000)),
    "Webhook-Signature": signatures.join(" "),
  };
  return postWebhook(webhookGuard, url, headers, message.body);
}

/** Sends a test to an endpoint. Its body says that it is a test. */
export function sendTestMessage(ctx: SenderCtx, endpoint: StoredEndpoint): Promise<Outcome> {
  const data = { message: "A test from Rollcall. No subscriber was changed." };
  const body = JSON.stringify({ type: "test", timestamp: formatTime(new Date()), number: 0, data });
  return post(ctx, endpoint, { id: newId(), body });
}

function messageOf({ kind, at, subscriberId, subscriber, detail }: LogEntry): NewMessage {
  const type = webhookEventOf(kind);
  const about = subscriber ? { subscriber } : subscriberId && { subscriber_id: subscriberId };
  // For an erased person, only the id is sent.
  const data = about && !subscriber ? about : { ...about, ...detail };
  const timestamp = formatTime(at);
  const body = (number: number) => JSON.stringify({ type, timestamp, number, data });
  return { id: newId(), type, subscriberId, at, body };
}

/** The members of a message's subscriber, besides the five fixed ones. */
const described = { fields: true, tags: true, subscribed_at: true, external_id: true };

/** Entries of the log that are read at a time. */
const PAGE = 100;

/**
 * Queues numbered messages for new log entries. If the log no longer reaches back that far, the endpoint continues with
 * the present.
 * @returns whether there may be messages to deliver, or more entries to read
 */
async function addMessages(ctx: DeliveryCtx, endpoint: StoredEndpoint): Promise<boolean> {
  const { newsletterId, events } = endpoint;
  const after = placeOf(endpoint);
  let page = await readLog(ctx, {
    ...{ newsletterId, after, limit: PAGE, withEvents: true },
    describe: (records) => includeStored(ctx, { newsletterId, records, include: described }),
  });
  if (page.problem) page = await readLog(ctx, { newsletterId, after: "now", limit: PAGE });
  const { entries, next } = page;
  if (next.epoch === after.epoch && next.xid === after.xid && next.id === after.id) return false;
  const erased = entries.flatMap(({ kind, subscriberId: id }) => (kind === "erased" && id ? id : []));
  const messages = entries.map(messageOf).filter(({ type }) => events.includes(type));
  const isMoved = await withTransaction(ctx, async (tx) => {
    // Messages about these people may have been added during the erasure.
    await redactMessages(tx, erased);
    return insertMessages(tx, endpoint, messages, placeColumns(next));
  });
  return isMoved && entries.length > 0;
}

/** Records a failure. After three days of failures the endpoint is switched off and the owners are notified by mail. */
function noteFailure(
  ctx: DeliveryCtx,
  endpoint: StoredEndpoint,
  attempt: AttemptRow,
  outcome: Outcome,
): Promise<void> {
  const { id, newsletterId, attempts, url } = endpoint;
  const failure = sentenceOf(outcome);
  const waitSeconds = waitAfter(attempts + 1, outcome);
  return withTransaction(ctx, async (tx) => {
    const noted = await noteFailed(tx, { id, url }, { ...attempt, failure, waitSeconds });
    if (!noted) return;
    const isGone = outcome.status === 410;
    if (!isGone && noted.days < webhookFailureDays) return;
    await updateEndpoint(tx, { id }, { offReason: isGone ? "gone" : "failing" });
    const { accountId, name } = await getNewsletter(tx, newsletterId);
    const host = new URL(url).host;
    for (const owner of await listOwners(tx, accountId))
      await ctx.notify(tx, owner, { kind: "webhook_off", newsletterId, newsletter: name, host, failure });
    const entry = { accountId, newsletterId, subjectId: id, detail: { name: host } };
    await insertAudit(tx, { ...entry, actorKind: "system", action: "webhook.failed" });
  });
}

/** How long an endpoint is served before other due endpoints get its place. */
const TURN_MS = 5_000;

/** Delivers the messages of a due endpoint one after another, until none is left, one fails, or its turn is over. */
async function deliver(ctx: DeliveryCtx, id: string, isOver: () => boolean): Promise<void> {
  const { db } = ctx;
  const until = performance.now() + TURN_MS;
  while (!isOver() && performance.now() < until) {
    const endpoint = await findEndpoint(db, { id });
    if (!endpoint || endpoint.offReason !== null) return;
    const message = await findFirstWaiting(db, id);
    if (!message) {
      if (await addMessages(ctx, endpoint)) continue;
      return;
    }
    const outcome = await post(ctx, endpoint, message);
    const attempt = { number: message.number, answerStatus: outcome.status, answer: outcome.says };
    if (!outcome.delivered) return noteFailure(ctx, endpoint, attempt, outcome);
    await noteDelivered(db, id, attempt);
  }
}

/** Re-encrypts secrets that an older AUTH_SECRET encrypted, so that the older one can be removed. */
async function renewSecrets({ db, authSecrets }: DeliveryCtx): Promise<void> {
  if (authSecrets.length === 1) return;
  const renewed = (sealed: string) => reseal(authSecrets, sealedFor, sealed);
  for (const { id, secret, oldSecret } of await listSecrets(db)) {
    const fresh = { secret: renewed(secret), oldSecret: oldSecret && renewed(oldSecret) };
    if (fresh.secret !== secret || fresh.oldSecret !== oldSecret)
      await replaceSecrets(db, { id, secret }, fresh);
  }
}

/** How often the log is read. Creates write only the log, so no notification announces its entries. */
const LOOK_MS = 500;
/** How often new endpoints are looked for while none is on. */
const IDLE_LOOK_MS = 2_000;
const AT_ONCE = 16;
/** How long one job runs; the next job starts within a minute. */
const STAY_MS = 50 * 60_000;

/**
 * Delivers the log to all endpoints. Each endpoint gets its messages one after another, up to 16 endpoints at once. The
 * caller's job is the lease: only one process runs this. It also runs while no endpoint is on, because the next job would
 * start up to a minute after a new endpoint.
 * @param input stays: false ends as soon as no message is due
 */
export async function runWebhooks(
  ctx: DeliveryCtx,
  { closing, stays }: { closing: AbortSignal; stays: boolean },
): Promise<void> {
  /** The endpoints that are served or wait for their turn. */
  const busy = new Map<string, Promise<void>>();
  const limited = concurrencyLimit({ limit: AT_ONCE });
  const until = performance.now() + STAY_MS;
  const isOver = () => closing.aborted || performance.now() > until;
  await renewSecrets(ctx);
  try {
    while (!isOver()) {
      // Read before the query: an endpoint that fails during the query has a wait that the query does not see.
      const working = new Set(busy.keys());
      const on = await listEndpointsOn(ctx.db);
      for (const { id } of on.filter(({ id, isDue }) => isDue && !working.has(id))) {
        const turn = limited(() => deliver(ctx, id, isOver))
          .catch((err) => ctx.log.warn({ err, endpointId: id }, "webhooks: a delivery failed; it is retried"))
          .finally(() => busy.delete(id));
        busy.set(id, turn);
      }
      if (!stays && busy.size === 0) break;
      await sleep(on.length === 0 ? IDLE_LOOK_MS : LOOK_MS, undefined, { signal: closing }).catch(() => {});
    }
  } finally {
    await Promise.all(busy.values());
  }
}
