import type { BulkActionKind, LeftReason, LeftReasons } from "../contract/bulk-actions";
import { forgetBefore, rememberAsked, rememberMoved } from "../db/bulk-actions";
import type { Tx } from "../db/client";
import type { SuppressionReason } from "../db/confirmations";
import { nextConfirmations } from "../db/mail-throttle";
import {
  deleteMany,
  findAwaited,
  type LockedPerson,
  lockPeople,
  moveMany,
  noteMany,
} from "../db/people-acts";
import { mayMove } from "../domain/status-moves";
import { AppError } from "../errors";
import { recipientHash } from "../mail/outbox";
import { record } from "./audit";
import { type Ctx, withTransaction } from "./context";

/** Who acts, as it stands in a person's timeline. */
export function noteOf(ctx: Pick<Ctx, "actor">) {
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

/** Whom an act is for, and why the others are left as they are. */
type Validated = { people: LockedPerson[]; left: LeftReasons };

function sort(people: LockedPerson[], why: (person: LockedPerson) => LeftReason | null): Validated {
  const validated: Validated = { people: [], left: {} };
  for (const person of people) {
    const reason = why(person);
    if (reason === null) validated.people.push(person);
    else validated.left[reason] = (validated.left[reason] ?? 0) + 1;
  }
  return validated;
}

/** Who may be asked now to confirm: pending, may be mailed, no mail still to leave, none a minute ago. */
async function askable(tx: Tx, newsletterId: string, people: LockedPerson[]): Promise<Validated> {
  const may = people.filter((person) => person.status === "pending" && !person.suppressed);
  const ids = may.map((person) => person.id);
  const awaited = await findAwaited(tx, newsletterId, ids);
  const keys = may.filter(({ id }) => !awaited.has(id)).map(({ canonical }) => recipientHash(canonical));
  const grants = await nextConfirmations(tx, [...new Set(keys)]);
  const now = Date.now();
  return sort(people, ({ id, status, suppressed, canonical }) => {
    if (status !== "pending") return "not_pending";
    if (suppressed) return "not_to_be_mailed";
    if (awaited.has(id)) return "on_its_way";
    const grant = grants.get(recipientHash(canonical));
    if (!grant || grant.at.getTime() <= now) return null;
    return grant.dayIsFull ? "asked_often" : "asked_lately";
  });
}

export type Performed = { done: string[]; left: LeftReasons };

/**
 * Does one thing to people whom `lockPeople` holds, and remembers what it takes to undo it; whom it does not concern is
 * left alone, each for a reason.
 */
export async function perform(
  ctx: Ctx,
  tx: Tx,
  { id: runId, newsletterId, act }: { id: string; newsletterId: string; act: BulkActionKind },
  people: LockedPerson[],
): Promise<Performed> {
  if (act === "confirm") {
    const { people: asked, left } = await askable(tx, newsletterId, people);
    const done = asked.map((person) => person.id);
    const mails = await ctx.outbox.post(
      tx,
      asked.map(({ id, email, canonical }) => ({
        newsletterId,
        subscriberId: id,
        toEmail: email,
        canonical,
      })),
    );
    await rememberAsked(tx, runId, done, mails);
    return { done, left };
  }
  if (act === "erase") {
    const done = people.map((person) => person.id);
    await deleteMany(tx, newsletterId, done);
    return { done, left: {} };
  }
  const to = act === "activate" ? "active" : "unsubscribed";
  const { people: moved, left } = sort(people, ({ status }) => {
    if (status === to) return "already";
    return mayMove(status, to, ctx.actor.kind) ? null : "unsubscribed";
  });
  const done = moved.map((person) => person.id);
  await rememberMoved(tx, runId, newsletterId, done);
  await moveMany(tx, newsletterId, done, to);
  if (to === "unsubscribed") {
    const already = people.filter((person) => person.status === to);
    await forgetBefore(
      tx,
      already.map((person) => person.id),
    );
  }
  await noteMany(tx, newsletterId, done, act === "activate" ? "status.active" : "unsubscribed", noteOf(ctx));
  return { done, left };
}

/** Asks one person again, by email. @throws AppError not_found, validation_error that says why not now */
export async function askAgain(
  ctx: Ctx,
  newsletter: { id: string; accountId: string },
  id: string,
): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const [person] = await lockPeople(tx, newsletter.id, [id]);
    if (!person) throw new AppError("not_found", "This person is not on the list any more.");
    const reject = (message: string) =>
      new AppError("validation_error", message, { errors: { confirmation: [message] } });
    if (person.status !== "pending")
      throw reject("Only who is pending is asked to confirm; this person is not.");
    if (person.suppression) throw reject(suppressions[person.suppression]);
    if ((await findAwaited(tx, newsletter.id, [id])).has(id))
      throw reject("A confirmation is on its way to them already.");
    const key = recipientHash(person.canonical);
    const grant = (await nextConfirmations(tx, [key])).get(key);
    if (grant && grant.at.getTime() > Date.now()) {
      throw reject(
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
