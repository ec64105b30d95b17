import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import next from "next";
import { type AppContext, createApp, share } from "./app";
import { authSecret } from "./auth/secret";
import { setupToken } from "./auth/setup-link";
import { type Config, loadConfig } from "./config";
import { migrate } from "./db/migrate";
import { handlePublic } from "./http/public/handler";
import { noteCaller } from "./http/rest/caller-address";
import { handleRest, rejectUnreadable } from "./http/rest/handler";
import { handleHealth } from "./http/rest/health";
import { isForNext, isPublicPage, isRest, isWebhook, withoutVary } from "./http/rest/targets";
import { rejectUnparsed } from "./http/rest/unparsed";
import { setSecurityHeaders } from "./http/security-headers";
import { handleResendWebhook } from "./http/webhooks/handler";
import { startJobs } from "./jobs/handlers";
import { makeLog } from "./log";
import { findDatabase } from "./open-database";
import { OperatorError } from "./operator-error";
import { holdInstanceLock } from "./postgres/instance-lock";
import { projectRoot } from "./project-root";
import { isClaimed } from "./services/installation";

const say = (line: string) => console.log(line);

/** What was started, in order; stopped in reverse. */
const running: { what: string; stop(): Promise<unknown> }[] = [];

let stopping = false;

/** How long a stop waits for a start under way to come to where it can be stopped. */
const START_PATIENCE_MS = 9_000;

/** Thrown at a start that was told to stop. */
class Interrupted extends Error {}

/** Waits for a part to be started and notes how it is stopped. @throws Interrupted when a stop has come meanwhile */
async function begin<T>(what: string, part: Promise<T>, end: (part: T) => Promise<unknown>): Promise<T> {
  const started = await part;
  running.push({ what, stop: () => end(started) });
  if (stopping) throw new Interrupted();
  return started;
}

/** Ends the process, within some 10 s. Only once: a Ctrl-C comes from the terminal and once more from npm. */
async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  // What is only being started now would outlive us.
  await Promise.race([starting.catch(() => {}), sleep(START_PATIENCE_MS)]);
  for (const { what, stop: end } of running.reverse()) {
    await end().catch((error: Error) => console.error(`${what} did not stop cleanly: ${error.message}`));
  }
  process.exit(code);
}

/** config → database → migrations → background jobs → HTTP. @throws OperatorError for what a person has to fix */
async function start(): Promise<void> {
  const config = loadConfig();
  const secret = authSecret(config);
  const log = makeLog(config);
  const database = await begin("The database", findDatabase(config, "server", say), (found) => found.stop());
  if (database.embedded) {
    const held = holdInstanceLock(database.url);
    const lock = await begin("The instance lock", held, (taken) => taken.release());
    await lock.announce(`http://${config.HOST}:${config.PORT}`);
  }
  await migrate({ url: database.url, log: say });
  const opening = createApp(config, database.url, secret, log);
  const app = await begin("The connections", opening, (opened) => opened.close());
  share(Promise.resolve(app));
  if (process.argv.includes("--demo")) await demo(app);
  await app.limiter.ready;
  await begin("Background jobs", startJobs(app), () => app.jobs.stop());
  // Jobs are stopped together with HTTP, so that a client, a provider and a list who keep us waiting do it side by side; and
  // whoever watches an import is let go.
  await begin("HTTP", serve(app), (server) => Promise.all([closeServer(server), app.jobs.stop()]));
  await sayWhereNext(app, database.embedded);
}

/** Imported only when asked for: it is a file of its own beside the product. */
async function demo(app: AppContext): Promise<void> {
  const { demoOwner, fillWithDemo } = await import("../prisma/seed");
  if (await fillWithDemo(app)) say("Filled with 5,000 invented people.");
  else say("This installation is in use: --demo leaves it alone. With another DATA_DIR it makes a new one.");
  say(`The demo's owner signs in as ${demoOwner.email} with the password ${demoOwner.password}`);
}

