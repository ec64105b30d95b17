import { readdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, test } from "vitest";
import { loadConfig } from "../config";
import { openDatabase } from "../platform/db/client";
import { migrate } from "../platform/db/migrate";
import { openJobs } from "../platform/jobs/jobs";
import { projectRoot } from "./project-root";

const PASSWORD = "the password of the database";
const CLEARTEXT = Buffer.from("520000000800000003", "hex");
const MD5 = Buffer.from("520000000c0000000501020304", "hex");

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Imitates PostgreSQL, asks for the password and records what the client sends. */
async function impostor(request: Buffer) {
  let received = Buffer.alloc(0);
  let connections = 0;
  let closed = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on("close", () => closed++);
    socket.on("error", () => {});
    // The startup packet names the user and database. The next packet is the answer.
    socket.once("data", () => {
      socket.write(request);
      socket.on("data", (chunk) => {
        received = Buffer.concat([received, chunk]);
      });
    });
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://rollcall:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/rollcall`,
    received: () => received,
    connections: () => connections,
    open: () => connections - closed,
  };
}

const connectors: Record<string, (url: string) => Promise<unknown>> = {
  "the pool behind Prisma": async (url) => {
    const { db, close } = openDatabase({ url, poolSize: 1, onError: () => {} });
    try {
      await db.$queryRaw`SELECT 1`;
    } finally {
      await close();
    }
  },
  "the job queue": async (url) => {
    const jobs = openJobs({ databaseUrl: url, log: { warn() {}, error() {} } });
    try {
      await jobs.start({ hourly: async () => {} });
    } finally {
      await jobs.stop();
    }
  },
};

describe.each([
  ["in clear", CLEARTEXT],
  ["as MD5", MD5],
])("a server that requests the password %s", (_, request) => {
  it.each(Object.entries(connectors))("gets nothing from %s", async (_, connect) => {
    const there = await impostor(request);
    await expect(connect(there.url)).rejects.toThrow();
    expect(there.connections()).toBeGreaterThan(0);
    expect(there.received().toString("latin1")).toBe("");
    await expect.poll(there.open).toBe(0);
  });
});

it("the error says what to change on the server", async () => {
  const there = await impostor(MD5);
  await expect(migrate({ url: there.url, log: () => {} })).rejects.toThrow(
    /asks for the password .* as MD5.*scram-sha-256/,
  );
});

test("all code in server/ connects through the client that refuses to send passwords", () => {
  const folder = join(projectRoot(), "server");
  const others = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(
      (name) =>
        /\.ts$/.test(name) && !/\.test\.ts$|^test\/|generated/.test(name) && name !== "platform/db/pg.ts",
    )
    .filter((name) => /^import (?!type ).*from "pg";/m.test(readFileSync(join(folder, name), "utf8")));
  expect(others).toEqual([]);
});

describe("a database or a Redis on another machine", () => {
  it.each([
    ["DATABASE_URL", "postgresql://u:p@db.example.org/rollcall", "database"],
    ["DATABASE_URL", "postgresql://u:p@10.0.0.5:5432/rollcall?sslmode=prefer", "database"],
    ["DATABASE_URL", "postgresql://u:p@db.example.org/rollcall?sslmode=disable&ssl=true", "database"],
    ["DATABASE_URL", "postgresql://u:p@db.example.org/rollcall?sslmode=no-verify", "database"],
    [
      "DATABASE_URL",
      "postgresql://u:p@db.example.org/rollcall?uselibpqcompat=true&sslmode=require",
      "database",
    ],
    ["DATABASE_URL", "postgresql://u:p@localhost/rollcall?host=db.example.org", "database"],
    ["DATABASE_URL", "postgresql://u:p@localhost.evil.example/rollcall", "database"],
    ["REDIS_URL", "redis://:p@redis:6379", "redis"],
    ["UPSTASH_REDIS_REST_URL", "http://redis.example.org", "redis"],
  ])("%s=%s is refused at startup, and the error names the setting that allows it", (name, value, part) => {
    const token = name.startsWith("UPSTASH") ? { UPSTASH_REDIS_REST_TOKEN: "t" } : {};
    const load = (more = {}) => loadConfig({ [name]: value, ...token, ...more });
    expect(() => load()).toThrow(new RegExp(`${name}: .* is another machine.*ALLOW_PLAINTEXT=${part}`));
    expect(() => load()).not.toThrow(/u:p@|:p@/);
    const other = part === "redis" ? "database" : "redis";
    expect(() => load({ ALLOW_PLAINTEXT: other })).toThrow(new RegExp(`ALLOW_PLAINTEXT=${other},${part}`));
    expect(load({ ALLOW_PLAINTEXT: part })).toMatchObject({ [name]: value });
    expect(load({ ALLOW_PLAINTEXT: "database, redis" })).toMatchObject({ [name]: value });
  });

  it.each([
    ["DATABASE_URL", "postgresql://u:p@db.example.org/rollcall?sslmode=verify-full"],
    ["DATABASE_URL", "postgresql://u:p@db.example.org/rollcall?sslmode=require"],
    ["DATABASE_URL", "postgresql://u:p@db.example.org/rollcall?uselibpqcompat=true&sslmode=verify-ca"],
    ["DATABASE_URL", "postgresql://u:p@db.example.org/rollcall?ssl=true"],
    ["DATABASE_URL", "postgresql://u:p@127.0.0.1/rollcall"],
    ["DATABASE_URL", "postgresql://u:p@[::1]/rollcall"],
    ["DATABASE_URL", "postgresql://u@%2Frun%2Fpostgresql/rollcall"],
    ["DATABASE_URL", "postgresql://u@localhost/rollcall?host=%2Frun%2Fpostgresql"],
    ["REDIS_URL", "rediss://:p@redis.example.org:6379"],
    ["REDIS_URL", "redis://localhost"],
  ])("%s=%s needs no exemption", (name, value) => {
    expect(loadConfig({ [name]: value })).toMatchObject({ [name]: value });
  });
});
