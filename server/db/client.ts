// server/db: the only importer of Prisma and pg. Queries by noun, rows in and out; imports domain, config and errors at most.
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { Prisma, PrismaClient } from "./generated/client";

export { Prisma };
export type Db = PrismaClient;
/** What runs a statement: the client itself, or a transaction of it. */
export type Tx = Prisma.TransactionClient;

export type Database = { db: Db; pool: pg.Pool; close(): Promise<void> };

type Options = {
  url: string;
  /** Connections this process may hold. */
  poolSize: number;
  onError: (error: Error) => void;
};

/** Statements get a name, and so a stored plan, on each connection; beyond this many texts they are unnamed. */
const MAX_STATEMENTS = 500;

function statementNames() {
  const names = new Map<string, string>();
  return ({ sql }: { sql: string }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // BEGIN and COMMIT are parsed in no time: a name would only cost a look-up.
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
export function openDatabase({ url, poolSize, onError }: Options): Database {
  let closing = false;
  const onLoss = (error: Error) => {
    // While closing, PostgreSQL may stop before the last connection has ended.
    if (!closing) onError(error);
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: "rollcall",
    statement_timeout: 15_000,
    // The client's own limit: on a dead connection the server's time-out never arrives.
    query_timeout: 20_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  pool.on("error", onLoss);
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: statementNames(),
    onConnectionError: onLoss,
  });
  const db = new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 15_000 } });
  return {
    db,
    pool,
    async close() {
      closing = true;
      await db.$disconnect();
      await pool.end();
    },
  };
}

/** The SQLSTATE that a raw statement failed with; undefined for any other error. */
export function sqlState(thrown: unknown): string | undefined {
  const error = thrown as {
    code?: string;
    meta?: { code?: string; driverAdapterError?: { cause?: { originalCode?: string } } };
  };
  if (error?.code !== "P2010") return undefined;
  return error.meta?.driverAdapterError?.cause?.originalCode ?? error.meta?.code;
}

/** Whether PostgreSQL ended a transaction because of a deadlock: all of it can be tried again. */
export function isDeadlock(thrown: unknown): boolean {
  const state = sqlState(thrown);
  return (thrown as { code?: string })?.code === "P2034" || state === "40P01" || state === "40001";
}

const TRIES = 5;

/**
 * Runs `work` again after a deadlock. A PUT that moves an address while a bulk inserts the old and the new one can make two
 * transactions wait for each other, whatever order each of them keeps.
 */
export async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === TRIES || !isDeadlock(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/** Whether a statement failed because a unique index has such a row already. */
export function isUniqueViolation(thrown: unknown): boolean {
  return (thrown as { code?: string })?.code === "P2002" || sqlState(thrown) === "23505";
}
