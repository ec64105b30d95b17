import { PrismaPg } from "@prisma/adapter-pg";
import { codesOf } from "../../kernel/errors";
import { GuardedPool } from "./breaker";
import { Prisma, PrismaClient } from "./generated/client";

export { Prisma };
export type Db = PrismaClient;
/** Runs statements: the client, or one of its transactions. */
export type Tx = Prisma.TransactionClient;

export type Database = { db: Db; pool: GuardedPool; close(): Promise<void> };

type Options = {
  url: string;
  /**
   * Behind a pooler, each transaction may use another session of PostgreSQL. Statements are then unnamed, and session
   * limits come from the role.
   */
  isPooled?: boolean;
  /** The most connections of this process. */
  poolSize: number;
  onError: (error: Error) => void;
  /** Called when the database becomes unreachable, and when it is back. */
  onAway?: (isAway: boolean) => void;
};

/** The most named statements. Named statements get a cached plan on each connection; other statements stay unnamed. */
const MAX_STATEMENTS = 500;

function statementNames() {
  const names = new Map<string, string>();
  return ({ sql }: { sql: string }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // BEGIN, COMMIT and the like parse instantly. A name would only cost a lookup.
    if (names.size >= MAX_STATEMENTS || sql.length < 12) return undefined as unknown as string;
    const name = `r${names.size}`;
    names.set(sql, name);
    return name;
  };
}

/**
 * Opens the database at `url`. Connects with the first query. A statement is cancelled after 15 s, waiting for a free
 * connection ends after 5 s, and an idle transaction after 30 s. Each becomes `service_unavailable`.
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
    // PostgreSQL may stop before it receives our disconnect.
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
    // The client's own timeout, for a silent connection that never delivers the server's timeout.
    query_timeout: 20_000,
  };
  const pool = new GuardedPool(settings, onAway);
  pool.on("error", onLoss);
  const adapter = new PrismaPg(pool, {
    ...(!isPooled && { statementNameGenerator: statementNames() }),
    onConnectionError: onLoss,
  });
  const db = new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 15_000 } });
  adapters.set(db, adapter.connect());
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

/** Prisma's driver adapter of each client, on the client's own connections. */
const adapters = new WeakMap<Db, ReturnType<PrismaPg["connect"]>>();
const ANY_TYPE = { scalarType: "unknown", arity: "scalar" } as const;

/**
 * Runs raw statements through Prisma's driver adapter. Its rows are those of `db`, except that times are ISO texts. Prisma's
 * client, which converts parameters and rows, takes longer than the adapter.
 */
export function throughAdapter(db: Db): Pick<Db, "$queryRaw"> {
  const $queryRaw = async (strings: readonly string[], ...parts: unknown[]) => {
    const { text: sql, values: args } = new Prisma.Sql(strings, parts);
    const adapter = await (adapters.get(db) as ReturnType<PrismaPg["connect"]>);
    const { columnNames, rows } = await adapter.queryRaw({ sql, args, argTypes: args.map(() => ANY_TYPE) });
    return rows.map((row) => Object.fromEntries(row.map((value, i) => [columnNames[i], value])));
  };
  return { $queryRaw } as unknown as Pick<Db, "$queryRaw">;
}

const SQL_STATE = /^(?!P[1-9])(?=.*\d)[0-9A-Z]{5}$/;

/** Returns PostgreSQL's error code of a failed statement; undefined for other errors. */
export const sqlState = (thrown: unknown) => codesOf(thrown).find((code) => SQL_STATE.test(code));

const hasCode = (thrown: unknown, ...known: string[]) => codesOf(thrown).some((code) => known.includes(code));

/** Whether PostgreSQL ended a transaction because of a deadlock. The whole transaction can be retried. */
export const isDeadlock = (thrown: unknown) => hasCode(thrown, "P2034", "40P01", "40001");

/** Whether the database refused an email to a person who opted out; see the migration `consent`. */
export const isConsentRefusal = (thrown: unknown) => hasCode(thrown, "RC002");

/** Whether a statement violated a unique index. */
export const isUniqueViolation = (thrown: unknown) => hasCode(thrown, "P2002", "23505");

const isConflict = (thrown: unknown) => isDeadlock(thrown) || isConsentRefusal(thrown);
const TRIES = 5;

/**
 * Retries after a deadlock, or after a refusal because a person opted out meanwhile. The next try reads the new state.
 * A PUT that moves an address and a bulk that claims its old and new owner's addresses can deadlock, whatever order
 * each of them keeps.
 * @param isPassing whether another error may also be temporary
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

/** Whether the database answers. */
export function isReachable(db: Db): Promise<boolean> {
  return db.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
}

/** Deletes a limited number of rows that meet a condition. @returns how many */
export function deleteRows(table: string, condition: Prisma.Sql) {
  const name = Prisma.raw(table);
  return (db: Db, rows: number) => db.$executeRaw`
    DELETE FROM ${name} WHERE ctid IN (SELECT ctid FROM ${name} WHERE ${condition} LIMIT ${rows})`;
}
