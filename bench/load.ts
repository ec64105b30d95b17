import { KeepAliveConnection } from "./keep-alive-connection";
import { People } from "./people";

export interface LoadOrder {
  url: string;
  key: string;
  /** The status of a successful create. */
  expected: number;
  connections: number;
  /** People in one bulk request; undefined for single creates. */
  batch: number | undefined;
  /** Time that is counted, at least. */
  windowMs: number;
}

export interface LoadResult {
  /** Answers within the window, per second of it. */
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Every success of this order, also outside the window: what must now be in the database. */
  accepted: number;
  /** CPU time of this process for each accepted request, in microseconds. */
  clientMicros: number;
}

/** Time before the window, not counted: connections open, caches and pools fill. */
const rampMs = 300;
/** A load that takes this much longer than its window fails the bench. */
const patienceMs = 120_000;
const people = new People();

/**
 * Keeps each connection busy with one request after the other, and counts the answers. Rejects on the first answer that
 * is no success and on any broken connection.
 */
export async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const cpuBefore = process.cpuUsage();
  const windowStart = performance.now() + rampMs;
  let windowEnd = windowStart + order.windowMs;
  const connections: KeepAliveConnection[] = [];
  let accepted = 0;

  const keepBusy = () =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0;
      const onAnswer = (status: number, answer: () => string) => {
        if (status !== order.expected)
          return reject(new Error(`expected ${order.expected}, got: ${answer().slice(0, 600)}`));
        const now = performance.now();
        accepted += 1;
        // A slow server gets more time, until it has given as many answers as there are connections.
        const isEarly = latenciesMs.length < order.connections;
        if (isEarly) windowEnd = Math.max(windowEnd, now);
        if (now >= windowStart && now <= windowEnd) latenciesMs.push(now - sentAt);
        if (isEarly || now < windowEnd) next();
        else resolve();
      };
      const connection = new KeepAliveConnection(new URL(order.url), order.key, onAnswer, reject);
      const next = () => {
        const body = people.nextBody(order.batch);
        sentAt = performance.now();
        connection.send(body);
      };
      connections.push(connection);
      next();
    });

  let patience: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error("some answers never came"));
    patience = setTimeout(fail, rampMs + order.windowMs + patienceMs);
  });
  try {
    await Promise.race([Promise.all(Array.from({ length: order.connections }, keepBusy)), tooLate]);
  } finally {
    clearTimeout(patience);
    for (const connection of connections) connection.close();
  }
  const cpu = process.cpuUsage(cpuBefore);
  latenciesMs.sort((a, b) => a - b);
  return {
    requestsPerSecond: (latenciesMs.length * 1000) / (windowEnd - windowStart),
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    accepted,
    clientMicros: (cpu.user + cpu.system) / accepted,
  };
}

/** @param sorted ascending, @param share 0 to 1 */
export function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
