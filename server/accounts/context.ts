import { type Db, type Tx, withRetry } from "../platform/db/client";
import type { Role } from "../staff/schema/roles";

/** Who acts: a key at the API, a staff member at the dashboard, an operator at the command line, a public link or a sign-up page. */
export type Actor =
  | { kind: "key"; id: string; newsletterId: string }
  | { kind: "staff"; id: string; accountId: string; role: Role; address?: string | null }
  | { kind: "operator"; address?: string | null }
  | { kind: "link"; address: string | null }
  | { kind: "page"; address: string | null };

/** A newsletter, and the account that it belongs to. */
export type NewsletterRef = { id: string; accountId: string };

/** What a verb that sends no email and inserts no subscriber needs to know of its call. */
export type ActorContext = {
  db: Db;
  /** The caller's open transaction, if there is one: verbs join it. */
  tx?: Tx;
  actor: Actor;
  requestId: string;
};

/** Who acts, as activities and the audit log store it. `address` is the caller's IP address. */
export type ActorNote = { kind: string; id: string | null; address: string | null };

/** Who acts, as activities and the audit log note it. */
export function actorOf({ actor }: Pick<ActorContext, "actor">): ActorNote {
  return {
    kind: actor.kind,
    id: "id" in actor ? actor.id : null,
    address: "address" in actor ? (actor.address ?? null) : null,
  };
}

/** The staff member who acts; null for anybody else. */
export const staffIdOf = ({ actor }: Pick<ActorContext, "actor">) =>
  actor.kind === "staff" ? actor.id : null;

/**
 * Runs `work` in one `$transaction`: all of it or nothing; again from its beginning after a deadlock. Joins the call's
 * transaction where there is one.
 */
export function withTransaction<T>(
  { db, tx }: { db: Db; tx?: Tx | undefined },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return tx ? work(tx) : withRetry(() => db.$transaction(work));
}
