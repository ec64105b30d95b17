import { setTimeout as sleep } from "node:timers/promises";
import { hasAccount } from "./accounts/shared-queries";
import { type AppContext, createApp, share } from "./app";
import { startJobs } from "./background-jobs";
import { loadConfig } from "./config";
import { startServer, stopServer } from "./http-server";
import { OperatorError } from "./kernel/errors";
import { LOOPBACK } from "./kernel/ip-address";
import { makeLog } from "./kernel/log";
import { adminCommand, version } from "./kernel/version";
import { reencryptMailSecrets } from "./mail/mail-service";
import { makeSetupLink } from "./newsletters/set-up";
import { findDatabase } from "./open-database";
import { migrate } from "./platform/db/migrate";
import { authSecrets } from "./platform/installation-secret";
import { renewCiphertexts } from "./staff/sign-in/renew-ciphertexts";

const print = (line: string) => console.log(line);

/** The started parts, in order. They stop in reverse order. */
const running: { what: string; stop(): Promise<unknown> }[] = [];

let stopping = false;

/** How long a stop waits for a running start to reach a point where it can be stopped. */
const START_WAIT_MS = 9_000;

/** Ends a start after a stop was requested. */
class Interrupted extends Error {}

/** Waits until a part has started, and notes how to stop it. @throws Interrupted when a stop was requested meanwhile */
async function startPart<T>(what: string, part: Promise<T>, end: (part: T) => Promise<unknown>): Promise<T> {
  const started = await part;
  running.push({ what, stop: () => end(started) });
  if (stopping) throw new Interrupted();
  return started;
}

/** Ends the process within about 10 s. Runs once: Ctrl-C sends a signal from the terminal and another from npm. */
async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  // A part that is still starting would outlive this process.
  await Promise.race([starting.catch(() => {}), sleep(START_WAIT_MS)]);
  for (const { what, stop: end } of running.reverse()) {
    await end().catch((error: Error) => console.error(`${what} did not stop cleanly: ${error.message}`));
  }
  process.exit(code);
}

/**
 * Starts config → database → migrations → background jobs → HTTP. @throws OperatorError for problems that an operator
 * can fix
 */
async function start(): Promise<void> {
  print(`Rollcall ${version}, Node ${process.version}`);
  const config = loadConfig();
  const isDemo = process.argv.includes("--demo");
  if (isDemo && !LOOPBACK.test(config.HOST))
    throw new OperatorError(
      "--demo creates an owner with a public password, so it can only serve this machine. Unset HOST or leave out --demo. Nothing was started.",
    );
  const secrets = authSecrets(config);
  const log = makeLog(config);
  const finding = findDatabase(config, "server", print);
  const database = await startPart("The database", finding, (found) => found.stop());
  await migrate({ url: database.url, log: print });
  const opening = createApp(config, database.url, secrets, log);
  const app: AppContext = await startPart("The connections", opening, (opened) => opened.close());
  share(Promise.resolve(app));
  await renewCiphertexts(app);
  await reencryptMailSecrets(app);
  if (isDemo) await demo(app);
  await app.limiter.ready;
  await startPart("Background jobs", startJobs(app), () => app.jobs.stop());
  // Jobs and HTTP stop together. Slow clients, providers and imports then share one wait, and requests for an import's
  // progress end.
  await startPart("HTTP", startServer(app), async (server) => {
    app.stopping = true;
    await sleep(config.DRAIN_SECONDS * 1000);
    await Promise.all([stopServer(server), app.jobs.stop()]);
  });
  await printNextSteps(app, database.embedded);
}

/** Imported on demand, because the demo is a separate file of the build. */
async function demo(app: AppContext): Promise<void> {
  const { demoOwner, fillWithDemo } = await import("../prisma/seed");
  if (await fillWithDemo(app)) print("Added 5,000 invented people.");
  else
    print(
      "This installation is in use, so --demo does not change it. Set another DATA_DIR to create a demo.",
    );
  print(`Sign in to the demo as ${demoOwner.email} with the password ${demoOwner.password}`);
}

async function printNextSteps(app: AppContext, embedded: boolean): Promise<void> {
  const { config, appUrl } = app;
  print(`Rollcall is at ${appUrl} (Ctrl-C stops it)`);
  if ((await app.mailService()).transport === null)
    print(
      `Email is not set up: confirmation emails are stored but not sent. Set up a provider under Settings, Sending, or with RESEND_API_KEY or SMTP_URL. List emails with ${adminCommand} mails list`,
    );
  if (!embedded && !config.AUTH_SECRET) {
    print(
      "AUTH_SECRET is not set. With several machines, set the same value on each, or links from one will not work on another.",
    );
  }
  let link: string;
  try {
    if (await hasAccount(app.db)) return;
    link = await makeSetupLink(app);
  } catch (err) {
    // The server already runs. A database that is slow after a reboot must not end it over a hint.
    app.log.warn(
      { err },
      `could not check whether Rollcall is set up; ${adminCommand} setup-link creates a link`,
    );
    return;
  }
  print("Next, do one of these:");
  print(`  set it up in the browser:  ${link}`);
  print(`                             (works once, for an hour; for a new link: ${adminCommand} setup-link)`);
  print(`  or here:                   ${adminCommand} setup --account NAME --newsletter NAME --email YOU`);
}

process.on("SIGINT", () => void stop(0));
process.on("SIGTERM", () => void stop(0));
// SIGHUP arrives when the terminal closes.
process.on("SIGHUP", () => void stop(0));

const starting = start();
starting.catch((error: Error) => {
  if (stopping) return;
  console.error(error.name === "OperatorError" ? error.message : error);
  return stop(1);
});
