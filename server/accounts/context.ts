import type { Outbox } from "../mail/outbox";
import { type Db, type Tx, withRetry } from "../platform/db/client";
import type { Jobs } from "../platform/jobs/jobs";
import type { Role } from "../staff/schema/roles";
import type { ActorNote } from "../subscribers/queries/activities";
import type { InsertQueue } from "../subscribers/queries/insert-queue";

/** Who acts: a key at the API, a staff member at the dashboard, an operator at the command line, a public link or a sign-up page. */
export type Actor =
  | { kind: "key"; id: string; newsletterId: string }
  | { kind: "staff"; id: string; accountId: string; role: Role; address?: string | null }
  | { kind: "operator"; address?: string | null }
  | { kind: "link"; address: string | null }
  | { kind: "page"; address: string | null };

/** A newsletter, and the account that it belongs to. */
export type NewsletterRef = { id: string; accountId: string };

/** What a verb needs to know of the call that it serves. */
export type Ctx = {
  db: Db;
  /** A transaction that the call has begun already: its verbs join it. */
  tx?: Tx;
  queue: InsertQueue;
  outbox: Outbox;
  jobs: Pick<Jobs, "add">;
  actor: Actor;
  requestId: string;
};

/** The part of it that a verb needs which posts no mail and inserts no subscriber. */
export type ActorContext = Pick<Ctx, "db" | "actor" | "requestId">;

/** Who acts, as activities and the audit log note it. */
export function actorOf({ actor }: Pick<Ctx, "actor">): ActorNote {
  return {
    kind: actor.kind,
    id: "id" in actor ? actor.id : null,
    address: "address" in actor ? (actor.address ?? null) : null,
  };
}

/** The staff member who acts; null for anybody else. */
export const staffIdOf = ({ actor }: Pick<Ctx, "actor">) => (actor.kind === "staff" ? actor.id : null);

/**
 * Runs `work` in one `$transaction`: all of it or nothing; again from its beginning after a deadlock. Joins the call's
 * transaction where there is one.
 */
export function withTransaction<T>(
  { db, tx }: Pick<Ctx, "db" | "tx">,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return tx ? work(tx) : withRetry(() => db.$transaction(work));
}
