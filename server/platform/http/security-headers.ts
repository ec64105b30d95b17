import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";

/** Paths of static files. */
export const FILES = /^\/(_next\/static|type)\//;

/** Headers of every response. They forbid type sniffing and embedding. */
export const alwaysSent: [name: string, value: string][] = [
  ["X-Content-Type-Options", "nosniff"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
];

/** Adds HSTS for a year when the public address uses https. */
export function commonHeaders(appUrl: string): [name: string, value: string][] {
  return appUrl.startsWith("https:")
    ? [...alwaysSent, ["Strict-Transport-Security", "max-age=31536000"]]
    : alwaysSent;
}

/** Removes headers on which Next answers 500. Without them, Next sends the whole page or file. */
function dropUnreadable({ headers }: IncomingMessage): void {
  delete headers.range;
  try {
    parseAndValidateFlightRouterState(headers["next-router-state-tree"]);
  } catch {
    delete headers["next-router-state-tree"];
  }
}

/** The header that carries the path and query of the requested page. */
export const PAGE_HEADER = "x-rollcall-page";

/**
 * Sets the dashboard's Content-Security-Policy with a fresh nonce for Next's scripts. Next reads the nonce from the
 * request header of the same name. A Next proxy file is not used, because Next then truncates large bodies. Styles may
 * be inline: Mantine sets them on elements, and the other rules stop styles from sending data.
 */
export function setSecurityHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  development: boolean,
): void {
  delete request.headers["content-security-policy"];
  dropUnreadable(request);
  // Next layouts don't receive the page's path. Next's client adds _rsc when it requests part of a page.
  request.headers[PAGE_HEADER] = request.url?.replace(/[?&]_rsc=[^&]*$/, "");
  if (FILES.test(request.url ?? "/")) return;
  const nonce = randomBytes(16).toString("base64");
  // React's development build uses eval, and reloading needs a WebSocket.
  const [evaluate, socket] = development ? [" 'unsafe-eval'", " ws:"] : ["", ""];
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${evaluate}`,
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data:",
    "worker-src 'self'",
    `connect-src 'self'${socket}`,
    "frame-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
  request.headers["content-security-policy"] = policy;
  response.setHeader("Content-Security-Policy", policy);
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Referrer-Policy", "same-origin");
  response.setHeader("X-Frame-Options", "DENY");
}
