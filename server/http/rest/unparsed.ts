import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { newId } from "../../domain/ids";
import { AppError, malformed } from "../../errors";
import { failure } from "./envelope";

function errorOf(parserCode: string | undefined): AppError {
  switch (parserCode) {
    case "HPE_HEADER_OVERFLOW":
      return new AppError(
        "payload_too_large",
        "The request line and headers are over 16 KiB together. Nothing was changed; send less of them.",
        { status: 431 },
      );
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new AppError(
        "validation_error",
        "The request did not arrive whole in time. Nothing was changed; try again.",
        { status: 408 },
      );
    default:
      return malformed(
        "The request breaks the HTTP protocol in its first line, a header or its framing. Nothing was changed.",
      );
  }
}

/** An error as bytes, for a connection on which no request came about that a response could belong to. */
function responseTo(parserCode: string | undefined): string {
  const { status, body } = failure(errorOf(parserCode));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    `X-Request-Id: ${newId()}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
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
