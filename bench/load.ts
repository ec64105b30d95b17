/**
 * The load client: a process of its own that keeps each of its connections busy with one request after the other and
 * counts what comes back. Run by bench/run.ts; takes a LoadOrder over IPC, answers with a LoadResult or LoadFailure.
 * It stays alive between measurements, so that its code is as warm in the first as in the last.
 */
import { KeepAliveConnection } from "./keep-alive-connection";
import { People } from "./people";
import { quantile } from "./quantile";

export interface LoadOrder {
  url: string;
  key: string;
  connections: number;
  /** People in one bulk request; undefined for single creates. */
  batch?: number;
  /** Time before the window, not counted: connections open, caches and pools fill. */
  rampMs: number;
  /** Time that is counted. */
  windowMs: number;
}

export interface LoadResult {
  /** Answers within the window, per second of it. */
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Every 201 of this order, ramp and tail included: what must now be in the database. */
  accepted: number;
  /** CPU time this process used per accepted request, in microseconds. */
  clientMicros: number;
}

export interface LoadFailure {
  failure: string;
}

/** An answer later than this after the last request was sent fails the bench. */
const patienceMs = 20_000;
const people = new People();

/** Runs one order. Rejects on the first answer that is not a 201 and on any broken connection. */
function run(order: LoadOrder): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const target = new URL(order.url);
    const connections: KeepAliveConnection[] = [];
    const latenciesMs: number[] = [];
    const cpuBefore = process.cpuUsage();
    const windowStart = performance.now() + order.rampMs;
    const windowEnd = windowStart + order.windowMs;
    let accepted = 0;
    let busy = order.connections;
    let over = false;

    const patience = setTimeout(
      () => fail(new Error("some answers never came")),
      order.rampMs + order.windowMs + patienceMs,
    );

    function end(): void {
      over = true;
      clearTimeout(patience);
      for (const connection of connections) connection.close();
    }

    function fail(error: Error): void {
      if (over) return;
      end();
      reject(error);
    }

    function finish(): void {
      end();
      const cpu = process.cpuUsage(cpuBefore);
      latenciesMs.sort((a, b) => a - b);
      resolve({
        requestsPerSecond: latenciesMs.length / (order.windowMs / 1000),
        p50Ms: quantile(latenciesMs, 0.5),
        p99Ms: quantile(latenciesMs, 0.99),
        accepted,
        clientMicros: (cpu.user + cpu.system) / accepted,
      });
    }

    for (let i = 0; i < order.connections; i += 1) {
      let sentAt = 0;
      const connection = new KeepAliveConnection(
        target,
        order.key,
        (status, answer) => {
          if (over) return;
          if (status !== 201) return fail(new Error(`expected 201, got: ${answer().slice(0, 600)}`));
          const now = performance.now();
          accepted += 1;
          if (now >= windowStart && now <= windowEnd) latenciesMs.push(now - sentAt);
          if (now < windowEnd) next();
          else if (--busy === 0) finish();
        },
        fail,
      );
      const next = () => {
        const body = people.nextBody(order.batch);
        sentAt = performance.now();
        connection.send(body);
      };
      connections.push(connection);
      next();
    }
  });
}

process.on("message", (order: LoadOrder) => {
  run(order).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ failure: error.message } satisfies LoadFailure),
  );
});
process.on("SIGINT", () => {}); // Ctrl-C reaches the whole group; the parent ends this process in its own order.
process.on("disconnect", () => process.exit(0));
