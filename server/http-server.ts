import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  Server,
  type ServerResponse,
} from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import next from "next";
import type { AppContext, PageFacts } from "./app";
import type { Config } from "./config";
import { rejectForeignHost, rejectOverLimit } from "./entrance";
import { findHandler, type Handler } from "./http-handlers";
import { concurrencyLimit } from "./kernel/concurrency-limit";
import { OperatorError, toAppError } from "./kernel/errors";
import { projectRoot } from "./kernel/project-root";
import { startCommand } from "./kernel/version";
import { compressedFiles } from "./platform/http/compressed-files";
import { rememberConnection } from "./platform/http/connections";
import { commonHeaders, FILES, setSecurityHeaders } from "./platform/http/security-headers";
import { callerOf } from "./platform/limits/caller-address";
import { rejectUnreadable } from "./rest/handler";
import { rejectUnparsed, rejectUnreadableHead } from "./rest/unreadable-requests";

/** Makes a server for these requests. Requests that Node's parser rejects get the API's error envelope. */
export function serverOf(answer: RequestListener): Server {
  const server = createServer({ connectionsCheckingInterval: 5_000 }, answer);
  server.headersTimeout = 15_000;
  server.requestTimeout = 120_000; // a list of 100,000 people is 10 MB, which a slow connection sends in a minute
  server.timeout = 120_000; // for a response that the client does not read
  server.keepAliveTimeout = 65_000; // longer than the 60 s for which proxies commonly keep a connection
  server.maxHeadersCount = 0; // Node silently drops headers beyond the limit; unreadable-requests.ts counts them
  server.on("clientError", rejectUnparsed);
  return server;
}

/** Starts HTTP: our handlers, and Next for the dashboard's pages. @throws OperatorError when the port is in use */
export async function startServer(app: AppContext): Promise<Server> {
  const { NODE_ENV, HOST, PORT } = app.config;
  const development = NODE_ENV === "development";
  // Next listens for upgrades on the server it receives. Its development server needs them for reloading. In production
  // nothing handles an upgrade, so such a socket would stay open without a response.
  const httpServer = development ? undefined : new Server();
  const nextApp = next({ dev: development, dir: projectRoot(), hostname: HOST, port: PORT, httpServer });
  await nextApp.prepare();
  const server = serverOf(answerAll(app, nextApp.getRequestHandler(), development));
  await listen(server, app.config);
  return server;
}

/** Sends requests to our handlers, and page requests to Next. */
function answerAll(app: AppContext, toNext: RequestListener, development: boolean): RequestListener {
  const inFront = listenerOf(app);
  const common = commonHeaders(app.appUrl);
  const sendCompressed = compressedFiles(projectRoot());
  // Sixty pages rendered at once block the process, and all other requests, until the last one is done.
  const busy = "Too many pages are requested at the moment. Nothing was changed. Try again shortly.";
  const limited = concurrencyLimit({ limit: 2, maxQueued: 256, busy });
  return (request, response) => {
    const hasHandler = findHandler(request.url ?? "/") !== undefined;
    if (rejectUnreadableHead(request, response, !hasHandler, app.appUrl)) return;
    if (hasHandler) return inFront(request, response);
    for (const [name, value] of common) response.setHeader(name, value);
    const caller = callerOf(app, request);
    const cost = FILES.test(request.url ?? "") ? 0 : 1;
    const rejected = rejectForeignHost(app, request.headers.host) ?? rejectOverLimit(app, caller, cost);
    if (rejected) {
      response.writeHead(rejected.status, {
        "Content-Type": "text/plain; charset=utf-8",
        ...rejected.headers,
      });
      return response.end(rejected.body);
    }
    setSecurityHeaders(request, response, development);
    if (request.method !== "GET" && request.method !== "HEAD") {
      return response.writeHead(405, { Allow: "GET, HEAD", "Content-Length": 0 }).end();
    }
    if (cost === 0) return sendCompressed(request, response) || toNext(request, response);
    const startedAt = performance.now();
    response.once("close", () => app.metrics.observe("page", response.statusCode, startedAt));
    return limited(async () => {
      // First reads the requests that arrived while the previous page was rendered.
      await setImmediate();
      if (response.closed) return;
      const page: PageFacts = { isUnavailable: false };
      answerUnavailable(response, page);
      await renderInTurn(response, () => app.pages.run(page, () => toNext(request, response)));
    }).catch((error) => {
      const { status, message, retryAfterSeconds } = toAppError(error);
      response.writeHead(status, { "Retry-After": String(retryAfterSeconds ?? 5) }).end(message);
    });
  };
}

