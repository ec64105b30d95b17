import { AppError } from "../errors";
import { findJsonFault } from "./json-fault";

/** The largest body that is read, in bytes. */
export const maxBodyBytes = 256 * 1024;

const tooLarge = () =>
  new AppError(
    "payload_too_large",
    `The body is larger than ${maxBodyBytes / 1024} KiB. Send fewer items in one request.`,
    {
      // What is left unread of the body must not be taken for the next request.
      headers: { Connection: "close" },
    },
  );

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
async function readCounted(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, size);
    size += value.byteLength;
    if (size > maxBodyBytes) {
      // Not awaited: the sender may never stop.
      reader.cancel().catch(() => {});
      throw tooLarge();
    }
    chunks.push(value);
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > maxBodyBytes) throw tooLarge();
  try {
    // A promised length is one that HTTP itself holds the sender to.
    if (announced !== null) return new Uint8Array(await request.arrayBuffer());
    return request.body ? await readCounted(request.body) : new Uint8Array();
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
