import { type Db, type Tx, withRetry } from "../platform/db/client";
import type { Role } from "../staff/schema/roles";

/** The actor: an API key, a staff member, an operator at the command line, a public link or sign-up page. */
export type Actor =
  | { kind: "key"; id: string; newsletterId: string }
  | { kind: "staff"; id: string; accountId: string; role: Role; address?: string | null }
  | { kind: "operator"; address?: string | null }
  | { kind: "link"; address: string | null }
  | { kind: "page"; address: string | null };

/** A newsletter and its account. */
export type NewsletterRef = { id: string; accountId: string };
/** The same in the input of a verb. */
export type OfNewsletter = { newsletterId: string; accountId: string };

export const ofNewsletter = ({ id, accountId }: NewsletterRef): OfNewsletter => ({
  newsletterId: id,
  accountId,
});

/** The context of a verb that sends no email and inserts no subscriber. */
export type ActorContext = {
  db: Db;
  /** The caller's open transaction, if any. Verbs join it. */
  tx?: Tx;
  actor: Actor;
  requestId: string;
};

/** The actor as activities and the audit log store it. `address` is the caller's IP address. */
export type ActorNote = { kind: string; id: string | null; address: string | null };

export function actorOf({ actor }: Pick<ActorContext, "actor">): ActorNote {
  return {
    kind: actor.kind,
    id: "id" in actor ? actor.id : null,
    address: "address" in actor ? (actor.address ?? null) : null,
  };
}

/** Returns the id of the acting staff member; null for any other actor. */
export const staffIdOf = ({ actor }: Pick<ActorContext, "actor">) =>
  actor.kind === "staff" ? actor.id : null;

/** Returns the id of the acting API key; null for any other actor. */
export const apiKeyIdOf = ({ actor }: Pick<ActorContext, "actor">) =>
  actor.kind === "key" ? actor.id : null;

/**
 * Runs `work` in one `$transaction`, all or nothing. After a deadlock, `work` starts again from its beginning. Joins
 * the caller's transaction if there is one.
 */
export function withTransaction<T>(
  { db, tx }: { db: Db; tx?: Tx | undefined },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return tx ? work(tx) : withRetry(() => db.$transaction(work));
}
