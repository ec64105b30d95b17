import { Client } from "pg";
import { v7 as uuidv7 } from "uuid";
import { createAccount, createNewsletter } from "../../server/accounts/newsletters";
import { createKey, revokeKey, rotateKey, setApiAccess } from "../../server/api-keys/api-keys";
import type { NewKey } from "../../server/api-keys/schema/new-key";
import { permissions } from "../../server/api-keys/schema/permissions";
import { openDatabase } from "../../server/platform/db/client";

/** A newsletter of its own for one promise, and a key that may write to it. */
export type Tenant = { accountId: string; newsletterId: string; keyId: string; key: string };

/**
 * An operator's verbs on the installation under test, and reads of its database. The verbs of `npm run admin` run in this
 * process, because a command for each key would take longer than all tests.
 */
export type Installation = {
  /** SQL on the product's database. */
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** @param apart in an account of its own, for what touches a whole account */
  tenant(options?: { apart?: boolean }): Promise<Tenant>;
  /** Adds a key with every permission, unless `more` names some. */
  addKey(newsletterId: string, more?: Partial<NewKey>): Promise<{ id: string; secret: string }>;
  revoke(keyId: string): Promise<void>;
  /** Rotates a key. @returns the new secret */
  rotate(keyId: string): Promise<string>;
  apiAccess(accountId: string, on: boolean): Promise<void>;
  /** Everyone on a newsletter's list, in the order of creation. */
  list(newsletterId: string): Promise<RollRow[]>;
  mails(newsletterId: string): Promise<{ to: string; subscriberId: string }[]>;
  close(): Promise<void>;
};

type RollRow = { id: string; email: string; canonical: string; first: string; last: string; status: string };

export async function openInstallation(databaseUrl: string): Promise<Installation> {
  const { db, close } = openDatabase({ url: databaseUrl, poolSize: 2, onError: () => {} });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const ctx = { db, actor: { kind: "operator" } as const, requestId: uuidv7() };
  const sql = async <Row>(text: string, values: unknown[] = []) =>
    (await client.query(text, values)).rows as Row[];
  const shared = (await createAccount(ctx, { name: "Contract" })).id;
  const addKey = (newsletterId: string, more: Partial<NewKey> = {}) =>
    createKey(ctx, { newsletterId, key: { name: "A key", permissions: [...permissions], ...more } });
  return {
    sql,
    addKey,
    async tenant({ apart = false } = {}) {
      const accountId = apart ? (await createAccount(ctx, { name: "Apart" })).id : shared;
      const { id } = await createNewsletter(ctx, { accountId, name: "News" });
      const key = await addKey(id);
      return { accountId, newsletterId: id, keyId: key.id, key: key.secret };
    },
    revoke: (keyId) => revokeKey(ctx, { keyId }),
    rotate: async (keyId) => (await rotateKey(ctx, { keyId, overlapHours: 0 })).secret,
    apiAccess: async (accountId, on) => void (await setApiAccess(ctx, { accountId, on })),
    list: (newsletterId) =>
      sql<RollRow>(
        `SELECT id, email, email_canonical AS canonical, first_name AS first, last_name AS last, status
         FROM subscribers WHERE newsletter_id = $1 ORDER BY id`,
        [newsletterId],
      ),
    mails: (newsletterId) =>
      sql(
        `SELECT to_email AS "to", subscriber_id AS "subscriberId" FROM mails WHERE newsletter_id = $1 ORDER BY to_email`,
        [newsletterId],
      ),
    async close() {
      await client.end();
      await close();
    },
  };
}
