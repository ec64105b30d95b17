import { createReadStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { newId } from "../../server/kernel/ids";
import { setUp } from "../../server/newsletters/set-up";
import { openDatabase } from "../../server/platform/db/client";
import { migrate } from "../../server/platform/db/migrate";
import { startEmbeddedPostgres } from "../../server/platform/postgres/embedded-postgres";
import { shutDown } from "../../server/platform/postgres/postmaster";
import { freePort, launcher, type Product, startProduct } from "../../server/test/product";
import { removeDataDir, throwawayDataDir } from "../../server/test/throwaway-cluster";
import { NO_LIMITS } from "../contract/start";
import { startFakeResend } from "../fixtures/fake-resend";
import { type LogStage, MARK, OWNER, playRound, rejections, signedIn, WEBHOOK_SECRET } from "./log-traffic";

/** 1,000,000 once in a while: LOG_LINES=1000000, which takes some minutes. */
const WANTED = Number(process.env.LOG_LINES ?? 2_000);
const LINES_A_ROUND = WANTED > 10_000 ? 20_000 : 1_000;

const ADDRESS = /[A-Za-z0-9._%+'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/;
const SHAPES = [
  ADDRESS,
  /sk_[0-9A-Za-z]{32}/,
  /\bre_\w{8,}/,
  /whsec_\w/,
  /[A-Za-z0-9_-]{92}/,
  /session_token=/,
  /\$scrypt|scrypt:/,
];

/** Finds the mark, a secret that the server gave out, or the shape of a secret or address. */
function leakIn(line: string, issued: Set<string>): string | undefined {
  if (line.toLowerCase().includes(MARK)) return MARK;
  const shape = SHAPES.find((one) => one.test(line));
  return shape ? String(shape) : line.match(/[\w%.+/=-]{16,}/g)?.find((word) => issued.has(word));
}

/** Each part of the traffic has logged something. */
const PARTS = [
  /^rejected/m,
  /^mail: accepted by the provider/m,
  /^mail: (?:will be retried|rejected)/m,
  /^mail: Resend reports/m,
  /connection lost|jobs: the database|an error of the service/m,
];
const heardAll = (kinds: Map<string, number>) => {
  const all = [...kinds.keys()].join("\n");
  return PARTS.every((part) => part.test(all));
};

async function search(file: string, issued: Set<string>) {
  const leaks: { leak: string; line: string }[] = [];
  const kinds = new Map<string, number>();
  let lines = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    lines++;
    const leak = leakIn(line, issued);
    if (leak && leaks.length < 20) leaks.push({ leak, line: line.slice(0, 2_000) });
    const kind = /"msg":"([^"]{0,60})/.exec(line)?.[1] ?? line.slice(0, 40);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return { lines, leaks, kinds };
}

/** Starts a product on a PostgreSQL that can be restarted; its output goes to a file. */
async function open() {
  const dataDir = throwawayDataDir();
  const folder = mkdtempSync(join(tmpdir(), "rollcall-log-"));
  const { url: databaseUrl, stop: stopDatabase } = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    log: () => {},
  });
  const fake = await startFakeResend();
  let product: Product | undefined;
  onTestFinished(async () => {
    fake.heal();
    await product?.stop();
    await fake.stop();
    await stopDatabase();
    await removeDataDir(dataDir);
    rmSync(folder, { recursive: true });
  });
  await migrate({ url: databaseUrl, log: () => {} });
  const { db, close } = openDatabase({ url: databaseUrl, poolSize: 1, onError: () => {} });
  const ctx = { db, actor: { kind: "operator" } as const, requestId: newId() };
  const made = await setUp(ctx, { account: "Lovelace", newsletter: "Notes", ...OWNER });
  await db.newsletter.updateMany({ data: { domainMailsPerDay: 100_000, mailsPerDay: 1_000_000 } });
  await close();
  const file = join(folder, "log");
  const port = await freePort();
  const withPassword = new URL(databaseUrl);
  withPassword.password = `${MARK}-of-the-database`;
  const env = {
    DATABASE_URL: withPassword.href,
    AUTH_SECRET: `${MARK} signs links and sessions and is long`,
    HEALTH_TOKEN: `${MARK} shows how each part does, and is long`,
    RESEND_API_KEY: `re_${MARK}`,
    RESEND_BASE_URL: fake.url,
    RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET,
    MAIL_FROM: `Rollcall <a${MARK}@list.example>`,
    LOG_LEVEL: "trace",
    ...NO_LIMITS,
  };
  const program = ["/bin/sh", "-c", 'exec "$0" "$@" >"$LOG_FILE" 2>&1', ...launcher, "start"];
  const starting = startProduct({ port, env: { ...env, LOG_FILE: file, DATA_DIR: folder }, program });
  product = await starting.catch((error) => {
    throw new Error(`${error.message}\n${readFileSync(file, "utf8").slice(-4_000)}`);
  });
  const stage: LogStage = {
    url: product.url,
    key: made.key.secret,
    newsletterId: made.newsletter.id,
    fake,
    staff: await signedIn(product.url),
    issued: new Set([made.key.secret]),
  };
  return {
    stage,
    file,
    async restartDatabase() {
      // It is started again by itself.
      await shutDown(join(dataDir, "postgres"));
    },
  };
}

it(
  `under mixed load, faults of the provider and restarts of the database, ${WANTED.toLocaleString("en")} lines of the log at its finest hold no key, password, token, cookie or bare address`,
  async () => {
    const { stage, file, restartDatabase } = await open();
    const began = Date.now();
    for (let lines = 0, round = 0; lines < WANTED; lines += LINES_A_ROUND, round++) {
      const rounds = [
        playRound(stage),
        rejections(stage, LINES_A_ROUND / 2),
        rejections(stage, LINES_A_ROUND / 2),
      ];
      // Requests that a restart cuts off leak nothing.
      if (round % 5 === 1) await Promise.allSettled([...rounds, restartDatabase()]);
      else await Promise.all(rounds);
    }
    stage.fake.heal();
    let found = await search(file, stage.issued);
    // The last emails are sent a moment later.
    for (const giveUpAt = Date.now() + 120_000; !heardAll(found.kinds) && Date.now() < giveUpAt; ) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      found = await search(file, stage.issued);
    }
    const seconds = Math.round((Date.now() - began) / 1000);
    if (process.env.LOG_LINES) console.log(`${found.lines} lines in ${seconds} s`, found.kinds);
    expect(found.leaks).toEqual([]);
    expect(found.lines).toBeGreaterThanOrEqual(WANTED * 0.9);
    expect(heardAll(found.kinds), [...found.kinds.keys()].join("\n")).toBe(true);
  },
  WANTED > 10_000 ? 3_600_000 : 600_000,
);
