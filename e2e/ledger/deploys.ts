import { Agent, createServer, get, request } from "node:http";
import type { AddressInfo } from "node:net";
import { freePort, type Product } from "../../server/test/product";
import type { Mount } from "../contract/client";
import { openSite, until } from "../process/site";
import { isAcknowledged, startLoad } from "./load";
import { strandedMails } from "./outbox";
import { add, countRound, type GoesOn, most, type Tally } from "./tally";

const healthEveryMs = 200;
const drainSeconds = "1";

/**
 * A simple proxy: it checks the health of each process, sends requests to the healthy ones in turn, keeps connections, and
 * repeats nothing.
 */
async function startProxy(ports: number[]) {
  const agent = new Agent({ keepAlive: true });
  const well = new Map(ports.map((port) => [port, false]));
  let turn = 0;
  let failures = 0;
  const server = createServer((incoming, outgoing) => {
    const up = ports.filter((port) => well.get(port));
    const port = up[turn++ % up.length];
    if (port === undefined) {
      failures++;
      return void outgoing.writeHead(502, { "Content-Type": "application/json" }).end("{}");
    }
    const { method, url: path, headers } = incoming;
    const passed = request(
      { agent, hostname: "127.0.0.1", port, method, path, headers: { ...headers, connection: "keep-alive" } },
      (answer) => {
        const { connection: _, ...rest } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, rest);
        answer.pipe(outgoing);
      },
    );
    passed.on("error", () => {
      failures++;
      outgoing.destroy();
    });
    incoming.pipe(passed);
  });
  const look = (port: number) =>
    get({ hostname: "127.0.0.1", port, path: "/api/health", agent: false, timeout: 2_000 }, (answer) => {
      answer.resume();
      well.set(port, answer.statusCode === 200);
    }).on("error", () => well.set(port, false));
  const timer = setInterval(() => ports.forEach(look), healthEveryMs);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isWell: (port: number) => well.get(port) === true,
    /** Requests that reached no process, or lost it. */
    failures: () => failures,
    stop() {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

const pauseMs = 100;

/** Rolls two processes behind a proxy, one after the other, while clients write. */
export async function playDeploys(tally: Tally, _random: () => number, goesOn: GoesOn): Promise<void> {
  const clients = goesOn() ? 32 : 12;
  const ports = [await freePort(), await freePort()] as const;
  const settings = (port: number) => ({ PORT: String(port), DRAIN_SECONDS: drainSeconds });
  const site = await openSite({ database: "shared", settings: settings(ports[0]) });
  const proxy = await startProxy([...ports]);
  try {
    const running: Product[] = [site.first, await site.start(settings(ports[1]))];
    await until("both to be well", () => ports.every((port) => proxy.isWell(port)));
    const mount: Mount = { url: proxy.url };
    do {
      const load = startLoad([mount], site.key, {
        prefix: `deploy${tally.rounds}`,
        clients,
        pauseMs,
        persistent: true,
      });
      const began = performance.now();
      await until("the load", () => load.writes.length > 200);
      for (const [i, port] of ports.entries()) {
        const stoppedAt = performance.now();
        await running[i]?.stop();
        const stopMs = performance.now() - stoppedAt;
        most(tally, "slowest stop beyond DRAIN_SECONDS, in seconds", stopMs / 1000 - Number(drainSeconds));
        running[i] = await site.start(settings(port));
        await until("the new one to be well", () => proxy.isWell(port));
      }
      await load.stop();
      const seconds = (performance.now() - began) / 1000;
      add(tally, "requests", load.writes.length);
      most(tally, "most requests a second in a round", load.writes.length / seconds);
      const unanswered = load.writes.filter((write) => !isAcknowledged(write));
      tally.stranded.push(
        ...unanswered.map(({ verb, answer }) => `${verb} was answered ${answer?.status ?? "with a reset"}`),
      );
      await countRound(tally, "two processes rolled", site, load);
    } while (goesOn());
    add(tally, "requests that the proxy could not pass on", proxy.failures());
    tally.stranded.push(...(await strandedMails(site)));
  } finally {
    proxy.stop();
    await site.close();
  }
}
