import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createApp } from "../app";
import { loadConfig } from "../config";
import { makeLog } from "../kernel/log";
import { migrate } from "../platform/db/migrate";
import { createTestDatabase } from "./database";
import { startThrowawayCluster } from "./throwaway-cluster";

export type Told = { id: string; body: string; headers: Record<string, string> };
export type Answer = { status: number; body?: string; headers?: Record<string, string> };

/**
 * Opens an app on its own cluster, and an endpoint's server. @param take receives each message and returns the response
 */
export async function openWebhookStage(take: (told: Told) => Answer) {
  // Delivery reads only ended transactions, and would wait for the other transactions of a shared cluster.
  const cluster = await startThrowawayCluster();
  const database = await createTestDatabase({ clusterUrl: cluster.url });
  await migrate({ url: database.url, log: () => {} });
  const config = loadConfig({ LOG_LEVEL: "silent", WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1" });
  const secret = "a secret for tests that is long enough";
  const app = await createApp(config, database.url, [secret], makeLog(config));
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const headers = request.headers as Record<string, string>;
    const answer = take({ id: headers["webhook-id"] as string, body, headers });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    app,
    databaseUrl: database.url,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async close() {
      server.closeAllConnections();
      server.close();
      await app.close();
      await database.drop();
      await cluster.remove();
    },
  };
}
