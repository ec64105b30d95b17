import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../../server/kernel/project-root";
import { freePort, type Product } from "../../server/test/product";
import { until } from "../process/site";
import { isAcknowledged, startLoad } from "./load";
import { add, countRound, type GoesOn, most, playOn, type Tally } from "./tally";

export const hasCaddy = spawnSync("sh", ["-c", "command -v caddy"]).status === 0;

const HEALTH_TOKEN = "a token that may read the metrics";
/** The value that deploy/Caddyfile asks for. */
const drainSeconds = 3;

/** Starts Caddy with the file of deploy/ in front of these ports. */
async function startCaddy(ports: number[]) {
  const [port, admin] = [await freePort(), await freePort()];
  const home = mkdtempSync(join(tmpdir(), "rollcall-caddy-"));
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, CADDY_ADMIN: `127.0.0.1:${admin}` },
    ...{ DOMAIN: `http://127.0.0.1:${port}`, ROLLCALL: ports.map((one) => `127.0.0.1:${one}`).join(" ") },
  } as unknown as NodeJS.ProcessEnv;
  const file = join(projectRoot(), "deploy/Caddyfile");
  const caddy = spawn("caddy", ["run", "--adapter", "caddyfile", "--config", file], { env, stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  await until("Caddy", () =>
    fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => caddy.once("exit", resolve));
      caddy.kill();
      await ended;
      rmSync(home, { recursive: true });
    },
  };
}

async function hasCreated({ url }: Product): Promise<boolean> {
  const headers = { Authorization: `Bearer ${HEALTH_TOKEN}` };
  const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
  return metrics.includes('rollcall_request_duration_seconds_count{operation="createSubscriber"');
}

/** Restarts two processes behind Caddy, one after the other, while clients write. */
export async function playDeploys(tally: Tally, _random: () => number, goesOn: GoesOn): Promise<void> {
  const clients = goesOn() ? 32 : 12;
  const ports = [await freePort(), await freePort()];
  const settingsOf = (port: number | undefined) => ({ PORT: String(port) });
  const shared = { DRAIN_SECONDS: String(drainSeconds), TRUST_PROXY: "1", HEALTH_TOKEN };
  const settings = { ...shared, ...settingsOf(ports[0]) };
  await playOn(tally, { database: "shared", settings }, async (site) => {
    const running: Product[] = [site.first, await site.start(settingsOf(ports[1]))];
    const caddy = await startCaddy(ports);
    do {
      const prefix = `deploy${tally.rounds}`;
      const load = startLoad([caddy], site.key, { prefix, clients, pauseMs: 100, persistent: true });
      await until("the load", () => load.writes.length > 200);
      for (const [i, port] of ports.entries()) {
        const stoppedAt = performance.now();
        await running[i]?.stop();
        const stopMs = performance.now() - stoppedAt;
        most(tally, "slowest stop beyond DRAIN_SECONDS, in seconds", stopMs / 1000 - drainSeconds);
        const product = await site.start(settingsOf(port));
        running[i] = product;
        await until("Caddy to send it requests", () => hasCreated(product));
      }
      await load.stop();
      add(tally, "requests", load.writes.length);
      const unanswered = load.writes.filter((write) => !isAcknowledged(write));
      tally.stranded.push(
        ...unanswered.map(({ verb, answer }) => `${verb} was answered ${answer?.status ?? "with a reset"}`),
      );
      await countRound(tally, "two processes restarted", site, load);
    } while (goesOn());
    await caddy.stop();
  });
}
