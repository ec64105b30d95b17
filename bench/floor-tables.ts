import type pg from "pg";
import { v7 as uuidv7 } from "uuid";

/**
 * The floor's two tables, in a database of its own on the product's server, with the indexes that no such service can
 * do without: uuid v7 primary keys, the key's hash, one address per newsletter. No foreign key: the floor is what
 * can't be had for less.
 */
const tables = `
  CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    newsletter_id uuid NOT NULL,
    hash bytea NOT NULL UNIQUE,
    expires_at timestamptz,
    revoked_at timestamptz
  );
  CREATE TABLE subscribers (
    id uuid PRIMARY KEY,
    newsletter_id uuid NOT NULL,
    email text NOT NULL,
    email_canonical text NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    status text NOT NULL CHECK (status IN ('active', 'pending', 'unsubscribed')),
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (newsletter_id, email_canonical)
  );
`;

/** Makes both tables and one valid key. @param keyHash SHA-256 of the key as sent */
export async function createFloorTables(pool: pg.Pool, keyHash: Buffer): Promise<void> {
  await pool.query(tables);
  await pool.query("INSERT INTO api_keys (id, newsletter_id, hash) VALUES ($1, $2, $3)", [
    uuidv7(),
    uuidv7(),
    keyHash,
  ]);
}
