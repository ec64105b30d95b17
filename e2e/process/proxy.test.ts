import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectRoot } from "../../server/kernel/project-root";
import { freePort, type Product, startProduct } from "../../server/test/product";
import { siteForTest, until } from "./site";

const HEALTH_TOKEN = "a token that may read the metrics";
const isInstalled = spawnSync("sh", ["-c", "command -v caddy"]).status === 0;

/** Starts Caddy with the file of deploy/ in front of these ports. */
async function startCaddy(ports: number[]): Promise<string> {
  const [port, admin] = [await freePort(), await freePort()];
  const home = mkdtempSync(join(tmpdir(), "rollcall-caddy-"));
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, CADDY_ADMIN: `127.0.0.1:${admin}` },
    ...{ DOMAIN: `http://127.0.0.1:${port}`, ROLLCALL: ports.map((one) => `127.0.0.1:${one}`).join(" ") },
  } as unknown as NodeJS.ProcessEnv;
  const file = join(projectRoot(), "deploy/Caddyfile");
  const caddy = spawn("caddy", ["run", "--adapter", "caddyfile", "--config", file], { env, stdio: "ignore" });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => caddy.once("exit", resolve));
    caddy.kill();
    await ended;
    rmSync(home, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await until("Caddy", () =>
    fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return url;
}

async function hasCreated({ url }: Product): Promise<boolean> {
  const headers = { Authorization: `Bearer ${HEALTH_TOKEN}` };
  const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
  return metrics.includes('rollcall_request_duration_seconds_count{operation="createSubscriber"');
}

test.skipIf(!isInstalled)(
  "behind Caddy with the provided file, two processes restart in turn under load: no request fails or is lost",
  async () => {
    const settings = { DRAIN_SECONDS: "3", TRUST_PROXY: "1", HEALTH_TOKEN };
    const site = await siteForTest({ onTestFinished }, { database: "shared", settings });
    const products: Product[] = [site.first, await site.start()];
    onTestFinished(async () => {
      for (const product of products) await product.stop();
    });
    const ports = products.map((product) => Number(new URL(product.url).port));
    const url = await startCaddy(ports);
    let over = false;
    const outcomes: (number | string)[] = [];
    const client = async (name: string) => {
      const headers = { Authorization: `Bearer ${site.key}`, "Content-Type": "application/json" };
      for (let i = 0; !over; i++) {
        const body = JSON.stringify({ email: `${name}-${i}@lovelace.org` });
        const asked = fetch(`${url}/api/v1/subscribers`, { method: "POST", headers, body });
        outcomes.push(
          await asked.then(
            ({ status }) => status,
            (error) => String(error.cause ?? error),
          ),
        );
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, (_, i) => client(`rolling${i}`)));
    for (const [i, port] of ports.entries()) {
      expect(await products[i]?.stop()).toBe(0);
      const product = await startProduct({ env: site.env, port });
      products[i] = product;
      await until("Caddy to send it requests", () => hasCreated(product));
    }
    over = true;
    await clients;
    expect(outcomes.length).toBeGreaterThan(200);
    expect(outcomes.filter((outcome) => outcome !== 201)).toEqual([]);
    const [row] = await site.sql<{ people: number }>("SELECT count(*)::int AS people FROM subscribers");
    expect(row?.people).toBe(outcomes.length);
  },
);
