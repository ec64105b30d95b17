import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { Secrets } from "../auth/derived-keys";
import { seal, unseal } from "../auth/sealed";
import { webhookFailureDays } from "../contract/webhooks";
import { insertAudit } from "../db/audit";
import { listOwners } from "../db/staff";
import {
  type AttemptRow,
  findEndpoint,
  findFirstWaiting,
  listEndpointsOn,
  listSecrets,
  mayTry,
  noteDelivered,
  noteFailed,
  replaceSecrets,
  type StoredEndpoint,
  updateEndpoint,
} from "../db/webhook-endpoints";
import { newId } from "../domain/ids";
import type { NotifyStaff } from "../mail/notices";
import { type Ctx, withTransaction } from "./context";
import { getNewsletter } from "./newsletters";
import { formatTime } from "./subscribers";
import { numberMessages } from "./webhook-numbering";
import { type Guard, type Line, type Outcome, openLine } from "./webhook-request";

/** What the secrets of endpoints are encrypted for. */
export const sealedFor = "webhook secrets";

type SenderCtx = { authSecrets: Secrets; webhookGuard: Guard };

type DeliveryCtx = Pick<Ctx, "db"> &
  SenderCtx & {
    notify: NotifyStaff;
    log: { warn(details: object, message: string): void };
  };

/** How long an endpoint that failed so often, from once, is left alone; from then on an hour. */
const waits = [1, 30, 120, 600, 1_800];
const longestWait = 3_600;
const waitAfter = (failures: number, { retryAfterSeconds }: Outcome) =>
  Math.max(waits[failures - 1] ?? longestWait, Math.min(retryAfterSeconds ?? 0, longestWait));

/** The `webhook-id` header of a message. */
export const messageId = (id: string) => `msg_${id}`;

/** What came of an attempt, as one sentence. */
export const sentenceOf = ({ status, says }: Pick<Outcome, "status" | "says">) =>
  status === null ? says : `It answered ${status}.`;

type Signed = { id: string; body: string };

/** The headers of Standard Webhooks; null when AUTH_SECRET names no secret any more that encrypted the endpoint's. */
function headersFor(
  { authSecrets }: SenderCtx,
  { secret, oldSecret, oldSecretUntil }: StoredEndpoint,
  { id, body }: Signed,
): Record<string, string> | null {
  const current = unseal(authSecrets, sealedFor, secret);
  if (!current) return null;
  const isOldValid = oldSecret !== null && oldSecretUntil !== null && oldSecretUntil.getTime() > Date.now();
  const old = isOldValid ? unseal(authSecrets, sealedFor, oldSecret) : null;
  const now = new Date();
  const signatures = [current, ...(old ? [old] : [])].map(({ text }) =>
    new Webhook(text).sign(id, now, body),
  );
  return {
    "Content-Type": "application/json",
    "User-Agent": "Rollcall-Webhooks",
    "Webhook-Id": id,
    "Webhook-Timestamp": String(Math.floor(now.getTime() / 1000)),
    "Webhook-Signature": signatures.join(" "),
  };
}

const NO_SECRET: Outcome = {
  delivered: false,
  status: null,
  says: "The secret was encrypted with an AUTH_SECRET that is no longer set. Create a new secret.",
  retryAfterSeconds: null,
};

async function post(ctx: SenderCtx, endpoint: StoredEndpoint, line: Line, signed: Signed): Promise<Outcome> {
  const headers = headersFor(ctx, endpoint, signed);
  return headers ? line.post(headers, signed.body) : NO_SECRET;
}

/** Sends a test to an endpoint, which says of itself that it is one. */
export async function sendTestMessage(ctx: SenderCtx, endpoint: StoredEndpoint): Promise<Outcome> {
  const line = openLine(ctx.webhookGuard, endpoint.url);
  const data = { message: "A test from Rollcall. No subscriber was changed." };
  const body = JSON.stringify({ type: "test", timestamp: formatTime(new Date()), number: 0, data });
  try {
    return await post(ctx, endpoint, line, { id: messageId(newId()), body });
  } finally {
    line.close();
  }
}

