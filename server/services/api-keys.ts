import { digestOf, makeSecret, prefixOf } from "../auth/api-key";
import { NewKey } from "../contract/names";
import {
  announceKeyChange,
  findApiKey,
  insertApiKey,
  limitKeyLife,
  listAllApiKeys,
  listApiKeys,
  setRevoked,
} from "../db/api-keys";
import type { Tx } from "../db/client";
import { staffNames } from "../db/staff";
import { newId } from "../domain/ids";
import { AppError } from "../errors";
import { record } from "./audit";
import { type ActorContext, withTransaction } from "./context";
import { getNewsletter } from "./newsletters";
import { isId, parse } from "./parse";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes a key in the caller's transaction. `secret` is shown once and stored nowhere. */
export async function makeKey(
  ctx: ActorContext,
  tx: Tx,
  newsletter: { id: string; accountId: string },
  input: NewKey,
) {
  const { name, permissions, expiresInDays } = parse(NewKey, input);
  const secret = makeSecret();
  const id = newId();
  await insertApiKey(tx, {
    id,
    newsletterId: newsletter.id,
    name,
    permissions,
    prefix: prefixOf(secret),
    secretSha256: new Uint8Array(digestOf(secret)),
    createdBy: ctx.actor.kind === "staff" ? ctx.actor.id : null,
    // This machine's clock sets a date some days ahead; the database's clock decides when it has come.
    expiresAt: expiresInDays === null ? null : new Date(Date.now() + expiresInDays * DAY_MS),
  });
  await record(ctx, tx, {
    accountId: newsletter.accountId,
    newsletterId: newsletter.id,
    action: "api_key.created",
    subjectId: id,
    detail: { name, permissions },
  });
  return { id, secret };
}

/** Makes a key for a newsletter. @throws AppError not_found, validation_error */
export function createKey(ctx: ActorContext, { newsletterId, key }: { newsletterId: string; key: NewKey }) {
  return withTransaction(ctx, async (tx) => makeKey(ctx, tx, await getNewsletter(tx, newsletterId), key));
}

type OfKey = { newsletterId: string; keyId: string };

/**
 * Ends a key at once, in every process. Ending it again changes nothing.
 * @param input without a newsletter's id, the key may be of any
 * @throws AppError not_found
 */
export async function revokeKey(ctx: ActorContext, input: Partial<OfKey> & { keyId: string }): Promise<void> {
  const { keyId, newsletterId } = input;
  await withTransaction(ctx, async (tx) => {
    const key = isId(keyId)
      ? await findApiKey(tx, { id: keyId, ...(newsletterId && { newsletterId }) })
      : null;
    if (!key) throw new AppError("not_found", `There is no API key with the id ${keyId}.`);
    if (key.revokedAt) return;
    await setRevoked(tx, keyId);
    await announceKeyChange(tx);
    await record(ctx, tx, {
      accountId: key.newsletter.accountId,
      newsletterId: key.newsletterId,
      action: "api_key.revoked",
      subjectId: keyId,
      detail: { name: key.name },
    });
  });
}

/**
 * Makes a key with the old one's name, permissions and life; the old one ends after the overlap, 0 being at once.
 * @throws AppError not_found when the key is another newsletter's or has ended
 */
export async function rotateKey(ctx: ActorContext, input: OfKey & { overlapHours: number }) {
  const { newsletterId, keyId, overlapHours } = input;
  return withTransaction(ctx, async (tx) => {
    const old = await findApiKey(tx, { id: keyId, newsletterId });
    if (!old || old.revokedAt)
      throw new AppError("not_found", "There is no such key any more, so there is nothing to rotate.");
    const { accountId } = old.newsletter;
    const lifeMs = old.expiresAt ? old.expiresAt.getTime() - old.createdAt.getTime() : null;
    const made = await makeKey(
      ctx,
      tx,
      { id: newsletterId, accountId },
      {
        name: old.name,
        permissions: old.permissions as NewKey["permissions"],
        expiresInDays: lifeMs === null ? null : Math.max(lifeMs / DAY_MS, 1),
      },
    );
    await limitKeyLife(tx, keyId, overlapHours);
    await announceKeyChange(tx);
    await record(ctx, tx, {
      accountId,
      newsletterId,
      action: "api_key.rotated",
      subjectId: keyId,
      detail: { name: old.name, overlapHours },
    });
    return made;
  });
}

/** Every key of the installation, newest first, without secrets. */
export function listAllKeys(ctx: Pick<ActorContext, "db">) {
  return listAllApiKeys(ctx.db);
}

/** The keys of one newsletter, newest first, without secrets. */
export async function listKeys({ db }: Pick<ActorContext, "db">, { newsletterId }: { newsletterId: string }) {
  const keys = await listApiKeys(db, newsletterId);
  const names = await staffNames(
    db,
    keys.flatMap((key) => key.createdBy ?? []),
  );
  return keys.map((key) => ({
    ...key,
    createdBy: (key.createdBy && names.get(key.createdBy)) || null,
    state: stateOf(key),
  }));
}

function stateOf({ revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null }) {
  if (revokedAt) return "revoked" as const;
  return expiresAt && expiresAt.getTime() <= Date.now() ? ("expired" as const) : ("live" as const);
}
