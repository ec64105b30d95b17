import type { pauseDays } from "../contract/spans";
import type { Db, Tx } from "../db/client";
import { databaseNow } from "../db/clock";
import { endPauses, lockEndedPauses, startPause } from "../db/pauses";
import { type LockedSubscriber, lockSubscribers } from "../db/subscribers";
import { type Actor, withTransaction } from "./context";
import { setStatus } from "./set-status";

export type PauseDays = (typeof pauseDays)[number];

const DAY_MS = 86_400_000;
/** So many people are back in one transaction. */
const CHUNK = 200;

const cause = { kind: "pause", id: null } as const;

/**
 * Lets a person take a break, as they asked by their own link: they are unsubscribed, and active again when it is over.
 * @param person locked, and active
 */
export async function pause(
  tx: Tx,
  person: LockedSubscriber,
  { days, actor }: { days: PauseDays; actor: Extract<Actor, { kind: "link" }> },
): Promise<void> {
  const { newsletterId, id } = person;
  const until = new Date((await databaseNow(tx)).getTime() + days * DAY_MS);
  const detail = { until: ["", until.toISOString()] as [string, string] };
  await setStatus(tx, { subscribers: [person], to: "unsubscribed", actor, cause, detail });
  await startPause(tx, { newsletterId, id, until });
}

/**
 * Ends the breaks whose time is over: who has neither left for good nor come back since, and whose address is not suppressed, is
 * active again. Once more does no harm.
 */
export async function endDuePauses(db: Db, closing: AbortSignal): Promise<void> {
  let ended = CHUNK;
  while (ended > 0 && !closing.aborted)
    ended = await withTransaction({ db }, async (tx) => {
      const due = await lockEndedPauses(tx, CHUNK);
      const newsletterId = due[0]?.newsletterId;
      if (newsletterId === undefined) return 0;
      const leftAt = new Map(due.map((one) => [one.subscriberId, one.leftAt.getTime()]));
      const people = await lockSubscribers(tx, newsletterId, [...leftAt.keys()]);
      const back = people.filter(
        ({ id, status, unsubscribedAt, suppression }) =>
          status === "unsubscribed" && suppression === null && unsubscribedAt?.getTime() === leftAt.get(id),
      );
      const actor = { kind: "link", address: null } as const;
      await setStatus(tx, { subscribers: back, to: "active", actor, cause, endsPause: true });
      await endPauses(tx, newsletterId, [...leftAt.keys()]);
      return due.length;
    });
}
