import { AppError } from "../../errors";
import { findJsonFault } from "./json-fault";

/** The largest body that is read, in bytes. */
export const maxBodyBytes = 256 * 1024;

/**
 * How much of a body that is too large is still read, and thrown away: a connection that is closed on someone who is
 * sending breaks, and the answer is lost with it.
 */
const patience = { bytes: 16 * 1024 * 1024, ms: 1_000 };

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Throws the rest of a body away. @returns whether its end came while we were patient */
async function throwAway(reader: Reader): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, patience.ms, null);
  });
  try {
    for (let size = 0; size <= patience.bytes; ) {
      const step = await Promise.race([reader.read(), late]);
      if (step === null) break;
      if (step.done) return true;
      size += step.value.byteLength;
    }
  } catch {
    // The sender has gone.
  } finally {
    clearTimeout(timer);
  }
  // Not awaited: the sender may never stop.
  reader.cancel().catch(() => {});
  return false;
}

/** Rejects a body that is too large, once its sender can hear it. */
async function reject(reader: Reader | undefined, limit: number): Promise<never> {
  const ended = reader !== undefined && (await throwAway(reader));
  const advice = limit === maxBodyBytes ? " Send fewer items in one request." : "";
  const message = `The body is larger than ${limit / 1024} KiB.${advice}`;
  // What is left of the body must not be taken for the next request.
  throw new AppError("payload_too_large", message, ended ? {} : { headers: { Connection: "close" } });
}

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*)?;?[ \t]*$/i;

function checkMediaType(request: Request): void {
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new AppError(
      "unsupported_media_type",
      "Compressed bodies are not read. Send the JSON as it is, without Content-Encoding.",
    );
  }
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? "")) {
    throw new AppError(
      "unsupported_media_type",
      "Send the body as JSON in UTF-8, with the header Content-Type: application/json.",
    );
  }
}

/** Reads a body whose length nobody promised, and stops at the limit. */
async function readCounted(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, size);
    size += value.byteLength;
    if (size > limit) await reject(reader, limit);
    chunks.push(value);
  }
}

/** The body as it came, of at most `limit` bytes. @throws AppError payload_too_large, malformed_request */
export async function readBytes(request: Request, limit = maxBodyBytes): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > limit) {
    await reject(Number(announced) <= patience.bytes ? request.body?.getReader() : undefined, limit);
  }
  try {
    // A promised length is one that HTTP itself holds the sender to.
    if (announced !== null) return new Uint8Array(await request.arrayBuffer());
    return request.body ? await readCounted(request.body, limit) : new Uint8Array();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      "malformed_request",
      "The body did not arrive whole. Nothing was changed; send the request again.",
      { cause: error },
    );
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export type JsonBody = { bytes: Uint8Array; value: unknown };

/**
 * The body as JSON, and its bytes.
 * @throws AppError unsupported_media_type, payload_too_large, malformed_request (where the JSON breaks), in this order
 */
export async function readJson(request: Request): Promise<JsonBody> {
  checkMediaType(request);
  const bytes = await readBytes(request);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new AppError("malformed_request", "The body is not valid UTF-8. Nothing was changed.");
  }
  try {
    return { bytes, value: JSON.parse(text) };
  } catch {
    if (text.trim() === "")
      throw new AppError("malformed_request", "The body is empty; send a JSON document.");
    const { line, column, expected } = findJsonFault(text);
    throw new AppError(
      "malformed_request",
      `The body is not JSON: line ${line}, column ${column}, expected ${expected}.`,
    );
  }
}
