import type pino from "pino";
import { version } from "../../kernel/version";

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/** Parses the caller's span from the W3C header; null without a valid one. */
function parentOf(traceparent: string | null) {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  if (!traceId || !spanId || !flags) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

/** Returns the trace id of the caller for a request's log lines. */
export function traceOf({ headers }: { headers: Headers }): { trace_id?: string } {
  const parent = parentOf(headers.get("traceparent"));
  return parent ? { trace_id: parent.traceId } : {};
}

/** An answered request. Times are from `performance.now()`. */
export type Answered = {
  method: string;
  traceparent: string | null;
  operation: string;
  status: number;
  startedAt: number;
  endedAt: number;
};

export type Spans = { record(answered: Answered): void; close(): Promise<void> };

/**
 * Sends a span of each request to an OpenTelemetry collector. Its packages are loaded only here. They read
 * OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER and similar settings.
 */
export async function openSpans(endpoint: string, service: string, log: pino.Logger): Promise<Spans> {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, diag, DiagLogLevel } = await import(
    "@opentelemetry/api"
  );
  const { BasicTracerProvider, BatchSpanProcessor } = await import("@opentelemetry/sdk-trace-base");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const warn = (message: string) => log.warn({ from: "OpenTelemetry" }, message);
  diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, DiagLogLevel.ERROR);
  const attributes = { "service.name": service, "service.version": version };
  const provider = new BasicTracerProvider({
    resource: {
      attributes,
      merge: () => attributes,
      getRawAttributes: () => Object.entries(attributes),
    } as never,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))],
  });
  const tracer = provider.getTracer("rollcall", version);
  const clock = (at: number) => performance.timeOrigin + at;
  return {
    record({ method, traceparent, operation, status, startedAt, endedAt }) {
      const parent = parentOf(traceparent);
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
      // The path is left out, because it may contain a link's token.
      const facts = { "http.request.method": method, "http.response.status_code": status };
      const options = { kind: SpanKind.SERVER, startTime: clock(startedAt), attributes: facts };
      const span = tracer.startSpan(operation, options, context);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(clock(endedAt));
    },
    close: () => provider.shutdown(),
  };
}
