import { confirmationPauseSeconds } from "../kernel/durations";
import type { Db, Tx } from "../platform/db/client";
import type { NewMail, Outbox } from "./outbox";
import {
  findObstacles,
  type NewestConfirmationRow,
  type Obstacles,
  readNewestConfirmations,
} from "./queries/confirmation-states";
import { budgetDomain, foreseeBudgets } from "./queries/mail-budgets";
import { nextConfirmations } from "./queries/mail-throttle";
import { recipientHash } from "./recipient-hash";
import type { ConfirmationRecord, Hold, HoldReason } from "./schema/confirmation-states";

export type ForecastContext = { db: Db; tx?: Tx; outbox: Pick<Outbox, "hasProvider"> };

/** The newest confirmation of a person. `hold`: only for `held`. */
export type ConfirmationState = {
  state: ConfirmationRecord["state"];
  hold: Hold | null;
  requestedAt: Date;
};

const heldFor = (reason: HoldReason, until: Date | null = null): Hold => ({ reason, until });

/** Why no mail leaves at all; null: mails leave. */
function standstill({ outbox }: ForecastContext, { isPaused, hasOwnProvider }: Obstacles): Hold | null {
  if (isPaused) return heldFor("paused");
  return outbox.hasProvider || hasOwnProvider ? null : heldFor("no_provider");
}

/** @param due in the order in which they leave. @returns the mails that will be held */
async function foreseeLimits(
  tx: Db | Tx,
  newsletterId: string,
  due: NewestConfirmationRow[],
): Promise<Map<string, Hold>> {
  const next = await nextConfirmations(tx, [...new Set(due.map((mail) => mail.recipientHash))]);
  const holds = new Map<string, Hold>();
  const chosen = new Map<string, NewestConfirmationRow>();
  for (const mail of due) {
    const person = next.get(mail.recipientHash);
    if (person && !person.isNow)
      holds.set(mail.id, heldFor(person.dayIsFull ? "person_day" : "person_minute", person.at));
    // Another mail to the same person, in another spelling of the address, leaves before.
    else if (chosen.has(mail.recipientHash))
      holds.set(mail.id, heldFor("person_minute", new Date(Date.now() + confirmationPauseSeconds * 1000)));
    else chosen.set(mail.recipientHash, mail);
  }
  const places = { ids: Array.from(chosen.values(), ({ id }) => id), without: [...holds.keys()] };
  const queue = { newsletterId, urgentOnly: due.every(({ urgent }) => urgent) };
  for (const { id, code, until } of await foreseeBudgets(tx, queue, places))
    holds.set(id, heldFor(code, until));
  return holds;
}

/** Whether two emails go to one person, in different spellings of the address. */
const hasRepeats = (hashes: string[]) => new Set(hashes).size < hashes.length;

/** The names of the budgets that may count a mail to this domain. Only the database knows which one does. */
const budgetNames = (domain: string) => [true, false].flatMap((isOwn) => budgetDomain(domain, isOwn) ?? []);

/** @param stopped why no mail leaves. @param foreseen for a mail that may leave now otherwise */
function holdOf({ state, isDue, code, until }: NewestConfirmationRow, stopped: Hold | null, foreseen?: Hold) {
  if (state === "logged") return heldFor("no_provider");
  if (state === "sending") return code === null ? null : (stopped ?? heldFor("provider", until));
  if (state !== "waiting" && state !== "deferred") return null;
  return stopped ?? (isDue ? (foreseen ?? null) : heldFor(code as HoldReason, until));
}

function stateWithout({ state, report }: NewestConfirmationRow): ConfirmationRecord["state"] {
  if (report === "complained" || report === "bounced") return report;
  if (state === "sent") return report ?? "sent";
  return state === "failed" || state === "uncertain" || state === "cancelled" ? state : "queued";
}

/**
 * Finds what happens to the newest confirmation of each of these people. Foresees whether a limit will hold an email
 * that may leave now.
 */
export async function findConfirmationStates(
  ctx: ForecastContext,
  { newsletterId, subscriberIds }: { newsletterId: string; subscriberIds: string[] },
): Promise<Map<string, ConfirmationState>> {
  const tx = ctx.tx ?? ctx.db;
  const rows = await readNewestConfirmations(tx, newsletterId, subscriberIds);
  const due = rows.filter(({ isDue }) => isDue);
  const hashes = due.map((mail) => mail.recipientHash);
  const isOpen = rows.some(({ state }) => ["waiting", "deferred", "sending"].includes(state));
  const obstacles = isOpen
    ? await findObstacles(tx, {
        newsletterId,
        urgentOnly: due.every(({ urgent }) => urgent),
        domains: [...new Set(due.flatMap(({ domain }) => budgetNames(domain)))],
        recipientHashes: hashes,
      })
    : null;
  const stopped = obstacles && standstill(ctx, obstacles);
  const needsForecast = !stopped && (obstacles?.isLimited || hasRepeats(hashes));
  const foreseen = needsForecast ? await foreseeLimits(tx, newsletterId, due) : new Map<string, Hold>();
  return new Map(
    rows.map((row) => {
      const hold = holdOf(row, stopped, foreseen.get(row.id));
      return [
        row.subscriberId,
        { state: hold ? "held" : stateWithout(row), hold, requestedAt: row.createdAt },
      ];
    }),
  );
}

/** A confirmation that a request has queued. `urgent`: it leaves before bulk mails. */
type QueuedConfirmation = NewMail & { urgent: boolean };

/** An outbox for one request that notes the confirmations it queues, by subscriber. */
export function noteConfirmations(outbox: Outbox) {
  const queued = new Map<string, QueuedConfirmation>();
  const noting: Outbox = {
    ...outbox,
    post(tx, mails, mailing) {
      // A transaction that is tried again after a deadlock notes the same people again.
      for (const mail of mails) queued.set(mail.subscriberId, { ...mail, urgent: mails.length === 1 });
      return outbox.post(tx, mails, mailing);
    },
  };
  return { outbox: noting, queued };
}

/**
 * Foresees which of the confirmations that an API key has just queued will be held. One statement answers, unless a
 * limit is close.
 * @returns by email, null: it leaves within seconds
 */
export async function foreseeQueued(
  ctx: ForecastContext,
  newsletterId: string,
  mails: QueuedConfirmation[],
): Promise<(Hold | null)[]> {
  if (mails.length === 0) return [];
  const hashes = mails.map(({ canonical }) => recipientHash(canonical));
  const domainOf = ({ canonical }: NewMail) => canonical.slice(canonical.indexOf("@") + 1);
  const domains = new Set(mails.flatMap((mail) => budgetDomain(domainOf(mail), true) ?? []));
  const obstacles = await findObstacles(ctx.tx ?? ctx.db, {
    newsletterId,
    urgentOnly: mails.every(({ urgent }) => urgent),
    domains: [...domains],
    recipientHashes: hashes,
  });
  const stopped = standstill(ctx, obstacles);
  if (stopped || !(obstacles.isLimited || hasRepeats(hashes))) return mails.map(() => stopped);
  const subscriberIds = mails.map(({ subscriberId }) => subscriberId);
  const states = await findConfirmationStates(ctx, { newsletterId, subscriberIds });
  return subscriberIds.map((id) => states.get(id)?.hold ?? null);
}
