import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { maxHeaderBytes, maxHeaders } from "../kernel/default-limits";
import { AppError, malformed } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { isDecodable } from "../kernel/own-path";
import { alwaysSent } from "../platform/http/security-headers";
import { failure } from "./envelope";

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

/** On a connection that is closed with its answer: its parser may have lost its place. */
const ownHeaders = (body: string) => ({
  "Content-Type": "application/json",
  "Content-Length": Buffer.byteLength(body),
  "Cache-Control": "no-store",
  ...Object.fromEntries(alwaysSent),
  "X-Request-Id": newId(),
  Connection: "close",
});

/** An error as bytes, for a connection on which no request came about that a response could belong to. */
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

/** How long the caller may take to read the answer. */
const LINGER_MS = 2_000;

/**
 * Answers in our envelope what Node's parser rejects, and closes the connection; for the server's `clientError`.
 * A request before it on the same connection is answered first: its caller would take this error for its own.
 */
export function rejectUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Node's own name for the response that the socket is busy with; its default answer asks for it, too.
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null };
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  if (response?.req.complete) {
    response.once("close", () => setImmediate(rejectUnparsed, error, socket));
    return;
  }
  if (response?.headersSent) return void socket.destroy();
  socket.end(responseTo(error.code));
  // What the caller still sends is read and dropped: closing at once would reset the connection under the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Whether a request has too many headers, which Node's parser lets through; null when it has not. */
function headersError({ rawHeaders }: IncomingMessage): AppError | null {
  if (rawHeaders.length / 2 <= maxHeaders) return null;
  const message = `The request has more than ${maxHeaders} headers. Nothing was changed. Send fewer headers.`;
  return new AppError("payload_too_large", message, { status: 431 });
}

/** What is wrong with the target of a request for a page; null when nothing is. */
function targetError(target: string): AppError | null {
  if (target.startsWith("/") && isDecodable(target.split("?", 1)[0] as string)) return null;
  return malformed("The URL is not valid: it has no path, or a % in it is not valid UTF-8.");
}

/** Answers in our envelope a request that nobody should read. @returns whether it was one */
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
