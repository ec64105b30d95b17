import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { maxHeaderBytes, maxHeaders } from "../kernel/default-limits";
import { AppError, malformed } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { isDecodable } from "../kernel/own-path";
import { alwaysSent } from "../platform/http/security-headers";
import { apiHeaders, failure } from "./envelope";

function errorOf(parserCode: string | undefined): AppError {
  switch (parserCode) {
    case "HPE_HEADER_OVERFLOW":
      return new AppError(
        "payload_too_large",
        `The request line and headers are over ${maxHeaderBytes / 1024} KiB in total. Nothing was changed. Send less.`,
        { status: 431 },
      );
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new AppError(
        "validation_error",
        "The request did not arrive completely in time. Nothing was changed. Try again.",
        { status: 408 },
      );
    default:
      return malformed("The request violates the HTTP protocol. Nothing was changed.");
  }
}

/** The connection closes after this answer, because the parser may have lost its position. */
const ownHeaders = (body: string) => ({
  ...apiHeaders(newId()),
  "Content-Length": Buffer.byteLength(body),
  ...Object.fromEntries(alwaysSent),
  Connection: "close",
});

/** Returns an error response as raw bytes, for a connection without a parsed request. */
function responseTo(parserCode: string | undefined): string {
  const { status, body, headers = {} } = failure(errorOf(parserCode));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({ ...ownHeaders(body), Date: new Date().toUTCString(), ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    "",
    body,
  ].join("\r\n");
}

/** The time in milliseconds that the caller has to read the answer. */
const LINGER_MS = 2_000;

/**
 * Answers requests that Node's parser rejects with our error envelope, and closes the connection. Handles the server's
 * `clientError` event. An earlier request on the same connection is answered first, because its caller would take this
 * error for its own.
 */
export function rejectUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Node's internal property for the response in progress on this socket. Node's default handler reads it too.
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null };
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  if (response?.req.complete) {
    response.once("close", () => setImmediate(rejectUnparsed, error, socket));
    return;
  }
  if (response?.headersSent) return void socket.destroy();
  socket.end(responseTo(error.code));
  // The rest of the request is read and dropped. Closing at once would reset the connection before the answer arrives.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Returns an error for a request with too many headers, which Node's parser accepts; else null. */
function headersError({ rawHeaders }: IncomingMessage): AppError | null {
  if (rawHeaders.length / 2 <= maxHeaders) return null;
  const message = `The request has more than ${maxHeaders} headers. Nothing was changed. Send fewer headers.`;
  return new AppError("payload_too_large", message, { status: 431 });
}

/** Returns an error for an invalid target of a page request; else null. */
function targetError(target: string): AppError | null {
  if (target.startsWith("/") && isDecodable(target.split("?", 1)[0] as string)) return null;
  return malformed("The URL is not valid: it has no path, or a % in it is not valid UTF-8.");
}

/** Answers a request with an invalid head in our error envelope. @returns whether the head was invalid */
export function rejectUnreadableHead(
  request: IncomingMessage,
  response: ServerResponse,
  isPage: boolean,
  appUrl: string,
): boolean {
  const error = headersError(request) ?? (isPage ? targetError(request.url ?? "") : null);
  if (!error) return false;
  const { status, body, headers } = failure(error, appUrl);
  response.writeHead(status, { ...ownHeaders(body), ...headers });
  response.end(request.method === "HEAD" ? undefined : body);
  return true;
}
