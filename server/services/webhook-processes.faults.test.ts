import type { ChildProcess } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AppContext, createApp } from "../app";
import { loadConfig } from "../config";
import { webhookEvents } from "../contract/webhooks";
import { migrate } from "../db/migrate";
import { newId } from "../domain/ids";
import { makeLog } from "../log";
import { createTestDatabase, type TestDatabase } from "../test/database";
import { addNewsletter } from "../test/linked-person";
import { spawnFixture, until } from "../test/mail-fixture";
import { startThrowawayCluster } from "../test/throwaway-cluster";
import { createEndpoint } from "./webhooks";

/** WEBHOOK_EVENTS=10000 is the full run; a process is killed as often as there are thousands, and once in each. */
const EVENTS = Number(process.env.WEBHOOK_EVENTS || 300);
const KILLS = Math.max(1, Math.floor(EVENTS / 1_000));
const WRITERS = 4;

let cluster: Awaited<ReturnType<typeof startThrowawayCluster>>;
let database: TestDatabase;
let app: AppContext;
let server: Server;
let url: string;
/** The numbers that the endpoint took, in the order in which they came, and whom each was about. */
const taken: { number: number; person: string }[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  // What is read are transactions that have ended, and others of this cluster would be waited for.
  cluster = await startThrowawayCluster();
  database = await createTestDatabase({ clusterUrl: cluster.url });
  await migrate({ url: database.url, log: () => {} });
  const config = loadConfig({ LOG_LEVEL: "silent", WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1" });
  app = await createApp(config, database.url, ["a secret for tests that is long enough"], makeLog(config));
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { number, data } = JSON.parse(body);
    taken.push({ number, person: data.subscriber.id });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}, 120_000);
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  server.closeAllConnections();
  server.close();
  await app.close();
  await database.drop();
  await cluster.remove();
});

test(`${EVENTS} events of ${WRITERS} writers, by processes that are killed ${KILLS} times: each at least once, in order, none lost`, async () => {
  const newsletter = await addNewsletter(app.db);
  const ctx = { ...app, actor: { kind: "operator" }, requestId: "test" } as const;
  const endpoint = { url, description: "", events: [...webhookEvents] };
  await createEndpoint(ctx, {
    newsletterId: newsletter.id,
    accountId: newsletter.accountId,
    endpoint,
  });
  const options = { databaseUrl: database.url, authSecrets: app.authSecrets };
  const spawn = () => spawnFixture(children, "webhook-process-fixture", options);
  let child = await spawn();

  let left = EVENTS;
  const ids: string[] = [];
  const write = async () => {
    while (left-- > 0) {
      const id = newId();
      ids.push(id);
      const email = `${id}@lovelace.org`;
      await app.db.subscriber.create({
        data: {
          ...{ id, newsletterId: newsletter.id, email, emailCanonical: email },
          ...{ status: "active", source: "api" },
        },
      });
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, write));
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(() => taken.length >= (EVENTS * kill) / (KILLS + 1), "a part of them");
    child.kill("SIGKILL");
    child = await spawn();
  }
  await writing;
  await until(() => new Set(taken.map(({ number }) => number)).size >= EVENTS, "all of them");

  const first = [...new Map(taken.map((one) => [one.number, one])).values()];
  expect(first.map(({ number }) => number)).toEqual(Array.from({ length: EVENTS }, (_, i) => i + 1));
  expect(first.map(({ person }) => person).sort()).toEqual(ids.toSorted());
  // Who was killed between an answer and noting it tells the same once more, and nothing else twice.
  expect(taken.length - EVENTS).toBeLessThanOrEqual(KILLS);
}, 900_000);
