import type { BetterAuthOptions, DBAdapter, Where } from "better-auth";
import { digestOf } from "./api-key";

type Adapter = DBAdapter<BetterAuthOptions>;
type Row = Record<string, unknown>;
type Asked = { model: string; where?: Where[] | undefined; update?: Row };

const digest = (token: unknown) => digestOf(String(token)).toString("hex");

/** Asks with the digests of the tokens that a call names, and puts those tokens into the rows that it finds. */
async function asDigests<Given extends Asked, T>(
  given: Given,
  run: (changed: Given) => Promise<T>,
): Promise<T> {
  if (given.model !== "session") return run(given);
  const tokens = new Map<string, unknown>();
  const stored = (token: unknown) => {
    tokens.set(digest(token), token);
    return digest(token);
  };
  const where = given.where?.map((condition): Where => {
    if (condition.field !== "token") return condition;
    const { value } = condition;
    return { ...condition, value: Array.isArray(value) ? value.map(stored) : stored(value) };
  });
  const update = given.update?.token
    ? { update: { ...given.update, token: stored(given.update.token) } }
    : {};
  const result = await run({ ...given, ...(where && { where }), ...update });
  for (const row of [result].flat() as (Row | null)[]) {
    if (typeof row === "object" && row !== null && tokens.has(row.token as string))
      row.token = tokens.get(row.token as string);
  }
  return result;
}

/**
 * The library's database adapter, but of a session's token only the SHA-256 is stored: whoever reads the database signs in
 * with none. The library has no such setting for sessions. It is given back the token that it asked with; a row that it
 * found in another way shows the digest, with which nobody signs in.
 */
export function withSessionDigests(open: (options: BetterAuthOptions) => Adapter) {
  return (options: BetterAuthOptions): Adapter => {
    const inner = open(options);
    const outer: Adapter = {
      ...inner,
      create: async (given) => {
        const { token } = given.data as Row;
        if (given.model !== "session" || token === undefined) return inner.create(given);
        const row = await inner.create<Row, Row>({ ...given, data: { ...given.data, token: digest(token) } });
        return { ...row, token } as never;
      },
      findOne: <T>(given: Parameters<Adapter["findOne"]>[0]) => asDigests(given, inner.findOne<T>),
      findMany: <T>(given: Parameters<Adapter["findMany"]>[0]) => asDigests(given, inner.findMany<T>),
      count: (given) => asDigests(given, inner.count),
      update: <T>(given: Parameters<Adapter["update"]>[0]) => asDigests(given, inner.update<T>),
      updateMany: (given) => asDigests(given, inner.updateMany),
      delete: (given) => asDigests(given, inner.delete),
      deleteMany: (given) => asDigests(given, inner.deleteMany),
      consumeOne: <T>(given: Parameters<Adapter["consumeOne"]>[0]) => asDigests(given, inner.consumeOne<T>),
      incrementOne: <T>(given: Parameters<Adapter["incrementOne"]>[0]) =>
        asDigests(given, inner.incrementOne<T>),
      // The library runs without transactions here; inside of one it must meet this adapter, too.
      transaction: (work) => work(outer),
    };
    return outer;
  };
}