/** Notes a failure; after three days of them the endpoint is off, and the owners are told by mail. */
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
    await insertAudit(tx, {
      ...{ accountId, newsletterId, subjectId: id, detail: { name: host } },
      ...{ actorKind: "system", actorId: null, address: null, requestId: null },
      action: "webhook.failed",
    });
  });
}

/** Delivers an endpoint's messages one after another, until there is none, one fails, or `isOver`. */
async function workOn(ctx: DeliveryCtx, id: string, isOver: () => boolean): Promise<void> {
  const { db } = ctx;
  if (!(await mayTry(db, id))) return;
  let line: Line | undefined;
  let address = "";
  try {
    while (!isOver()) {
      const endpoint = await findEndpoint(db, { id });
      if (!endpoint || endpoint.offReason !== null) return;
      const message = await findFirstWaiting(db, id);
      if (!message) {
        if (await numberMessages(ctx, endpoint)) continue;
        return;
      }
      if (endpoint.url !== address) {
        line?.close();
        address = endpoint.url;
        line = openLine(ctx.webhookGuard, address);
      }
      const signed = { id: messageId(message.id), body: message.body };
      const outcome = await post(ctx, endpoint, line as Line, signed);
      const attempt = { number: message.number, answerStatus: outcome.status, answer: outcome.says };
      if (outcome.delivered) await noteDelivered(db, id, attempt);
      else return await noteFailure(ctx, endpoint, attempt, outcome);
    }
  } finally {
    line?.close();
  }
}

/** Encrypts anew what an older AUTH_SECRET encrypted, so that it outlives that. */
async function renewSecrets({ db, authSecrets }: DeliveryCtx): Promise<void> {
  if (authSecrets.length === 1) return;
  const renewed = (sealed: string) => {
    const found = unseal(authSecrets, sealedFor, sealed);
    return found?.isOld ? seal(authSecrets, sealedFor, found.text) : sealed;
  };
  for (const { id, secret, oldSecret } of await listSecrets(db)) {
    const fresh = { secret: renewed(secret), oldSecret: oldSecret && renewed(oldSecret) };
    if (fresh.secret !== secret || fresh.oldSecret !== oldSecret)
      await replaceSecrets(db, { id, secret }, fresh);
  }
}

/** How often the database is asked what there is to tell. */
const LOOK_MS = 500;
/** How many endpoints are worked on at once. */
const AT_ONCE = 16;
/** How long one is worked on while others wait for their turn. */
const TURN_MS = 3_000;
/** How long one job stays; the next begins within a minute. */
const STAY_MS = 50 * 60_000;

/**
 * Tells endpoints what happened, until none is on. One process of all does; each endpoint gets its messages one after another.
 * @param stays false: ends as soon as there is nothing to tell
 */
export async function runWebhooks(ctx: DeliveryCtx, closing: AbortSignal, stays: boolean): Promise<void> {
  const busy = new Map<string, Promise<void>>();
  const until = performance.now() + STAY_MS;
  const isOver = () => closing.aborted || performance.now() > until;
  /** When each endpoint had its last turn; those that had none yet are looked at even if they have nothing to be told. */
  const turns = new Map<string, number>();
  let isAnyLeft = false;
  await renewSecrets(ctx);
  try {
    while (!isOver()) {
      const on = await listEndpointsOn(ctx.db);
      if (on.length === 0) break;
      // Who has nothing to be told moves on once, too, before what is behind them is forgotten.
      const due = on.filter(({ id, isDue }) => (isDue || !turns.has(id)) && !busy.has(id));
      due.sort((one, other) => (turns.get(one.id) ?? 0) - (turns.get(other.id) ?? 0));
      isAnyLeft = due.length > AT_ONCE - busy.size;
      for (const { id } of due.slice(0, AT_ONCE - busy.size)) {
        const begun = performance.now();
        turns.set(id, begun);
        const work = workOn(ctx, id, () => isOver() || (isAnyLeft && performance.now() - begun > TURN_MS))
          .catch((err) =>
            ctx.log.warn({ err, endpointId: id }, "webhooks: delivery to an endpoint is postponed"),
          )
          .finally(() => busy.delete(id));
        busy.set(id, work);
      }
      if (!stays && busy.size === 0) break;
      await sleep(LOOK_MS, undefined, { signal: closing }).catch(() => {});
    }
  } finally {
    await Promise.all(busy.values());
  }
}
