import { idAt } from "../domain/ids";
import { type Db, Prisma } from "./client";

/** One request of a key, as it is kept: never an address or a body. */
export type ApiRequestRow = {
  newsletterId: string;
  apiKeyId: string;
  operation: string;
  status: number;
  code: string | null;
  requestId: string;
  durationMs: number;
  rejected: string | null;
  at: Date;
};

/** Writes many in one statement, in the order given. */
export async function insertApiRequests(db: Db, rows: ApiRequestRow[]): Promise<void> {
  const column = <K extends keyof ApiRequestRow>(name: K) => rows.map((row) => row[name]);
  await db.$executeRaw`
    INSERT INTO api_requests (id, newsletter_id, api_key_id, operation, status, code, request_id, duration_ms, rejected, at)
    SELECT * FROM unnest(
      ${rows.map((row) => idAt(row.at))}::uuid[], ${column("newsletterId")}::uuid[],
      ${column("apiKeyId")}::uuid[], ${column("operation")}::text[], ${column("status")}::int[], ${column("code")}::text[],
      ${column("requestId")}::text[], ${column("durationMs")}::int[], ${column("rejected")}::text[],
      ${rows.map((row) => row.at.toISOString())}::timestamptz[])`;
}

export type LoggedRequest = Omit<ApiRequestRow, "newsletterId"> & {
  id: string;
  /** Null when the key is gone. */
  keyName: string | null;
};

/** What a request came to: its status, and its code or "" where it has none. */
export type Answered = { status: number; code: string };

export type RequestFilter = {
  newsletterId: string;
  apiKeyId?: string;
  /** One of these operations with one of these answers; absent: any request. */
  among?: { operations: string[]; answers: Answered[] };
  /** Not older than this, by the database's clock. */
  withinMinutes?: number;
};

const columns = Prisma.sql`id, api_key_id, operation, status, code, request_id, duration_ms, rejected, at`;

/**
 * A page of the request log, newest first.
 * @param after the id of the last request that was read; null begins at the newest
 */
export async function pageOfRequests(
  db: Db,
  { newsletterId, apiKeyId, among, withinMinutes }: RequestFilter,
  limit: number,
  after: string | null,
): Promise<LoggedRequest[]> {
  const where = Prisma.join(
    [
      Prisma.sql`newsletter_id = ${newsletterId}::uuid`,
      ...(apiKeyId ? [Prisma.sql`api_key_id = ${apiKeyId}::uuid`] : []),
      ...(after ? [Prisma.sql`id < ${after}::uuid`] : []),
      ...(withinMinutes
        ? [Prisma.sql`id >= uuid_at(now() - make_interval(mins => ${withinMinutes}::int))`]
        : []),
    ],
    " AND ",
  );
  const newest = Prisma.sql`ORDER BY id DESC LIMIT ${limit}`;
  // Each combination is read by itself: a filter over the whole log would read all of it for the one that is rare.
  const rows = among
    ? Prisma.sql`
        SELECT found.* FROM unnest(${among.operations}::text[]) AS asked (operation)
        CROSS JOIN unnest(${among.answers.map(({ status }) => status)}::int[],
          ${among.answers.map(({ code }) => code)}::text[]) AS answered (status, code)
        CROSS JOIN LATERAL (
          SELECT ${columns} FROM api_requests r WHERE ${where} AND r.operation = asked.operation
            AND r.status = answered.status AND coalesce(r.code, '') = answered.code ${newest}
        ) AS found ${newest}`
    : Prisma.sql`SELECT ${columns} FROM api_requests WHERE ${where} ${newest}`;
  return db.$queryRaw<LoggedRequest[]>`
    SELECT r.id, r.api_key_id AS "apiKeyId", k.name AS "keyName", r.operation, r.status, r.code,
      r.request_id AS "requestId", r.duration_ms AS "durationMs", r.rejected, r.at
    FROM (${rows}) AS r LEFT JOIN api_keys k ON k.id = r.api_key_id ORDER BY r.id DESC`;
}

/** How many requests a newsletter's keys made in the last days, and how many of them were not answered with 2xx. */
export async function countRequests(
  db: Db,
  newsletterId: string,
  days: number,
): Promise<{ requests: number; rejected: number; failed: number }> {
  const rows = await db.$queryRaw<{ requests: number; rejected: number; failed: number }[]>`
    SELECT count(*)::int AS requests, count(*) FILTER (WHERE status BETWEEN 400 AND 499)::int AS rejected,
      count(*) FILTER (WHERE status >= 500)::int AS failed
    FROM api_requests
    WHERE newsletter_id = ${newsletterId}::uuid AND id >= uuid_at(now() - make_interval(days => ${days}::int))`;
  return rows[0] ?? { requests: 0, rejected: 0, failed: 0 };
}

export type RejectedOften = {
  apiKeyId: string;
  status: number;
  code: string | null;
  rejected: string | null;
  times: number;
};

/** What of these keys was rejected most in the last seconds, of the rejections that lock a key out. */
export async function rejectedMost(
  db: Db,
  newsletterId: string,
  apiKeyIds: string[],
  seconds: number,
): Promise<RejectedOften[]> {
  return db.$queryRaw<RejectedOften[]>`
    SELECT DISTINCT ON (api_key_id) api_key_id AS "apiKeyId", status, code, rejected, count(*)::int AS times
    FROM api_requests
    WHERE newsletter_id = ${newsletterId}::uuid AND api_key_id = ANY (${apiKeyIds}::uuid[])
      AND id >= uuid_at(now() - make_interval(secs => ${seconds}::int))
      AND status BETWEEN 400 AND 499 AND status NOT IN (401, 403, 429)
    GROUP BY api_key_id, status, code, rejected ORDER BY api_key_id, times DESC`;
}
