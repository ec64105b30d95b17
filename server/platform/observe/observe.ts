import type { IncomingMessage } from "node:http";
import type { Metrics } from "./metrics";
import type { Spans } from "./traces";

type Result = { operation: string; status: number; startedAt: number };

/** Counts a request that was answered just now, and sends its span where one is wanted. `startedAt` is `performance.now()`'s. */
export function observe(
  { metrics, spans }: { metrics: Metrics; spans: Spans | null },
  { method = "", headers }: Request | IncomingMessage,
  result: Result,
): void {
  const endedAt = performance.now();
  metrics.observe(result.operation, result.status, (endedAt - result.startedAt) / 1000);
  if (!spans) return;
  const traceparent = headers instanceof Headers ? headers.get("traceparent") : headers.traceparent;
  spans.record({ ...result, method, endedAt, traceparent: String(traceparent) });
}
