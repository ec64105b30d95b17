import type { IncomingMessage } from "node:http";
import type { Metrics } from "./metrics";
import type { Spans } from "./traces";

type Result = { operation: string; status: number; startedAt: number };

/**
 * Counts an answered request in the metrics, and sends its span if tracing is on. `startedAt` is from
 * `performance.now()`.
 */
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
