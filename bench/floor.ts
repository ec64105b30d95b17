/**
 * Two hand-written routes on Fastify and `pg`, kept honest so that a ratio to them means something. bench/servers.ts
 * runs them as a process: `node floor.mjs DATABASE_URL [KEY_SHA256_HEX]`. It sends its URL over IPC and ends when its
 * parent does.
 *
 * With a key it is the floor: what any such service has to do (key check, validation, unique insert, durable commit,
 * record back), on tables of its own. Without one the database has Rollcall's tables and a key, and the server also does
 * what Rollcall does for a create (bench/by-hand.ts).
 */
import { createHash } from "node:crypto";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import pg from "pg";
import { v7 as uuidv7 } from "uuid";
import { countRequest, insertMails, type Key, openRequestLog, rememberKeys } from "./by-hand";
import { checkItem, type NewSubscriber } from "./floor-check";

/** Tried at 4, 8, 16 and 32 on two cores: 16 is best for bulks, and for single creates within a twentieth of 32. */
const poolSize = 16;
const bodyLimitBytes = 256 * 1024;

declare module "fastify" {
  interface FastifyRequest {
    key: Key;
  }
}

const [databaseUrl, keyHashHex] = process.argv.slice(2);
if (!databaseUrl) throw new Error("usage: floor DATABASE_URL [KEY_SHA256_HEX]");
const isFloor = keyHashHex !== undefined;

// UTC and raw text: "2026-06-11 17:00:00.123+00" is cut into the answer's form without a Date on the way.
const types = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.TIMESTAMPTZ
      ? (value: string) => value
      : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser,
};
const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, options: "-c TimeZone=UTC", types });

// The indexes that no such service can do without: uuid v7 primary keys, the key's hash, one address per newsletter. No
// foreign key: the floor is what can't be had for less.
const tables = `
  CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    newsletter_id uuid NOT NULL,
    secret_sha256 bytea NOT NULL UNIQUE,
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
  )`;
if (isFloor) {
  await pool.query(tables);
  const keyRow = [uuidv7(), uuidv7(), Buffer.from(keyHashHex, "hex")];
  await pool.query("INSERT INTO api_keys (id, newsletter_id, secret_sha256) VALUES ($1, $2, $3)", keyRow);
}

