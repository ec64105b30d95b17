import { createHash } from "node:crypto";
import { withTransaction } from "../accounts/context";
import { AppError, malformed, toAppError } from "../kernel/errors";
import type { Tx } from "../platform/db/client";
import type { Ctx } from "../subscribers/context";
import { findOrLock, type IdempotentRequest, type SavedAnswer, saveAnswer } from "./queries/idempotency";

export type { IdempotentRequest };

/** An answer as it is saved: its final bytes. */
export type AnswerBytes = { status: number; body: string };
/** How an adapter makes its answers from what was saved, and from the error that is saved. */
export type AnswerAs<Answer> = { replayed(saved: AnswerBytes): Answer; failed(error: AppError): Answer };

/** The one error that is saved: a repeat would otherwise get it because of its own first request. */
const SAVED_REJECTION = "email_already_subscribed";

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/**
 * The request's Idempotency-Key, bound to who asks what; null when it has none.
 * @throws AppError validation_error (400) when the header is not 1 to 255 printable ASCII characters
 */
export function idempotentRequest(
  request: Request,
  url: URL,
  apiKeyId: string,
  bytes: Uint8Array,
): IdempotentRequest | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!PRINTABLE.test(key)) {
    throw malformed("Idempotency-Key must be 1 to 255 printable ASCII characters, such as a UUID.", {
      errors: { "Idempotency-Key": ["Must be 1 to 255 printable ASCII characters."] },
    });
  }
  // What the query asks for is part of what the request is.
  const hash = createHash("sha256").update(url.search).update("\0").update(bytes).digest();
  return { apiKeyId, method: request.method, path: url.pathname, key, hash };
}

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
 * What the first request with this key was answered; null where this one is the first, and holds the key's lock.
 * @throws AppError idempotency_conflict while the first is running
 */
async function findFirstAnswer(tx: Tx, request: IdempotentRequest): Promise<SavedAnswer | null> {
  let wasLocked = false;
  for (let look = 1; ; look++) {
    const { saved, isLocked } = await findOrLock(tx, request);
    if (saved) return saved;
    // The first may have finished between the last look and the lock; this look came after the lock.
    if (wasLocked) return null;
    if (!isLocked && look > 1) throw stillRunning();
    wasLocked = isLocked;
  }
}

/**
 * Runs `work` once for all requests with this key: the answer is saved in the transaction of its effect, and a repeat
 * gets it byte for byte. Saved are 2xx and `email_already_subscribed`; any other failure leaves nothing behind.
 * @throws AppError idempotency_conflict, idempotency_key_reused, and what `work` throws
 */
export async function once<Answer extends AnswerBytes>(
  ctx: Ctx,
  request: IdempotentRequest,
  work: (tx: Tx) => Promise<Answer>,
  as: AnswerAs<Answer>,
): Promise<Answer> {
  return withTransaction(ctx, async (tx) => {
    const saved = await findFirstAnswer(tx, request);
    if (saved && !saved.sameRequest) throw keyReused();
    if (saved) return as.replayed(saved);
    const answer = await work(tx).catch((thrown: unknown) => {
      const error = toAppError(thrown);
      if (error.code === SAVED_REJECTION) return as.failed(error);
      throw thrown;
    });
    await saveAnswer(tx, request, answer.status, answer.body);
    return answer;
  });
}
