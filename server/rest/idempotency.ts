import { createHash } from "node:crypto";
import { withTransaction } from "../accounts/context";
import { AppError, malformed, toAppError } from "../kernel/errors";
import { seal, unseal } from "../kernel/secrets";
import type { Tx } from "../platform/db/client";
import { readJsonBytes } from "../platform/http/request-body";
import type { Ctx } from "../subscribers/context";
import { type Answer, failure, replayHeader } from "./envelope";
import { findOrLock, type IdempotentRequest, type SavedAnswer, saveAnswer } from "./queries/idempotency";
import { parseBody, type RestContext } from "./read-request";

/** The only error that is saved. Without it, a retry would be rejected because its own first request succeeded. */
const SAVED_REJECTION = "email_already_subscribed";

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/**
 * Returns the request's Idempotency-Key with the API key and the request's hash; null without the header.
 * @throws AppError validation_error (400) when the header is not 1 to 255 printable ASCII characters
 */
function idempotentRequest(
  { request, url, principal }: RestContext,
  bytes: Uint8Array,
): IdempotentRequest | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!PRINTABLE.test(key)) {
    throw malformed("Idempotency-Key must be 1 to 255 printable ASCII characters, such as a UUID.", {
      errors: { "Idempotency-Key": ["Must be 1 to 255 printable ASCII characters."] },
    });
  }
  // The hash includes the query, which is part of the request.
  const hash = createHash("sha256").update(url.search).update("\0").update(bytes).digest();
  return { apiKeyId: principal.id, method: request.method, path: url.pathname, key, hash };
}

/** The body of a request that `once` runs. */
export type Given = { value: unknown; idempotent: IdempotentRequest | null };

/** Parses the body and reads the idempotency header. */
export const parseOnce = (context: RestContext, bytes: Uint8Array): Given => ({
  value: parseBody(context, bytes),
  idempotent: idempotentRequest(context, bytes),
});

/** Reads the body too. */
export const readOnce = async (context: RestContext) =>
  parseOnce(context, await readJsonBytes(context.request));

const keyReused = () =>
  new AppError(
    "idempotency_key_reused",
    "This Idempotency-Key was used for another request. Use a new one for each request.",
  );

const stillRunning = () =>
  new AppError(
    "idempotency_conflict",
    "The first request with this Idempotency-Key is still running. Repeat this request with the same key after Retry-After seconds.",
    { retryAfterSeconds: 1 },
  );

/**
 * Returns the answer of the first request with this idempotency key. Null when this request is the first; it then holds
 * the key's lock.
 * @throws AppError idempotency_conflict while the first request is running
 */
async function findFirstAnswer(tx: Tx, request: IdempotentRequest): Promise<SavedAnswer | null> {
  let wasLocked = false;
  for (let look = 1; ; look++) {
    const { saved, isLocked } = await findOrLock(tx, request);
    if (saved) return saved;
    // The first request may have finished between the lookup and the lock. This lookup ran with the lock held.
    if (wasLocked) return null;
    if (!isLocked && look > 1) throw stillRunning();
    wasLocked = isLocked;
  }
}

const sealedFor = "idempotent answers";

const unreadable = () =>
  new AppError(
    "idempotency_key_reused",
    "The first response has a secret that can't be decrypted, because AUTH_SECRET was changed. Use a new Idempotency-Key.",
  );

function replayed({ app, operation }: RestContext, { status, body: stored }: SavedAnswer): Answer {
  const body = operation.hasSecret ? unseal(app.authSecrets, sealedFor, stored)?.text : stored;
  if (body === undefined) throw unreadable();
  const answer = { status, body, headers: replayHeader };
  if (status < 400) return answer;
  const { message, errors } = JSON.parse(body);
  return { ...answer, error: new AppError(SAVED_REJECTION, message, { errors }) };
}

/**
 * Runs `work` once for all requests with this idempotency key, and always without a key. The answer is saved in the
 * transaction of its effect, and a retry gets the same bytes. Only 2xx and `email_already_subscribed` answers are saved.
 * Any other failure leaves no change.
 * @throws AppError idempotency_conflict, idempotency_key_reused, and errors of `work`
 */
export async function once(
  context: RestContext,
  request: IdempotentRequest | null,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Answer> {
  const { app, ctx, operation } = context;
  if (!request) return work(ctx);
  return withTransaction(ctx, async (tx) => {
    const saved = await findFirstAnswer(tx, request);
    if (saved && !saved.sameRequest) throw keyReused();
    if (saved) return replayed(context, saved);
    const answer = await work({ ...ctx, tx }).catch((thrown: unknown) => {
      const error = toAppError(thrown);
      if (error.code === SAVED_REJECTION) return failure(error, app.appUrl);
      throw thrown;
    });
    const body = operation.hasSecret ? seal(app.authSecrets, sealedFor, answer.body) : answer.body;
    await saveAnswer(tx, request, answer.status, body);
    return answer;
  });
}
