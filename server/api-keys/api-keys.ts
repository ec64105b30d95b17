import { record } from "../accounts/audit";
import { type ActorContext, type NewsletterRef, staffIdOf, withTransaction } from "../accounts/context";
import { getAccount, getNewsletter } from "../accounts/newsletters";
import { updateApiAccess } from "../accounts/shared-queries";
import { AppError, parse } from "../kernel/errors";
import { isId, newId } from "../kernel/ids";
import { digestOf } from "../kernel/secrets";
import { DAY_MS } from "../kernel/time";
import type { Tx } from "../platform/db/client";
import { listInvitationsBy, staffNames } from "../staff/shared-queries";
import { makeSecret, prefixOf } from "./api-key";
import * as keys from "./queries/api-keys";
import { NewKey } from "./schema/new-key";

type KeyFacts = { name: string; permissions: string[]; networks: string[]; expiresInDays: number | null };
/** Without a newsletter, the key is for all newsletters of the account. */
type Scope = { newsletterId: string | null; accountId: string };

async function insertKey(
  ctx: ActorContext,
  tx: Tx,
  { newsletterId, accountId }: Scope,
  { name, permissions, networks, expiresInDays }: KeyFacts,
) {
  const secret = makeSecret();
  const id = newId();
  await keys.insertApiKey(tx, {
    id,
    ...(newsletterId === null ? { accountId } : { newsletterId }),
    name,
    permissions,
    networks,
    prefix: prefixOf(secret),
    secretSha256: new Uint8Array(digestOf(secret)),
    createdBy: staffIdOf(ctx),
    // This machine's clock sets the expiry date. The database's clock decides when the key has expired.
    expiresAt: expiresInDays === null ? null : new Date(Date.now() + expiresInDays * DAY_MS),
  });
  const detail = { name, permissions, ...(networks.length > 0 && { networks }) };
  await record(ctx, tx, { accountId, newsletterId, action: "api_key.created", subjectId: id, detail });
  return { id, secret };
}

/** Makes a key in the caller's transaction. `secret` is shown once and never stored. @throws AppError validation_error */
export function makeKey(ctx: ActorContext, tx: Tx, { id, accountId }: NewsletterRef, key: NewKey) {
  const { forAllNewsletters, ...facts } = parse(NewKey, key);
  return insertKey(ctx, tx, { newsletterId: forAllNewsletters ? null : id, accountId }, facts);
}

/** Makes a key for a newsletter, or for all newsletters of its account. @throws AppError not_found, validation_error */
export function createKey(ctx: ActorContext, { newsletterId, key }: { newsletterId: string; key: NewKey }) {
  return withTransaction(ctx, async (tx) => makeKey(ctx, tx, await getNewsletter(tx, newsletterId), key));
}

/** With `newsletterId`, only a key that this newsletter can be used with. */
type OfKey = { newsletterId?: string; keyId: string };

const findKey = async (tx: Tx, { keyId, newsletterId }: OfKey) =>
  isId(keyId) ? keys.findApiKey(tx, { id: keyId, ...(newsletterId && { newsletterId }) }) : null;

/**
 * Revokes a key at once, in every process. Revoking a revoked key changes nothing.
 * @throws AppError not_found
 */
export function revokeKey(ctx: ActorContext, of: OfKey): Promise<void> {
  const { keyId } = of;
  return withTransaction(ctx, async (tx) => {
    const key = await findKey(tx, of);
    if (!key) throw new AppError("not_found", `Unknown API key id: ${keyId}.`);
    if (key.revokedAt) return;
    await keys.setRevoked(tx, keyId);
    await keys.announceKeyChange(tx);
    const { accountId, newsletterId, name } = key;
    const detail = { name };
    await record(ctx, tx, { accountId, newsletterId, action: "api_key.revoked", subjectId: keyId, detail });
  });
}

/**
 * Makes a key with the old key's name, permissions, networks and lifetime. The old key expires after the overlap; 0 means at
 * once.
 * @throws AppError not_found when the key has ended or can't be used for the newsletter
 */
export function rotateKey(ctx: ActorContext, { overlapHours, ...of }: OfKey & { overlapHours: number }) {
  const { keyId } = of;
  return withTransaction(ctx, async (tx) => {
    const old = await findKey(tx, of);
    if (!old || old.revokedAt)
      throw new AppError("not_found", "This key no longer exists, so it can't be rotated.");
    const { name, permissions, networks, accountId, newsletterId, createdAt, expiresAt } = old;
    const expiresInDays = expiresAt && Math.max((expiresAt.getTime() - createdAt.getTime()) / DAY_MS, 1);
    // Permissions are not validated again: those of older keys and of newer releases can't be chosen, but are kept.
    const facts = { name, permissions, networks, expiresInDays };
    const made = await insertKey(ctx, tx, { newsletterId, accountId }, facts);
    await keys.setReplaced(tx, keyId, made.id, overlapHours);
    await keys.announceKeyChange(tx);
    const detail = { name, overlapHours };
    await record(ctx, tx, { accountId, newsletterId, action: "api_key.rotated", subjectId: keyId, detail });
    return made;
  });
}

/** Lists the keys that a newsletter can be used with, newest first, without secrets. */
export async function listKeys({ db }: Pick<ActorContext, "db">, { newsletterId }: { newsletterId: string }) {
  const rows = await keys.listApiKeys(db, newsletterId);
  const makers = rows.flatMap((key) => key.createdBy ?? []);
  const names = await staffNames(db, makers);
  return rows.map((key) => ({
    ...key,
    createdBy: (key.createdBy && names.get(key.createdBy)) || null,
    state: stateOf(key),
  }));
}

type Ends = { revokedAt: Date | null; expiresAt: Date | null; replacedBy: string | null };

function stateOf({ revokedAt, expiresAt, replacedBy }: Ends) {
  if (revokedAt) return "revoked" as const;
  if (expiresAt && expiresAt.getTime() <= Date.now()) return "expired" as const;
  return replacedBy ? ("rotated" as const) : ("live" as const);
}

/** Lists a staff member's open invitations and live API keys. */
export async function listMadeByStaff(
  { db }: Pick<ActorContext, "db">,
  { accountId, id }: { accountId: string; id: string },
) {
  const [invitations, made] = await Promise.all([
    listInvitationsBy(db, accountId, id),
    keys.listLiveKeysBy(db, accountId, id),
  ]);
  return { invitations, keys: made };
}

/** Turns an account's API access on or off, in every process at once. @throws AppError not_found */
export function setApiAccess(ctx: ActorContext, { accountId, on }: { accountId: string; on: boolean }) {
  return withTransaction(ctx, async (tx) => {
    await getAccount(tx, accountId);
    await updateApiAccess(tx, accountId, on);
    await keys.announceKeyChange(tx);
    const action = on ? "api_access.on" : "api_access.off";
    await record(ctx, tx, { accountId, action, subjectId: accountId });
  });
}