/** Answers 503 instead of Next's 500 when the database was unreachable. */
function answerUnavailable(response: ServerResponse, page: PageFacts): void {
  const writeHead = response.writeHead;
  response.writeHead = ((status: number, ...rest: []) => {
    const isAway = status === 500 && page.isUnavailable;
    if (isAway) response.setHeader("Retry-After", "2");
    return writeHead.call(response, isAway ? 503 : status, ...rest);
  }) as typeof response.writeHead;
}

/** The longest time that a page makes other pages wait. A slow reader does not hold up others. */
const pageTurnMs = 250;

/** Renders a page. Resolves when the page is sent, or when its turn is over. */
function renderInTurn(response: ServerResponse, render: () => unknown): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pageTurnMs);
    const over = () => {
      clearTimeout(timer);
      resolve();
    };
    response.once("finish", over).once("close", over);
    render();
  });
}

/** Answers the requests that have a handler in `http-handlers.ts`. */
export function listenerOf(app: AppContext) {
  const answer = (request: Request, env: unknown) => {
    const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse };
    // Only reads are streamed.
    if (incoming.method === "GET") rememberConnection(request, outgoing);
    const handler = findHandler(incoming.url ?? "/") as Handler;
    return handler(app, request, callerOf(app, incoming));
  };
  const listener = getRequestListener(answer, {
    hostname: "localhost",
    errorHandler: () => rejectUnreadable(app.appUrl),
  });
  const common = commonHeaders(app.appUrl);
  return (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of common) response.setHeader(name, value);
    return listener(request, response);
  };
}

function listen(server: Server, { PORT, HOST }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ code, message }: NodeJS.ErrnoException) => {
      const why =
        code === "EADDRINUSE"
          ? `Port ${PORT} is taken by another program. Stop that program, or use another port: PORT=${PORT === 3001 ? 3002 : 3001} ${startCommand}`
          : code === "EACCES"
            ? `This user can't listen on port ${PORT}. Use a port above 1023: PORT=3000 ${startCommand}`
            : `${HOST}:${PORT} can't be used (${message}). Fix HOST and PORT.`;
      reject(new OperatorError(`${why}\nNothing was lost.`));
    });
    server.listen(PORT, HOST, resolve);
  });
}

const stopMs = 5_000;
/** How long a connection may be silent during a stop. A request may already be on its way. */
const silentMs = 1_000;

/**
 * Stops accepting connections, and answers pending requests with `Connection: close`, so that no request is lost. Ends
 * silent connections after 1 s, and all connections after 5 s.
 */
export function stopServer(server: Server): Promise<void> {
  server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
  return new Promise((resolve) => {
    const silent = setTimeout(() => {
      timers.push(setInterval(() => server.closeIdleConnections(), 50));
    }, silentMs);
    const all = setTimeout(() => {
      server.closeAllConnections();
      // The server's callback waits for all sockets, but the server does not know all of them.
      over();
    }, stopMs);
    const timers: NodeJS.Timeout[] = [silent, all];
    const over = () => {
      for (const timer of timers) clearTimeout(timer);
      resolve();
    };
    // The HTTP server's own `close` would end silent connections at once.
    NetServer.prototype.close.call(server, over);
  });
}
