import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "../platform/db/client";
import { createTestDatabase } from "../test/database";
import { describeError, describeOnce, logLostConnections, scrub } from "./log";

test.each([
  [`https://list.example/join/${"a".repeat(32)}\n`, "https://list.example/join/…\n"],
  [`/unsubscribe/${"A_-9".repeat(17)}`, "/unsubscribe/…"],
  [`/preferences/${"A_-9".repeat(23)}`, "/preferences/…"],
  [`/confirm/${"A_-9".repeat(23)}`, "/confirm/…"],
  [`/reset/${"b".repeat(32)} and /confirm-email/${"c".repeat(32)}`, "/reset/… and /confirm-email/…"],
  [`/setup?token=${"d".repeat(32)}&x=1`, "/setup?token=…&x=1"],
  [`sk_${"k".repeat(32)} re_12345678 postgresql://u:p@db/x`, "sk_kkkkk… re_… postgresql://…@db/x"],
])("logs %j as %j", (text, kept) => {
  expect(scrub(text)).toBe(kept);
});

test("the log entry of a call that Prisma rejected contains none of its values", async () => {
  const database = await createTestDatabase();
  const { db, close } = openDatabase({ url: database.url, poolSize: 1, onError: () => {} });
  onTestFinished(async () => {
    await close();
    await database.drop();
  });
  const data = { id: "x", name: "zq9vk7", unknown: "zq9vk7" };
  const error = await db.account.create({ data: data as never }).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({
    name: "PrismaClientValidationError",
    message: expect.stringContaining("zq9vk7"),
  });
  const logged = JSON.stringify(describeError(new Error("a job failed", { cause: error })));
  expect(logged).toContain("Unknown argument `unknown`");
  expect(logged).toContain("log.test.ts");
  expect(logged).not.toContain("zq9vk7");
});

test("an error in a bundle is logged with its place in the source", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bundle-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = join(folder, "thrower.ts");
  writeFileSync(
    source,
    "type Unseen = string;\n\nexport const thrower = () => new Error('broken').stack as Unseen;\n",
  );
  const outfile = join(folder, "bundle.mjs");
  await build({
    stdin: {
      contents: "import { thrower } from './thrower';\nprocess.stdout.write(thrower());",
      resolveDir: folder,
    },
    outfile,
    bundle: true,
    format: "esm",
    sourcemap: "linked",
  });
  const stack = execFileSync(process.execPath, [outfile], { encoding: "utf8" });
  expect(stack).toContain("bundle.mjs");
  const described = describeError(Object.assign(new Error("broken"), { stack })) as { stack: string };
  expect(described.stack).toMatch(/at thrower \(thrower\.ts:3:30\)/);
  expect(described.stack).not.toContain("bundle.mjs");
});

test("a repeated error is logged in full once a minute, and in one line in between", () => {
  let now = 0;
  const describe = describeOnce(() => now);
  const fail = (message: string) => describe(Object.assign(new Error(message), { code: "P2010" })) as object;
  expect(fail("invocation:\n\ngone")).toHaveProperty("stack");
  expect(fail("invocation:\n\ngone")).toEqual({ message: "gone", code: "P2010" });
  expect(fail("another")).toHaveProperty("stack");
  now += 60_000;
  expect(fail("invocation:\n\ngone")).toHaveProperty("stack");
});

test("losing all database connections at once logs one line", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const warn = vi.fn();
  const lost = logLostConnections({ warn } as never);
  const err = new Error("cut");
  for (let i = 0; i < 5; i++) lost(err);
  vi.advanceTimersByTime(700);
  expect(warn.mock.calls).toEqual([[{ err, connections: 5 }, expect.stringContaining("connection lost")]]);
});
