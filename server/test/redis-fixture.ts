import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "./product";

const sha1 = (text: string) => createHash("sha1").update(text).digest("hex");

export const hasRedisServer = spawnSync("redis-server", ["--version"]).status === 0;

/** A real redis-server for tests, on its own loopback port. The machine's Redis service is not used. */
export class RedisFixture {
  #child: ChildProcess | undefined;
  readonly #folder = mkdtempSync(join(tmpdir(), "rollcall-redis-"));
  private constructor(readonly port: number) {}

  static async start(): Promise<RedisFixture> {
    const fixture = new RedisFixture(await freePort());
    await fixture.start();
    return fixture;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const settings = { port: this.port, bind: "127.0.0.1", save: "", appendonly: "no", dir: this.#folder };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    this.#child = spawn("redis-server", args, { stdio: "ignore" });
    const client = this.client();
    await client.ping();
    client.disconnect();
  }

  /** A client that waits for the server. */
  client(): Redis {
    const client = new Redis(this.url, { retryStrategy: () => 20, maxRetriesPerRequest: 250 });
    client.on("error", () => {});
    return client;
  }

  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
    this.#child?.kill(name);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Upstash's REST protocol in front of a plain Redis, as far as our client uses it. */
export class UpstashFixture {
  readonly token = "test-token";
  /** The number of HTTP requests so far. */
  requests = 0;
  readonly #scripts = new Map<string, string>();
  readonly #redis: Redis;
  readonly #server: Server;

  private constructor(redis: RedisFixture) {
    this.#redis = redis.client();
    this.#server = createServer(async (request, response) => {
      this.requests += 1;
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const send = (status: number, body: unknown) =>
        response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
      if (request.headers.authorization !== `Bearer ${this.token}`)
        return send(401, { error: "WRONGPASS invalid token" });
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const base64 = request.headers["upstash-encoding"] === "base64";
      if (request.url !== "/pipeline") {
        const answer = await this.#run(body, base64);
        return send("error" in answer ? 400 : 200, answer);
      }
      // Sends all commands in order before it awaits a result: a pipeline.
      send(200, await Promise.all(body.map((command: string[]) => this.#run(command, base64))));
    });
  }

  static async start(redis: RedisFixture): Promise<UpstashFixture> {
    const fixture = new UpstashFixture(redis);
    fixture.#server.listen(0, "127.0.0.1");
    await once(fixture.#server, "listening");
    return fixture;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #run(
    [name, first, ...rest]: string[],
    base64: boolean,
  ): Promise<{ result: unknown } | { error: string }> {
    let script = first as string;
    if (/^eval$/i.test(name as string)) {
      // Upstash hashes the script as sent. A plain Redis accepts it only without the first line.
      script = script.replace(/^#!lua flags=allow-key-locking[^\n]*\n/, "");
      this.#scripts.set(sha1(first as string), script);
    } else if (/^evalsha$/i.test(name as string)) {
      const known = this.#scripts.get(script);
      if (known === undefined) return { error: "NOSCRIPT No matching script. Please use EVAL." };
      script = known;
    } else {
      return { error: `ERR this fixture does not speak ${name}` };
    }
    try {
      const result = await this.#redis.call("EVAL", script, ...rest.map(String));
      return { result: base64 ? encoded(result) : result };
    } catch (error) {
      return { error: (error as Error).message };
    }
  }

  async stop(): Promise<void> {
    this.#redis.disconnect();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

function encoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(encoded);
  return typeof value === "string" && value !== "OK" ? Buffer.from(value).toString("base64") : value;
}
