import { idAt } from "../../kernel/ids";
import { type Db, Prisma } from "../../platform/db/client";
import type { RequestAnswer } from "../schema/request-log";

/** One request with a key. Never contains an email address or a body. */
export type ApiRequestRow = Omit<Prisma.ApiRequestGetPayload<object>, "id">;

/** Writes all rows in one statement, in the given order. */
export async function insertApiRequests(db: Db, rows: ApiRequestRow[]): Promise<void> {
  const column = <K extends keyof ApiRequestRow>(name: K) => rows.map((row) => row[name]);
  // createMany costs four times the CPU, in the process that answers the requests.
  await db.$executeRaw`
    INSERT INTO api_requests (id, newsletter_id, api_key_id, operation, status, code, request_id, duration_ms, rejected, at)
    SELECT * FROM unnest(
      ${rows.map((row) => idAt(row.at))}::uuid[], ${column("newsletterId")}::uuid[],
      ${column("apiKeyId")}::uuid[], ${column("operation")}::text[], ${column("status")}::int[], ${column("code")}::text[],
      ${column("requestId")}::text[], ${column("durationMs")}::int[], ${column("rejected")}::text[],
      ${rows.map((row) => row.at.toISOString())}::timestamptz[])`;
}

type LoggedRequest = Omit<ApiRequestRow, "newsletterId"> & {
  id: string;
  /** Null when the key no longer exists. */
  keyName: string | null;
  /** The key is for all newsletters, so the path of the request named this one. */
  isNewsletterNamed: boolean;
};

type RequestFilter = {
  newsletterId: string;
  apiKeyId?: string;
  /** Only these operations with these answers; absent: all requests. */
  among?: { operations: readonly string[]; answers: RequestAnswer[] };
  /** The oldest age in minutes, by the database's clock. */
  withinMinutes?: number;
};

const columns = Prisma.sql`id, api_key_id, operation, status, code, request_id, duration_ms, rejected, at`;

/**
 * Returns a page of the request log, newest first. @param before the last id of the previous page; null for the first
 * page
 */
export async function listApiRequests(
  db: Db,
  { newsletterId, apiKeyId, among, withinMinutes }: RequestFilter,
  limit: number,
  before: string | null,
): Promise<LoggedRequest[]> {
  const conditions = [Prisma.sql`newsletter_id = ${newsletterId}::uuid`];
  if (apiKeyId) conditions.push(Prisma.sql`api_key_id = ${apiKeyId}::uuid`);
  if (before) conditions.push(Prisma.sql`id < ${before}::uuid`);
  if (withinMinutes)
    conditions.push(Prisma.sql`id >= uuid_at(now() - make_interval(mins => ${withinMinutes}::int))`);
  const where = Prisma.join(conditions, " AND ");
  const newest = Prisma.sql`ORDER BY id DESC LIMIT ${limit}`;
  // Each combination of operation and answer is one index range. A filter over the whole log would read all of it for a
  // rare answer.
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
    SELECT r.id, r.api_key_id AS "apiKeyId", k.name AS "keyName", k.account_id IS NOT NULL AS "isNewsletterNamed", r.operation, r.status, r.code,
      r.request_id AS "requestId", r.duration_ms AS "durationMs", r.rejected, r.at
    FROM (${rows}) AS r LEFT JOIN api_keys k ON k.id = r.api_key_id ORDER BY r.id DESC`;
}

type RequestCounts = { requests: number; rejected: number; failed: number };

/** Counts a newsletter's API requests of the last days, and how many were rejected (4xx) or failed (5xx). */
export async function countRequests(db: Db, newsletterId: string, days: number): Promise<RequestCounts> {
  const rows = await db.$queryRaw<RequestCounts[]>`
    SELECT count(*)::int AS requests, count(*) FILTER (WHERE status BETWEEN 400 AND 499)::int AS rejected,
      count(*) FILTER (WHERE status >= 500)::int AS failed
    FROM api_requests
    WHERE newsletter_id = ${newsletterId}::uuid AND id >= uuid_at(now() - make_interval(days => ${days}::int))`;
  return rows[0] ?? { requests: 0, rejected: 0, failed: 0 };
}
