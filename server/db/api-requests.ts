import { idAt } from "../domain/ids";
import type { Db } from "./client";

/** One request of a key, as it is kept: never an address or a body. */
export type ApiRequestRow = {
  newsletterId: string;
  apiKeyId: string;
  operation: string;
  status: number;
  code: string | null;
  requestId: string;
  durationMs: number;
  refused: string | null;
  at: Date;
};

/** Writes many in one statement, in the order given. */
export async function insertApiRequests(db: Db, rows: ApiRequestRow[]): Promise<void> {
  const column = <K extends keyof ApiRequestRow>(name: K) => rows.map((row) => row[name]);
  await db.$executeRaw`
    INSERT INTO api_requests (id, newsletter_id, api_key_id, operation, status, code, request_id, duration_ms, refused, at)
    SELECT * FROM unnest(
      ${rows.map((row) => idAt(row.at))}::uuid[], ${column("newsletterId")}::uuid[],
      ${column("apiKeyId")}::uuid[], ${column("operation")}::text[], ${column("status")}::int[], ${column("code")}::text[],
      ${column("requestId")}::text[], ${column("durationMs")}::int[], ${column("refused")}::text[],
      ${rows.map((row) => row.at.toISOString())}::timestamptz[])`;
}
