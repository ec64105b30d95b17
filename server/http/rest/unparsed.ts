import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Fault } from "../../contract/error-codes";
import { newId } from "../../domain/ids";
import { AppError } from "../../errors";
import { failure } from "./envelope";

const reasons: Record<string, { fault: Fault; phrase: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    fault: "headers_too_large",
    phrase: "Request Header Fields Too Large",
    message: "The request line and headers are over 16 KiB together. Nothing was changed; send less of them.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    fault: "request_timeout",
    phrase: "Request Timeout",
    message: "The request did not come whole in time. Nothing was changed; try again.",
  },
};
const broken = {
  fault: "malformed_request",
  phrase: "Bad Request",
  message:
    "This is no HTTP request: its first line, a header or its framing breaks the protocol. Nothing was changed.",
} as const;

/** A rejection as bytes, for a connection on which no request came about that a response could belong to. */
function rejection(code: string | undefined): string {
  const { fault, phrase, message } = reasons[code ?? ""] ?? broken;
  const { status, body } = failure(new AppError(fault, message));
  return [
    `HTTP/1.1 ${status} ${phrase}`,
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

/** How long a rejected caller may take to read why. */
const LINGER_MS = 2_000;

/**
 * Answers in our envelope what Node's parser rejects, and closes the connection; for the server's `clientError`.
 * A request before it on the same connection is answered first: its caller would take this rejection for its own.
 */
export function rejectUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Node's own word for the response that the socket is busy with; its default answer asks for it, too.
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null };
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  if (response?.req.complete) {
    response.once("close", () => setImmediate(rejectUnparsed, error, socket));
    return;
  }
  if (response?.headersSent) return void socket.destroy();
  socket.end(rejection(error.code));
  // What the caller still sends is read and dropped: closing at once would reset the connection under the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