const selectKey = {
  name: "find-key",
  text: `SELECT id, newsletter_id FROM api_keys
          WHERE secret_sha256 = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
};
/** Rollcall's table says who added a person. */
const source = isFloor
  ? { columns: "", values: "" }
  : { columns: ", source, source_id", values: ", 'api', $8" };
const insertOne = {
  name: "insert-one",
  text: `INSERT INTO subscribers (id, newsletter_id, email, email_canonical, first_name, last_name, status${source.columns})
         VALUES ($1, $2, $3, $4, $5, $6, $7${source.values})
         ON CONFLICT (newsletter_id, email_canonical) DO NOTHING RETURNING created_at`,
};
const insertMany = {
  name: "insert-many",
  text: `INSERT INTO subscribers (id, newsletter_id, email, email_canonical, first_name, last_name, status${source.columns})
         SELECT i.id, $1, i.email, i.email_canonical, i.first_name, i.last_name, i.status${source.values}
           FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
                AS i (id, email, email_canonical, first_name, last_name, status)
         ON CONFLICT (newsletter_id, email_canonical) DO NOTHING RETURNING id, created_at`,
};

const app = Fastify({ logger: false, bodyLimit: bodyLimitBytes, genReqId: () => uuidv7() });
app.decorateRequest("key");

async function lookUpKey(secret: string): Promise<Key | undefined> {
  const hash = createHash("sha256").update(secret).digest();
  return (await pool.query<Key>({ ...selectKey, values: [hash] })).rows[0];
}
const findKey = isFloor ? lookUpKey : await rememberKeys(databaseUrl, lookUpKey);

/** Looks the key up before the body is read: keys can be revoked. */
app.addHook("onRequest", async (request, reply) => {
  const header = request.headers.authorization;
  const key = header?.startsWith("Bearer sk_") ? await findKey(header.slice(7)) : undefined;
  if (!key) return reject(reply, 401, "The API key is not valid.");
  request.key = key;
});

if (!isFloor) {
  const note = openRequestLog(pool);
  app.addHook("onRequest", async (request, reply) => {
    countRequest(request.key.id);
    reply.header("X-Request-Id", request.id);
  });
  app.addHook("onResponse", async (request, reply) => note(request, reply));
}

app.post("/api/v1/subscribers", async (request, reply) => {
  const item = checkItem(request.body);
  if (typeof item === "string") return reject(reply, 422, item);

  const id = uuidv7();
  const hasMail = !isFloor && item.status === "pending";
  const createdAt = await (hasMail ? insertAll(request.key, [id], [item]) : insert(request.key, id, item));
  if (createdAt === undefined) return reject(reply, 422, "This email address is already subscribed.");
  reply.code(201);
  return { success: true, data: toRecord(id, item, createdAt) };
});

app.post("/api/v1/subscribers/bulk", async (request: FastifyRequest, reply) => {
  const body = request.body;
  if (!Array.isArray(body) || body.length < 1 || body.length > 100)
    return reject(reply, 422, "Send an array of 1 to 100 subscribers.");
  const items: NewSubscriber[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const [index, one] of body.entries()) {
    const item = checkItem(one);
    if (typeof item === "string") problems.push(`Item ${index + 1}: ${item}`);
    else if (seen.size === seen.add(item.emailCanonical).size)
      problems.push(`Item ${index + 1}: This address is in the request twice.`);
    else items.push(item);
  }
  if (problems.length > 0) return reject(reply, 422, "The data is not valid.", problems);

  const ids = items.map(() => uuidv7());
  const createdAt = await insertAll(request.key, ids, items);
  if (createdAt === undefined) return reject(reply, 422, "An address is already subscribed.");
  reply.code(201);
  return {
    success: true,
    data: { created: items.map((item, index) => toRecord(ids[index] as string, item, createdAt)) },
  };
});

app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
  const status = error.statusCode ?? 500;
  if (status < 500) return reject(reply, status, "The body could not be read.");
  process.stderr.write(`floor: ${String(error)}\n`);
  return reject(reply, 500, "Something went wrong.");
});

/** @returns when it was made, or undefined when the address was there already */
async function insert(key: Key, id: string, item: NewSubscriber): Promise<string | undefined> {
  const { email, emailCanonical, firstName, lastName, status } = item;
  const values = [id, key.newsletter_id, email, emailCanonical, firstName, lastName, status];
  if (!isFloor) values.push(key.id);
  return (await pool.query<{ created_at: string }>({ ...insertOne, values })).rows[0]?.created_at;
}

/**
 * All rows or none, in one transaction, which leaves the duplicates nameable. (A bare INSERT that fails on the first of
 * them saves two round trips and makes a tenth more bulks a second.)
 * @returns when they were made, or undefined when an address was there already
 */
async function insertAll(key: Key, ids: string[], items: NewSubscriber[]): Promise<string | undefined> {
  const values: unknown[] = [
    key.newsletter_id,
    ids,
    items.map((item) => item.email),
    items.map((item) => item.emailCanonical),
    items.map((item) => item.firstName),
    items.map((item) => item.lastName),
    items.map((item) => item.status),
  ];
  if (!isFloor) values.push(key.id);
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query("BEGIN");
    const inserted = await client.query<{ created_at: string }>({ ...insertMany, values });
    const whole = inserted.rows.length === items.length;
    const isPending = items.some((item) => item.status === "pending");
    if (!isFloor && whole && isPending) await client.query(insertMails(key.newsletter_id, ids));
    await client.query(whole ? "COMMIT" : "ROLLBACK");
    return whole ? inserted.rows[0]?.created_at : undefined;
  } catch (error) {
    broken = true;
    throw error;
  } finally {
    client.release(broken);
  }
}

function toRecord(id: string, item: NewSubscriber, createdAt: string) {
  const name = item.lastName === "" ? item.firstName : `${item.firstName} ${item.lastName}`;
  const created_at = `${createdAt.slice(0, 10)}T${createdAt.slice(11, 19)}+00:00`;
  return { id, email: item.email, name, status: item.status, created_at };
}

function reject(reply: FastifyReply, status: number, message: string, errors?: string[]) {
  return reply.code(status).send({ success: false, message, ...(errors && { errors }) });
}

process.on("SIGINT", () => {}); // Ctrl-C reaches the whole group; the parent ends this process in its own order.
process.on("disconnect", () => process.exit(0));

process.send?.(await app.listen({ host: "127.0.0.1", port: 0 }));
