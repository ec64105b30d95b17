import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";

/** Files, which are no pages. */
export const FILES = /^\/(_next\/static|type)\//;

/** Pages whose address lets in whoever has it. */
const HAS_TOKEN = /^\/(join|reset|confirm-email)\//;

/** What every answer carries, whoever makes it: nobody guesses its type or embeds it. */
export const alwaysSent: [name: string, value: string][] = [
  ["X-Content-Type-Options", "nosniff"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
];

/** The same, and that who comes by https does so for the next year. */
export function commonHeaders(appUrl: string): [name: string, value: string][] {
  return appUrl.startsWith("https:")
    ? [...alwaysSent, ["Strict-Transport-Security", "max-age=31536000"]]
    : alwaysSent;
}

/** Takes from a request's head what Next would answer with 500: without it, the whole page or file is the answer. */
function dropUnreadable({ headers }: IncomingMessage): void {
  delete headers.range;
  try {
    parseAndValidateFlightRouterState(headers["next-router-state-tree"]);
  } catch {
    delete headers["next-router-state-tree"];
  }
}

/** The path and query that a page was asked for with. */
export const PAGE_HEADER = "x-rollcall-page";

/**
 * Sets the dashboard's Content-Security-Policy, with a fresh nonce for the scripts that Next writes into the page; Next
 * reads it from the request's header of that name. Here and not in a Next proxy file, beside which Next would cut
 * large bodies. Styles may be inline: Mantine sets them on elements, and no style can call home under the rest.
 */
export function setSecurityHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  development: boolean,
): void {
  delete request.headers["content-security-policy"];
  dropUnreadable(request);
  // A layout of Next is not told the page's path. Its own client adds _rsc when it asks for a part of a page.
  request.headers[PAGE_HEADER] = request.url?.replace(/[?&]_rsc=[^&]*$/, "");
  if (FILES.test(request.url ?? "/")) return;
  const nonce = randomBytes(16).toString("base64");
  // React's development build evaluates code, and the reload socket is a connection.
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
  const hasToken = HAS_TOKEN.test(request.url ?? "/");
  response.setHeader("Referrer-Policy", hasToken ? "no-referrer" : "same-origin");
  response.setHeader("X-Frame-Options", "DENY");
}
