import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { maxBodyBytes } from "../../kernel/default-limits";
import { AppError, malformed } from "../../kernel/errors";

/** Much more than our forms need. */
const maxFormBytes = 16 * 1024;

/**
 * How much of an oversized body of unknown length is still read and dropped. Closing a connection while the client
 * sends would lose the response. The HTTP adapter drops the rest of bodies with an announced length.
 */
const maxDroppedBytes = 16 * 1024 * 1024;

const MIB = 1024 * 1024;

function tooLarge(limit: number): AppError {
  const advice = limit >= maxBodyBytes ? " Send fewer items in one request." : "";
  const most = limit < MIB ? `${limit / 1024} KiB` : `${limit / MIB} MiB`;
  return new AppError("payload_too_large", `The body is larger than ${most}.${advice}`);
}

/** Reads a body of unknown length, up to the limit. */
async function readCounted(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size <= limit) chunks.push(chunk);
    else if (size > maxDroppedBytes) break;
  }
  if (size > limit) throw tooLarge(limit);
  return Buffer.concat(chunks, size);
}

/** Returns the Content-Length of a request in bytes; null without one. */
export function announcedLength(request: Request): number | null {
  const announced = request.headers.get("content-length");
  return announced === null ? null : Number(announced);
}

/** Reads the raw body. @throws AppError payload_too_large, or validation_error (400) when the body is incomplete */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const announced = announcedLength(request);
  if (announced !== null && announced > limit) throw tooLarge(limit);
  try {
    // HTTP enforces an announced length.
    if (announced !== null) return new Uint8Array(await request.arrayBuffer());
    return request.body ? await readCounted(request.body, limit) : new Uint8Array();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = "The body is incomplete. Nothing was changed. Send the request again.";
    throw malformed(message, { cause: error });
  }
}

const JSON_TYPE =
  /^(?:application\/(?:[\w.-]+\+)?|text\/)json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*)?;?[ \t]*$/i;

const notJson = () => {
  const message = "Send the body as JSON in UTF-8, with the header Content-Type: application/json.";
  return new AppError("unsupported_media_type", message);
};

/** Whether the body is declared as JSON in UTF-8. @param undeclared the result without a Content-Type */
const isDeclaredJson = (request: Request, undeclared: boolean) => {
  const type = request.headers.get("content-type");
  return type === null || type.trim() === "" ? undeclared : JSON_TYPE.test(type);
};

/**
 * For requests of browsers: only a declared JSON body protects against forged forms. @throws AppError
 * unsupported_media_type
 */
export function checkJsonType(request: Request): void {
  if (!isDeclaredJson(request, false)) throw notJson();
}

/** @throws AppError unsupported_media_type */
function rejectCompressed(request: Request): void {
  const encoding = request.headers.get("content-encoding");
  if (encoding === null || encoding.toLowerCase() === "identity") return;
  const message = "Compressed bodies are not supported. Send the JSON without Content-Encoding.";
  throw new AppError("unsupported_media_type", message);
}

/** Describes in a sentence where a text stops being valid JSON. */
export function describeJsonError(text: string): string {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true });
  } catch {
    // 50,000 opening brackets overflow the parser's stack.
    return "The body is not JSON: it is nested too deeply.";
  }
  const [first] = errors;
  if (!first) return "The body is not JSON.";
  const before = text.slice(0, first.offset).split("\n");
  // "CommaExpected" → "comma expected"
  const what = printParseErrorCode(first.error).replace(/\B[A-Z]/g, (letter) => ` ${letter}`);
  const column = (before.at(-1)?.length ?? 0) + 1;
  return `The body is not JSON: line ${before.length}, column ${column}, ${what.toLowerCase()}.`;
}

/** Leaves out a byte order mark. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

const notUtf8 = () => malformed("The body is not valid UTF-8. Nothing was changed.");

/** Reads the body as text. @throws AppError unsupported_media_type, payload_too_large, validation_error (400) */
export async function readText(request: Request, limit: number): Promise<string> {
  rejectCompressed(request);
  const bytes = await readBytes(request, limit);
  try {
    return utf8.decode(bytes);
  } catch {
    throw notUtf8();
  }
}

/**
 * Reads the bytes for `parseJsonBody`.
 * @throws AppError unsupported_media_type for a compressed body; payload_too_large; validation_error (400) when the body
 * is incomplete
 */
export async function readJsonBytes(request: Request, limit = maxBodyBytes): Promise<Uint8Array> {
  rejectCompressed(request);
  return readBytes(request, limit);
}

/**
 * Parses a body as JSON, whatever its declared type.
 * @throws AppError unsupported_media_type for a body that is not JSON and is declared as something else;
 * validation_error (400, with the position of the JSON error)
 */
export function parseJsonBody(request: Request, bytes: Uint8Array): unknown {
  let text: string | undefined;
  try {
    text = utf8.decode(bytes);
    return JSON.parse(text);
  } catch {
    if (!isDeclaredJson(request, true)) throw notJson();
    if (text === undefined) throw notUtf8();
    throw malformed(
      text.trim() === "" ? "The body is empty. Send a JSON document." : describeJsonError(text),
    );
  }
}

/** Reads and parses a JSON body. @throws AppError as `readJsonBytes` and `parseJsonBody` */
export async function readJsonBody(request: Request, limit?: number): Promise<unknown> {
  return parseJsonBody(request, await readJsonBytes(request, limit));
}

const FORM_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data"];

/**
 * Reads the fields of a form sent by a browser or a mail program. Mail programs may use multipart (RFC 8058). Files are
 * ignored.
 * @throws AppError unsupported_media_type, payload_too_large, validation_error (400) for anything that is not such a
 * form
 */
export async function readForm(request: Request, limit = maxFormBytes): Promise<URLSearchParams> {
  const header = request.headers.get("content-type") ?? "";
  const type = header.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!FORM_TYPES.includes(type)) throw new AppError("unsupported_media_type", "Not a form.");
  const bytes = await readBytes(request, limit);
  if (type === FORM_TYPES[0]) return new URLSearchParams(Buffer.from(bytes).toString("utf8"));
  try {
    const form = await new Response(bytes as BodyInit, { headers: { "Content-Type": header } }).formData();
    const fields = [...form].filter((field): field is [string, string] => typeof field[1] === "string");
    return new URLSearchParams(fields);
  } catch (cause) {
    throw malformed("Not a form.", { cause });
  }
}
