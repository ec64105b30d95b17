import { digestOf, makeSecret, prefixOf } from "../auth/api-key";
import { NewKey } from "../contract/names";
import { announceKeyChange } from "../db/api-keys";
import type { Tx } from "../db/client";
import { newId } from "../domain/ids";
import { AppError } from "../errors";
import { record } from "./audit";
import { type Ctx, withTransaction } from "./context";
import { getNewsletter } from "./newsletters";
import { isId, parse } from "./parse";

const DAY_MS = 24 * 60 * 60 * 1000;

type Acting = Pick<Ctx, "db" | "actor" | "requestId">;

/** Makes a key in the caller's transaction. `secret` is shown this once and kept nowhere. */
export async function insertKey(
  ctx: Acting,
  tx: Tx,
  newsletter: { id: string; accountId: string },
  input: NewKey,
) {
  const { name, permissions, expiresInDays } = parse(NewKey, input);
  const secret = makeSecret();
  const id = newId();
  await tx.apiKey.create({
    data: {
      id,
      newsletterId: newsletter.id,
      name,
      permissions,
      prefix: prefixOf(secret),
      secretSha256: new Uint8Array(digestOf(secret)),
      createdBy: ctx.actor.kind === "staff" ? ctx.actor.id : null,
      // The clock of this machine; it decides a date some days ahead, and the database's clock decides when it has come.
      expiresAt: expiresInDays === null ? null : new Date(Date.now() + expiresInDays * DAY_MS),
    },
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
export async function createKey(ctx: Acting, newsletterId: string, input: NewKey) {
  return withTransaction(ctx, async (tx) => insertKey(ctx, tx, await getNewsletter(tx, newsletterId), input));
}

/**
 * Ends a key at once, in every process. Ending it again changes nothing.
 * @param newsletterId when given, another newsletter's key does not exist
 * @throws AppError not_found
 */
export async function revokeKey(ctx: Acting, keyId: string, newsletterId?: string): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const key = isId(keyId)
      ? await tx.apiKey.findUnique({ where: { id: keyId }, include: { newsletter: true } })
      : null;
    if (!key || (newsletterId !== undefined && key.newsletterId !== newsletterId)) {
      throw new AppError("not_found", `There is no API key with the id ${keyId}.`);
    }
    if (key.revokedAt) return;
    await tx.$executeRaw`UPDATE api_keys SET revoked_at = now() WHERE id = ${keyId}::uuid`;
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

/** Every key of the installation, newest first, without secrets. */
export async function listKeys(ctx: Acting) {
  return ctx.db.apiKey.findMany({
    orderBy: { id: "desc" },
    omit: { secretSha256: true },
    include: { newsletter: { select: { name: true } } },
  });
}

/**
 * A new key with the old one's name, permissions and life; the old one goes on for the overlap, and no longer.
 * @param overlapHours 0 ends the old one at once
 * @throws AppError not_found when the key is another newsletter's or has ended
 */
export async function rotateKey(ctx: Acting, newsletterId: string, keyId: string, overlapHours: number) {
  return withTransaction(ctx, async (tx) => {
    const newsletter = await getNewsletter(tx, newsletterId);
    const old = await tx.apiKey.findFirst({ where: { id: keyId, newsletterId, revokedAt: null } });
    if (!old)
      throw new AppError("not_found", "There is no such key any more, so there is nothing to rotate.");
    const lifeMs = old.expiresAt ? old.expiresAt.getTime() - old.createdAt.getTime() : null;
    const made = await insertKey(ctx, tx, newsletter, {
      name: old.name,
      permissions: old.permissions as NewKey["permissions"],
      expiresInDays: lifeMs === null ? null : Math.max(lifeMs / DAY_MS, 1),
    });
    await tx.$executeRaw`
      UPDATE api_keys SET expires_at = least(expires_at, now() + make_interval(hours => ${overlapHours}::int))
      WHERE id = ${keyId}::uuid`;
    await announceKeyChange(tx);
    await record(ctx, tx, {
      accountId: newsletter.accountId,
      newsletterId,
      action: "api_key.rotated",
      subjectId: keyId,
      detail: { name: old.name, overlapHours },
    });
    return made;
  });
}

/** The keys of one newsletter, newest first, without secrets. */
export async function keysOf(ctx: Pick<Acting, "db">, newsletterId: string) {
  const keys = await ctx.db.apiKey.findMany({
    where: { newsletterId },
    orderBy: { id: "desc" },
    take: 200,
    omit: { secretSha256: true, newsletterId: true },
  });
  const staff = await ctx.db.staffMember.findMany({
    where: { id: { in: keys.flatMap((key) => key.createdBy ?? []) } },
    select: { id: true, name: true },
  });
  const names = new Map(staff.map(({ id, name }) => [id, name]));
  const now = Date.now();
  return keys.map(({ createdBy, ...key }) => ({
    ...key,
    createdBy: createdBy ? (names.get(createdBy) ?? null) : null,
    state: key.revokedAt
      ? ("revoked" as const)
      : key.expiresAt && key.expiresAt.getTime() <= now
        ? ("expired" as const)
        : ("live" as const),
  }));
}
