import type { BetterAuthOptions, DBAdapter, Where } from "better-auth";
import { digestOf } from "../../kernel/secrets";

type Adapter = DBAdapter<BetterAuthOptions>;
type Row = Record<string, unknown>;
type Asked = { model: string; where?: Where[]; data?: Row; update?: Row };

const digest = (token: unknown) => digestOf(String(token)).toString("hex");

/** Replaces a call's tokens by their digests, and puts the tokens back into the returned rows. */
async function asDigests(given: Asked, run: (changed: Asked) => Promise<unknown>): Promise<unknown> {
  if (given.model !== "session") return run(given);
  const tokens = new Map<unknown, unknown>();
  const stored = (token: unknown) => {
    tokens.set(digest(token), token);
    return digest(token);
  };
  const changed = { ...given };
  if (given.where)
    changed.where = given.where.map((condition): Where => {
      if (condition.field !== "token") return condition;
      const { value } = condition;
      return { ...condition, value: Array.isArray(value) ? value.map(stored) : stored(value) };
    });
  for (const part of ["data", "update"] as const)
    if (given[part]?.token) changed[part] = { ...given[part], token: stored(given[part].token) };
  const result = await run(changed);
  for (const row of [result].flat() as (Row | null)[])
    if (typeof row === "object" && row !== null && tokens.has(row.token)) row.token = tokens.get(row.token);
  return result;
}

/**
 * Wraps the library's database adapter and stores only the SHA-256 of a session token. So the sessions of a stolen
 * database are useless. The library has no such setting for sessions.
 * Rows found by token show that token. Rows found in another way show the digest, which opens no session.
 */
export function withSessionDigests(open: (options: BetterAuthOptions) => Adapter) {
  return (options: BetterAuthOptions): Adapter => {
    const outer: Adapter = new Proxy(open(options), {
      get(inner, name) {
        // The library runs without transactions here. Inside a transaction it must use this adapter too.
        if (name === "transaction") return (work: (adapter: Adapter) => unknown) => work(outer);
        const value = Reflect.get(inner, name);
        return typeof value === "function" ? (given: Asked) => asDigests(given, value) : value;
      },
    });
    return outer;
  };
}