/** HTTP: the REST handler and the public pages in front, Next behind them. */
async function serve(app: AppContext): Promise<Server> {
  const { config } = app;
  const nextApp = next({
    dev: config.NODE_ENV === "development",
    dir: projectRoot(),
    hostname: config.HOST,
    port: config.PORT,
  });
  await nextApp.prepare();
  const toNext = nextApp.getRequestHandler();
  const trust = config.TRUST_PROXY;
  const callerOf = (env: unknown) => {
    const { incoming } = env as { incoming: IncomingMessage };
    return trust(incoming.socket.remoteAddress, incoming.headers["x-forwarded-for"] as string | undefined);
  };
  const adapter = { hostname: "localhost", errorHandler: rejectUnreadable };
  const rest = getRequestListener((request, env) => handleRest(app, request, callerOf(env)), adapter);
  const pages = getRequestListener(
    (request, env) => handlePublic(request, { address: callerOf(env) }),
    adapter,
  );
  const webhooks = getRequestListener((request) => handleResendWebhook(request), adapter);
  const health = getRequestListener(() => handleHealth(app), adapter);
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const target = request.url ?? "/";
    const api = isRest(target);
    if (api && (config.FAST_DOOR || !isForNext(request.method, target))) return rest(request, response);
    if (isWebhook(target)) return webhooks(request, response);
    if (target === "/api/health") return health(request, response);
    if (isPublicPage(target)) return pages(request, response);
    noteCaller(request, trust);
    setSecurityHeaders(request, response, config.NODE_ENV === "development");
    joinRepeated(request, "authorization");
    return toNext(request, api ? withoutVary(response) : response);
  });
  server.on("clientError", rejectUnparsed);
  server.requestTimeout = 120_000; // a list of 100,000 people is 10 MB, which a slow line takes a minute to send
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 65_000; // longer than the 60 s that proxies commonly keep a connection
  await listen(server, config);
  return server;
}

/** Node keeps the first of a repeated header and drops the others; for a key that would be a guess. */
function joinRepeated(request: IncomingMessage, name: string): void {
  const all = request.headersDistinct[name];
  if (all && all.length > 1) request.headers[name] = all.join(", ");
}

function listen(server: Server, { PORT, HOST }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "EADDRINUSE"
          ? `Port ${PORT} is taken by another program. Stop that one, or start with another: PORT=3001 npm start`
          : error.code === "EACCES"
            ? `This user may not listen on port ${PORT}. Choose one above 1023: PORT=3000 npm start`
            : `${HOST}:${PORT} cannot be listened on (${error.message}). Fix HOST and PORT.`;
      reject(new OperatorError(`${why}. Nothing was lost.`.replace(/\.\. /, ". ")));
    });
    server.listen(PORT, HOST, resolve);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    // A client that holds its request open does not hold up the stop.
    setTimeout(() => server.closeAllConnections(), 5_000).unref();
  });
}

async function sayWhereNext(app: AppContext, embedded: boolean): Promise<void> {
  const { config, appUrl, authSecret: secret } = app;
  say(`Rollcall is at ${appUrl} (Ctrl-C stops it)`);
  if (!config.RESEND_API_KEY)
    say("Without RESEND_API_KEY no mail leaves; confirmations are only logged: npm run admin -- list-mails");
  if (!embedded && !config.AUTH_SECRET) {
    say(
      "AUTH_SECRET is not set: on several machines set the same one on each, or links from one will not open at another.",
    );
  }
  if (await isClaimed(app.db)) return;
  say("Next, one of:");
  say(`  set it up in the browser:  ${appUrl}/setup?token=${setupToken(secret)}`);
  say(
    "  or here:                   npm run admin -- setup --account NAME --newsletter NAME --email YOU --password PASSWORD",
  );
}

process.on("SIGINT", () => void stop(0));
process.on("SIGTERM", () => void stop(0));
// Sent when the terminal closes: as good a reason to stop as any.
process.on("SIGHUP", () => void stop(0));

const starting = start();
starting.catch((error: Error) => {
  if (stopping) return;
  console.error(
    error.name === "OperatorError" || error.message.startsWith("These settings") ? error.message : error,
  );
  return stop(1);
});
