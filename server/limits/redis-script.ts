import { createHash } from "node:crypto";

/** What the limiter needs of a Redis, be it Upstash over HTTP or a plain one. Answers as @upstash/redis gives them. */
export type RedisClient = {
  evalsha(sha: string, keys: string[], args: unknown[]): Promise<unknown>;
  eval(script: string, keys: string[], args: unknown[]): Promise<unknown>;
};

/** An open connection; @upstash/ratelimit takes `client`. */
export type Connection = { client: RedisClient; close(): void };

export const sha1 = (text: string) => createHash("sha1").update(text).digest("hex");

/** A Lua script of our own, sent whole only where the store does not know it yet. */
export class RedisScript {
  readonly #sha: string;

  constructor(private readonly text: string) {
    this.#sha = sha1(text);
  }

  /** @throws what the client throws, but for a script not loaded yet */
  async run(client: RedisClient, keys: string[], args: (string | number)[]): Promise<unknown> {
    try {
      return await client.evalsha(this.#sha, keys, args);
    } catch (error) {
      if (!String(error).includes("NOSCRIPT")) throw error;
      return client.eval(this.text, keys, args);
    }
  }
}
