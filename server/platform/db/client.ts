import { PrismaPg } from "@prisma/adapter-pg";
import { GuardedPool } from "./breaker";
import { Prisma, PrismaClient } from "./generated/client";

export { Prisma };
export type Db = PrismaClient;
/** What runs a statement: the client itself, or a transaction of it. */
export type Tx = Prisma.TransactionClient;

export type Database = { db: Db; pool: GuardedPool; close(): Promise<void> };

type Options = {
  url: string;
  /**
   * Behind a pooler each transaction may meet another session of PostgreSQL: statements have no names, and limits of a session
   * are the role's own.
   */
  isPooled?: boolean;
  /** Connections this process may hold. */
  poolSize: number;
  onError: (error: Error) => void;
  /** Hears that the database went away, and that it is back. */
  onAway?: (isAway: boolean) => void;
};

/** Statements get a name, and so a plan, on each connection; beyond this many texts the rest go unnamed. */
const MAX_STATEMENTS = 500;

function statementNames() {
  const names = new Map<string, string>();
  return ({ sql }: { sql: string }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // Transaction words are parsed in no time, and a name would only cost a look-up.
    if (names.size >= MAX_STATEMENTS || sql.length < 12) return undefined as unknown as string;
    const name = `r${names.size}`;
    names.set(sql, name);
    return name;
  };
}

/**
 * Opens the database behind `url`. Nothing is connected until the first query.
 * A statement is cancelled after 15 s, a free connection is waited for 5 s, a forgotten transaction ends after 30 s:
 * each surfaces as `service_unavailable`.
 */
export function openDatabase({
  url,
  isPooled = false,
  poolSize,
  onError,
  onAway = () => {},
}: Options): Database {
  let closing = false;
  const onLoss = (error: Error) => {
    // PostgreSQL may be told to stop before it has heard our good-bye.
    if (!closing) onError(error);
  };
  const settings = {
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: "rollcall",
    ...(!isPooled && { statement_timeout: 15_000, idle_in_transaction_session_timeout: 30_000 }),
    // The client's own watch, for a line that goes silent: then the server's time-out is never heard of.
    query_timeout: 20_000,
  };
  const pool = new GuardedPool(settings, onAway);
  pool.on("error", onLoss);
  const adapter = new PrismaPg(pool, {
    ...(!isPooled && { statementNameGenerator: statementNames() }),
    onConnectionError: onLoss,
  });
  const db = new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 15_000 } });
  return {
    db,
    pool,
    async close() {
      closing = true;
      await db.$disconnect();
      await pool.close();
    },
  };
}

/** PostgreSQL's own code of what a raw statement failed with, as Prisma hands it on; undefined for anything else. */
export function sqlState(thrown: unknown): string | undefined {
  const error = thrown as {
    code?: string;
    meta?: { code?: string; driverAdapterError?: { cause?: { originalCode?: string } } };
  };
  if (error?.code !== "P2010") return undefined;
  return error.meta?.driverAdapterError?.cause?.originalCode ?? error.meta?.code;
}

/** Whether PostgreSQL ended a transaction because it and another waited for each other: all of it may be tried again. */
export function isDeadlock(thrown: unknown): boolean {
  const state = sqlState(thrown);
  return (thrown as { code?: string })?.code === "P2034" || state === "40P01" || state === "40001";
}

/** Whether the database refused to write to somebody who left; see the migration `consent`. */
export const isConsentRefusal = (thrown: unknown) => sqlState(thrown) === "RC002";

const isConflict = (thrown: unknown) => isDeadlock(thrown) || isConsentRefusal(thrown);
const TRIES = 5;

/**
 * Tries again what was ended by a deadlock, or refused because somebody left while it was under way: the next try finds that. One address moving (a PUT) while a bulk claims its old and its new owner's
 * can make two transactions wait in a circle, whatever order each of them keeps.
 * @param isPassing whether another error, too, may not come again
 */
export async function withRetry<T>(work: () => Promise<T>, isPassing = isConflict): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === TRIES || !(isConflict(error) || isPassing(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/** Whether a statement failed because a unique index has such a row already; told by code alone. */
export function isUniqueViolation(thrown: unknown): boolean {
  return (thrown as { code?: string })?.code === "P2002" || sqlState(thrown) === "23505";
}

/** Whether the database answers. */
export function isReachable(db: Db): Promise<boolean> {
  return db.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
}
