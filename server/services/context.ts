import type { Role } from "../contract/roles";
import { type Db, type Tx, withRetry } from "../db/client";
import type { InsertQueue } from "../db/insert-queue";
import type { Jobs } from "../jobs/jobs";
import type { Outbox } from "../mail/outbox";

/** Who acts: a key at the API, a staff member at the dashboard, an operator at the command line, or a public link. */
export type Actor =
  | { kind: "key"; id: string; newsletterId: string }
  | { kind: "staff"; id: string; accountId: string; role: Role; address?: string | null }
  | { kind: "operator" }
  | { kind: "link"; address: string | null };

/** What a verb needs to know of the call that it serves. */
export type Ctx = {
  db: Db;
  queue: InsertQueue;
  outbox: Outbox;
  jobs: Pick<Jobs, "add">;
  actor: Actor;
  requestId: string;
};

/** The part of it that a verb needs which posts no mail and inserts no subscriber. */
export type ActorContext = Pick<Ctx, "db" | "actor" | "requestId">;

/** Runs `work` in one `$transaction`: all of it or nothing; again from its beginning after a deadlock. */
export function withTransaction<T>(ctx: Pick<Ctx, "db">, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withRetry(() => ctx.db.$transaction(work));
}
