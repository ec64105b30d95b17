import { type Ctx, withTransaction } from "../context";
import type { Tx } from "../db/client";
import type { SuppressionReason } from "../db/confirmations";
import { nextGrants } from "../db/mail-grants";

import {
  deleteMany,
  findAwaited,
  type LockedPerson,
  lockPeople,
  moveMany,
  noteMany,
} from "../db/people-acts";
import type { PeopleFilter } from "../db/people-filter";
import { mayMove } from "../domain/status-moves";
import { AppError } from "../errors";
import { personKey } from "../mail/outbox";
import { record } from "./audit";
import { page } from "./people";

/** What can be done with many people at once. */
export const peopleActs = ["confirm", "activate", "unsubscribe", "erase"] as const;
export type PeopleAct = (typeof peopleActs)[number];

/** How many of a chunk the act did something to, and how many it had nothing to do with. */
export type ActResult = { done: number; left: number };

const CHUNK = 200;

function noteOf(ctx: Ctx) {
  const { actor } = ctx;
  return {
    kind: actor.kind,
    id: "id" in actor ? actor.id : null,
    address: "address" in actor ? (actor.address ?? null) : null,
  };
}

const suppressions: Record<SuppressionReason, string> = {
  denied: "Whoever reads this address said that it wasn't them. They are not written to again.",
  complained:
    "Whoever reads this address called a mail of this newsletter spam. They are not written to again.",
  bounced:
    "This address takes no mail: its mail server said so for good. Correct the address, and they are asked.",
};

/** Who may be asked now to confirm: pending, never said "this wasn't me", no mail still to leave, none a minute ago. */
async function askable(tx: Tx, newsletterId: string, people: LockedPerson[]): Promise<LockedPerson[]> {
  const pending = people.filter((person) => person.status === "pending" && !person.suppressed);
  const awaited = await findAwaited(
    tx,
    newsletterId,
    pending.map((person) => person.id),
  );
  const free = pending.filter((person) => !awaited.has(person.id));
  const grants = await nextGrants(tx, [...new Set(free.map((person) => personKey(person.canonical)))]);
  return free.filter((person) => (grants.get(personKey(person.canonical))?.at.getTime() ?? 0) <= Date.now());
}

async function perform(
  ctx: Ctx,
  tx: Tx,
  newsletterId: string,
  act: PeopleAct,
  people: LockedPerson[],
): Promise<string[]> {
  if (act === "confirm") {
    const asked = await askable(tx, newsletterId, people);
    await ctx.outbox.post(
      tx,
      asked.map(({ id, email, canonical }) => ({
        newsletterId,
        subscriberId: id,
        toEmail: email,
        canonical,
      })),
    );
    return asked.map((person) => person.id);
  }
  if (act === "erase") {
    const ids = people.map((person) => person.id);
    await deleteMany(tx, newsletterId, ids);
    return ids;
  }
  const to = act === "activate" ? "active" : "unsubscribed";
  const ids = people
    .filter((person) => person.status !== to && mayMove(person.status, to, ctx.actor.kind))
    .map((person) => person.id);
  await moveMany(tx, newsletterId, ids, to);
  await noteMany(tx, newsletterId, ids, act === "activate" ? "status.active" : "unsubscribed", noteOf(ctx));
  return ids;
}

/**
 * Does one thing to people, all or nothing; whom it does not concern is left alone.
 * @param ids at most 200
 */
export async function actOn(
  ctx: Ctx,
  newsletter: { id: string; accountId: string },
  act: PeopleAct,
  ids: string[],
): Promise<ActResult> {
  return withTransaction(ctx, async (tx) => {
    const people = await lockPeople(tx, newsletter.id, ids);
    const done = await perform(ctx, tx, newsletter.id, act, people);
    if (done.length > 0) {
      // Ids and no addresses: what is erased must not live on in the log.
      await record(ctx, tx, {
        accountId: newsletter.accountId,
        newsletterId: newsletter.id,
        action: `people.${act}`,
        subjectId: done.length === 1 ? done[0] : null,
        detail: { people: done.length },
      });
    }
    return { done: done.length, left: ids.length - done.length };
  });
}

/**
 * The next chunk of an act on all who match. Ids only ever grow, so who joins meanwhile is not touched.
 * @returns what was done, and where to go on; `after: null` at the end
 */
export async function actOnMatching(
  ctx: Ctx,
  newsletter: { id: string; accountId: string },
  act: PeopleAct,
  filter: PeopleFilter,
  after: string | null,
): Promise<ActResult & { after: string | null }> {
  const from = after === null ? null : { after };
  const found = await page(ctx, filter, { order: "newest", limit: CHUNK, from });
  const result = await actOn(
    ctx,
    newsletter,
    act,
    found.people.map((person) => person.id),
  );
  return { ...result, after: found.after };
}

/** Asks one person again, by email. @throws AppError not_found, validation_error that says why not now */
export async function askAgain(
  ctx: Ctx,
  newsletter: { id: string; accountId: string },
  id: string,
): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const [person] = await lockPeople(tx, newsletter.id, [id]);
    if (!person) throw new AppError("not_found", "This person is not on the roll any more.");
    const refuse = (message: string) =>
      new AppError("validation_error", message, { errors: { confirmation: [message] } });
    if (person.status !== "pending")
      throw refuse("Only who is pending is asked to confirm; this person is not.");
    if (person.suppression) throw refuse(suppressions[person.suppression]);
    if ((await findAwaited(tx, newsletter.id, [id])).has(id))
      throw refuse("A confirmation is on its way to them already.");
    const key = personKey(person.canonical);
    const grant = (await nextGrants(tx, [key])).get(key);
    if (grant && grant.at.getTime() > Date.now()) {
      throw refuse(
        grant.dayIsFull
          ? "They were sent three confirmations today, which is as many as one person gets. Try again tomorrow."
          : "They were sent a confirmation less than a minute ago. Wait a minute, then send another.",
      );
    }
    await ctx.outbox.post(tx, [
      { newsletterId: newsletter.id, subscriberId: id, toEmail: person.email, canonical: person.canonical },
    ]);
    await record(ctx, tx, {
      accountId: newsletter.accountId,
      newsletterId: newsletter.id,
      action: "people.confirm",
      subjectId: id,
    });
  });
}
