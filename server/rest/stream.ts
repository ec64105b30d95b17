import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { AppError, malformed, toAppError } from "../kernel/errors";
import { within } from "../kernel/time";
import { breakConnection } from "../platform/http/connections";
import type { Answer } from "./envelope";
import type { RestContext } from "./read-request";
import { type StreamFormat, streamTypes } from "./schema/operation";

/** The longest time for which a client may read nothing. PostgreSQL ends an idle transaction after 30 s. */
const STALLED_MS = 20_000;

/** The weight of each media type in an Accept header, from 0 to 1. */
function weightsOf(accept: string): Map<string, number> {
  const ranges = accept.split(",").map((range) => {
    const [type = "", ...parameters] = range.toLowerCase().split(";");
    const weight = parameters.map((one) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean);
    return [type.trim(), weight === undefined ? 1 : Number(weight)] as const;
  });
  return new Map(ranges.toReversed());
}

/** The format in which a request asks for the whole list; null: JSON in pages. JSON wins over a lighter format. */
export function streamFormat(request: Request): StreamFormat | null {
  const weights = weightsOf(request.headers.get("accept") ?? "");
  const weightOf = (type: string) => weights.get(type) ?? 0;
  const [csv, ndjson] = [weightOf(streamTypes.csv), weightOf(streamTypes.ndjson)];
  const json = weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*") ?? 0;
  if (Math.max(csv, ndjson) === 0 || json > Math.max(csv, ndjson)) return null;
  return csv >= ndjson ? "csv" : "ndjson";
}

/** Parameters of pages, which a stream does not have. */
const PAGING = ["limit", "cursor", "page"];

/** @throws AppError validation_error (400) for a parameter of pages */
export function rejectPaging(url: URL): void {
  const name = PAGING.find((one) => url.searchParams.has(one));
  if (name === undefined) return;
  const message = `A stream has no pages. Remove ${name}, or send Accept: application/json.`;
  throw malformed(message, { errors: { [name]: [message] } });
}

/**
 * How much the heap may grow between two full collections while a list is sent. V8's own limit lets the garbage of a
 * million people take 290 MB; this one 30 MB, in the same time.
 */
const GROWTH_PERCENT = 35;
let streams = 0;

/** Runs a full collection. V8 shows its function only in contexts that are made after the flag is set. */
async function collect(): Promise<void> {
  setFlagsFromString("--expose-gc");
  await runInNewContext("gc")({ type: "major", execution: "async" });
}

/**
 * Runs a task with the limit above. V8 computes a limit at the end of a full collection, so one comes first; it stops this
 * process for 40 ms.
 */
async function withSmallHeap(task: () => Promise<void>): Promise<void> {
  const isFirst = streams++ === 0;
  try {
    if (isFirst) {
      setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
      await collect();
    }
    await task();
  } finally {
    // 0: V8 decides.
    if (--streams === 0) setFlagsFromString("--heap-growing-percent=0");
  }
}

/** The client closed the connection or stopped reading. */
class ReaderGone extends Error {}

/** Waits for the client. @throws ReaderGone */
const takenInTime = (ready: Promise<unknown>, stalledMs: number) =>
  within(stalledMs, ready).catch(() => {
    throw new ReaderGone();
  });

/** Adds a text to the stream and waits until the client needs more. */
export type Send = (text: string) => Promise<void>;

/**
 * Answers with a text that `produce` sends in parts. An error before the first part is thrown, and becomes an envelope. A
 * later error breaks the connection.
 */
export async function streamAnswer(
  { app, request }: Pick<RestContext, "app" | "request">,
  { format, stalledMs = STALLED_MS }: { format: StreamFormat; stalledMs?: number },
  produce: (send: Send) => Promise<void>,
): Promise<Answer> {
  const type = streamTypes[format];
  const headers = { "Content-Type": format === "csv" ? `${type}; charset=utf-8` : type };
  if (request.method === "HEAD") return { status: 200, body: "", headers };
  // Holds one part. `ready` waits until the client has taken it.
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  writer.closed.catch(() => {});
  const encoder = new TextEncoder();
  return new Promise((resolve, reject) => {
    let begun = false;
    const begin = () => {
      begun = true;
      resolve({ status: 200, body: "", headers, stream: { body: readable, ended } });
    };
    const send: Send = async (text) => {
      begin();
      await takenInTime(writer.ready, stalledMs);
      writer.write(encoder.encode(text)).catch(() => {});
    };
    const produceInTurn = () =>
      app.streams(async () => {
        if (request.signal.aborted) throw new ReaderGone();
        await withSmallHeap(() => produce(send));
      });
    // Starts in a later tick, because `begin` needs `ended`.
    const ended = Promise.resolve()
      .then(produceInTurn)
      .then(
        () => {
          begin();
          writer.close().catch(() => {});
          return null;
        },
        (thrown: unknown): AppError | null => {
          const error = thrown instanceof ReaderGone ? null : toAppError(thrown, "reader");
          if (!begun)
            reject(error ?? new AppError("service_unavailable", "The client closed the connection."));
          else if (!breakConnection(request)) writer.abort(thrown).catch(() => {});
          return error;
        },
      );
  });
}
