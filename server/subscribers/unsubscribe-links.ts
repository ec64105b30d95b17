import { withTransaction } from "../accounts/context";
import { findNamedNewsletter } from "../accounts/shared-queries";
import { AppError } from "../kernel/errors";
import type { SignedLinks, UnsubscribeClaims } from "../mail/signed-links";
import type { Db, Tx } from "../platform/db/client";
import type { LinksRecord, SkippedId } from "../rest/schema/operation-schemas";
import { hardReasons } from "../suppressions/schema/suppressions";
import { isMailable } from "./confirmation-requests";
import type { Ctx } from "./context";
import { listOwnNewsletters } from "./queries/own-newsletters";
import { findExistingIds, findMergeTarget, lockSubscribers, readSubscribers } from "./queries/subscribers";
import { type MoveFrom, moveFrom } from "./status-moves";
import { changeSubscriber, type OfSubscriber, subscriberNotFound, unsubscribe } from "./subscribers";

type MakingCtx = Pick<Ctx, "db"> & { links: Pick<SignedLinks, "unsubscribeUrl"> };

/**
 * The links of many people with any status, in the order of the ids. Repeated ids get repeated links.
 * @param input ids: in lower case
 */
export async function linksOfMany(
  { db, links }: MakingCtx,
  { newsletterId, ids }: { newsletterId: string; ids: string[] },
): Promise<{ links: LinksRecord[]; skipped: SkippedId[] }> {
  const present = await findExistingIds(db, newsletterId, ids);
  return {
    links: ids
      .filter((id) => present.has(id))
      .map((id) => ({ id, unsubscribe: links.unsubscribeUrl({ newsletterId, subscriberId: id }) })),
    skipped: ids.flatMap((id, index) => (present.has(id) ? [] : { index, id, reason: "not_found" as const })),
  };
}

/** The links of one person. @throws AppError not_found */
export async function linksOfSubscriber(
  ctx: MakingCtx,
  { newsletterId, id }: OfSubscriber,
): Promise<LinksRecord> {
  const { links } = await linksOfMany(ctx, { newsletterId, ids: [id] });
  if (!links[0]) throw subscriberNotFound(id);
  return links[0];
}

/** Maximum number of successive merges that a link follows. */
const MAX_MERGES = 10;

/**
 * Earlier versions merged people: one was kept, the others became unsubscribed. A link of the others applies to the kept
 * person, who still receives email. People who received a new confirmation email or confirmed since stay themselves.
 */
export async function followMerges(db: Db, claims: UnsubscribeClaims): Promise<UnsubscribeClaims> {
  let { subscriberId } = claims;
  for (let i = 0; i < MAX_MERGES; i++) {
    const keptId = await findMergeTarget(db, claims.newsletterId, subscriberId);
    if (keptId === null) break;
    subscriberId = keptId;
  }
  return { ...claims, subscriberId };
}

/** The state behind an unsubscribe link. Without the address: the email may have been forwarded to another person. */
export type Subscription = {
  /** returning: unsubscribed, with a later email that asks whether to resubscribe. gone: erased. */
  status: MoveFrom | "gone";
  newsletter: { name: string; language: string; accountName: string };
  /** Rollcall may email them a link to resubscribe; never for an archived newsletter. */
  mayReturn: boolean;
  /** Rollcall may email them a link to their preferences. */
  mayBeMailed: boolean;
  /** Other newsletters of the account have the same address as a subscriber. */
  elsewhere: boolean;
};

/**
 * The state behind a link. Changes nothing, because mail scanners open links.
 * @throws AppError not_found for an unknown newsletter
 */
export async function showSubscription(
  { db }: { db: Db | Tx },
  { newsletterId, subscriberId }: UnsubscribeClaims,
): Promise<Subscription> {
  const found = await findNamedNewsletter(db, newsletterId);
  if (!found) throw new AppError("not_found", "This newsletter does not exist.");
  const { name, language, account, archivedAt } = found;
  const newsletter = { name, language, accountName: account.name };
  const [person] = await readSubscribers(db, newsletterId, [subscriberId]);
  if (!person) return { status: "gone", newsletter, mayReturn: false, mayBeMailed: false, elsewhere: false };
  const mayReturn = archivedAt === null && person.status === "unsubscribed" && isMailable(person);
  const mayBeMailed = !hardReasons.some((hard) => hard === person.suppression);
  const own = await listOwnNewsletters(db, newsletterId, subscriberId);
  const elsewhere = own.some((one) => one.newsletterId !== newsletterId && one.status !== "unsubscribed");
  return { status: moveFrom(person), newsletter, mayReturn, mayBeMailed, elsewhere };
}

export type LinkActor = { actor: Extract<Ctx["actor"], { kind: "link" }> };

/**
 * Unsubscribes the link's person, whatever their status. A repeat changes nothing. The undo of an earlier bulk action no
 * longer applies to them.
 * @throws AppError not_found
 */
export async function unsubscribeByPerson(
  ctx: Pick<Ctx, "db" | "tx"> & LinkActor,
  claims: UnsubscribeClaims,
): Promise<Subscription> {
  const db = ctx.tx ?? ctx.db;
  const subscription = await showSubscription({ db }, claims);
  if (subscription.status !== "gone")
    await unsubscribe(ctx, { newsletterId: claims.newsletterId, id: claims.subscriberId });
  return showSubscription({ db }, claims);
}

/**
 * Unsubscribes the link's person, and the same address on the account's other newsletters. The undo of an earlier bulk action
 * no longer applies to them.
 * @throws AppError not_found
 */
export function unsubscribeFromAll(
  ctx: Pick<Ctx, "db"> & LinkActor,
  claims: UnsubscribeClaims,
): Promise<Subscription> {
  return withTransaction(ctx, async (tx) => {
    const own = await listOwnNewsletters(tx, claims.newsletterId, claims.subscriberId);
    // Always in this order, so that two of these transactions can't wait for each other.
    own.sort((one, other) => (one.newsletterId < other.newsletterId ? -1 : 1));
    for (const { newsletterId, id } of own) await unsubscribe({ ...ctx, tx }, { newsletterId, id });
    return { ...(await showSubscription({ db: tx }, claims)), elsewhere: false };
  });
}

/**
 * Emails the link's unsubscribed person a link to resubscribe. Only the button in that email resubscribes them. Does nothing
 * for other statuses or if the address may not receive email.
 * @throws AppError not_found
 */
export function sendResubscribeLink(ctx: Ctx & LinkActor, claims: UnsubscribeClaims): Promise<Subscription> {
  return withTransaction(ctx, async (tx) => {
    const [person] = await lockSubscribers(tx, claims.newsletterId, [claims.subscriberId]);
    const subscription = await showSubscription({ db: tx }, claims);
    if (!person || !subscription.mayReturn) return subscription;
    await changeSubscriber(ctx, tx, person, { patch: { status: "pending" }, attributes: {} });
    return { ...subscription, status: "returning", mayReturn: false };
  });
}
