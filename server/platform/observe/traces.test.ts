import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { openHttpApp } from "../../test/http-app";
import { traceOf } from "./traces";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

const traceIn = (traceparent: string) => traceOf({ headers: new Headers({ traceparent }) }).trace_id;

it("reads the trace id from a valid W3C header only", () => {
  expect(traceIn(PARENT)).toBe(TRACE);
  expect(traceIn(`01-${TRACE}-00f067aa0ba902b7-00-more`)).toBe(TRACE);
  const bad = [
    ...["", "x", PARENT.toUpperCase(), `ff${PARENT.slice(2)}`, `${PARENT}0`, PARENT.slice(0, -1)],
    ...[
      `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
      `00-${TRACE}-${"0".repeat(16)}-01`,
      `00-${TRACE}\u00e9-00f067aa0ba902b7-01`,
    ],
  ];
  for (const one of bad) expect(traceIn(one), one).toBeUndefined();
});

it("the log lines of a request contain its trace id", async () => {
  const lines: string[] = [];
  const written = vi
    .spyOn(process.stdout, "write")
    .mockImplementation((text) => Boolean(lines.push(String(text))));
  onTestFinished(() => void written.mockRestore());
  const opened = await openHttpApp({ LOG_LEVEL: "debug", LOG_FORMAT: "pretty" });
  onTestFinished(() => opened.close());
  await fetch(`${opened.origin}/api/v1/subscribers`, { headers: { traceparent: PARENT } });
  await fetch(`${opened.origin}/api/v1/subscribers`);
  const rejected = lines.filter((line) => line.includes("rejected"));
  expect(rejected.map((line) => line.includes(`trace_id=${TRACE}`))).toEqual([true, false]);
});

it("with a collector each request becomes a span of the caller's trace, without path, address or key", async () => {
  const bodies: string[] = [];
  let headers: IncomingHttpHeaders = {};
  const collector = createServer((request, response) => {
    headers = request.headers;
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      bodies.push(`${request.method} ${request.url}\n${body}`);
      response.end("{}");
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => collector.once("listening", resolve));
  onTestFinished(() => void collector.close());
  const { port } = collector.address() as AddressInfo;
  const opened = await openHttpApp({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_SERVICE_NAME: "lists",
  });
  const secret = `sk_${"k".repeat(32)}`;
  await fetch(`${opened.origin}/api/v1/subscribers/${ID}?email=ada@lovelace.org`, {
    headers: { traceparent: PARENT, Authorization: `Bearer ${secret}` },
  });
  await fetch(`${opened.origin}/confirm/${"t".repeat(92)}`);
  await opened.close();
  const sent = bodies.join("\n");
  expect(sent).toMatch(/^POST \/v1\/traces\n/);
  expect(headers["content-type"]).toBe("application/json");
  const [{ resource, scopeSpans }] = JSON.parse(bodies[0]?.split("\n")[1] as string).resourceSpans;
  expect(JSON.stringify(resource)).toContain('"service.name","value":{"stringValue":"lists"}');
  const spans = scopeSpans.flatMap((scope: { spans: object[] }) => scope.spans);
  expect(spans).toMatchObject([
    { name: "getSubscriber", traceId: TRACE, parentSpanId: "00f067aa0ba902b7", kind: 2 },
    { name: "confirm" },
  ]);
  expect(spans[1].traceId).not.toBe(TRACE);
  expect(Number(spans[0].endTimeUnixNano) - Number(spans[0].startTimeUnixNano)).toBeGreaterThan(0);
  expect(Math.abs(Number(spans[0].endTimeUnixNano) / 1e6 - Date.now())).toBeLessThan(60_000);
  expect(sent).not.toMatch(/lovelace|01890a5d|sk_k|tttt|127\.0\.0\.1/);
});
