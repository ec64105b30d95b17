import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeResend, startFakeResend } from "../../e2e/fixtures/fake-resend";
import { loadConfig, misspelledSettings } from "../config";
import { startFakeCaptcha } from "../test/fake-captcha";
import { addNewsletter } from "../test/linked-person";
import { base, database, openDatabaseForTests } from "../test/open-database";
import { checkDatabase, checkDisk, checkSettings, doctor, type Finding } from "./doctor";

openDatabaseForTests();
let fake: FakeResend;
const folder = mkdtempSync(join(tmpdir(), "rollcall-doctor-"));
beforeAll(async () => {
  fake = await startFakeResend();
});
afterAll(async () => {
  await fake.stop();
  rmSync(folder, { recursive: true });
});

async function examine(settings: Record<string, string>) {
  const config = loadConfig({ DATA_DIR: folder, DATABASE_URL: base.url, ...settings });
  const { json, failed } = await doctor.runAlone(config, {}, []);
  const { findings } = json as { findings: Finding[] };
  return {
    failed,
    /** Returns the worst state ("ok", "warn" or "bad") of a check, and its messages. */
    state: (check: string) => {
      const states = findings.filter((one) => one.check === check).map((one) => one.state);
      return (["bad", "warn", "ok"] as const).find((one) => states.includes(one));
    },
    said: findings.map(({ check, message }) => `${check}: ${message}`).join("\n"),
  };
}

const mail = () => ({
  RESEND_API_KEY: "re_test",
  RESEND_BASE_URL: fake.url,
  MAIL_FROM: "Weekly <hello@list.example>",
});

test("passes with a migrated database, a valid key and a verified domain", async () => {
  const found = await examine({ ...mail(), APP_URL: "https://list.example", AUTH_SECRET: "s".repeat(40) });
  for (const check of "settings disk database extensions migrations resend sender".split(" "))
    expect(found.state(check), check).toBe("ok");
  expect(found.failed).toBe(false);
  expect(found.said).toMatch(/PostgreSQL 18.*verified: list\.example/s);
});

test("rejects an unverified sender domain of a newsletter, and an unknown Resend key", async () => {
  const { id } = await addNewsletter(database.db);
  await database.db.newsletter.update({ where: { id }, data: { sender: "Young <hi@young.example>" } });
  const waits = await examine(mail());
  expect(waits).toMatchObject({ failed: true });
  expect(waits.state("sender")).toBe("bad");
  expect(waits.said).toContain("young.example is not verified at Resend (waiting for its DNS records)");
  const other = await startFakeResend({ apiKey: "re_other" });
  const unknown = await examine({ ...mail(), RESEND_BASE_URL: other.url });
  await other.stop();
  expect(unknown.state("resend")).toBe("bad");
  expect(unknown.said).toContain("API key is invalid");
});

test("reports an unreachable Redis or database in a sentence", async () => {
  const redis = await examine({ REDIS_URL: "redis://127.0.0.1:1" });
  expect(redis.state("redis")).toBe("bad");
  const away = await examine({ DATABASE_URL: "postgresql://x@127.0.0.1:1/x" });
  expect(away).toMatchObject({ failed: true });
  expect(away.state("database")).toBe("bad");
  expect(away.said).not.toMatch(/\n\s+at /);
});

test("creates no database, and says that the first start does", async () => {
  const found = await examine({ DATABASE_URL: "" });
  expect(found.state("database")).toBe("warn");
  expect(found.failed).toBe(false);
});

test("reports an old or read-only database, and another encoding", () => {
  const facts = {
    version: "18.1",
    versionNumber: 180001,
    readOnly: false,
    megabytes: 1,
    hasTrigrams: false,
    encoding: "UTF8",
  };
  const states = (more: Partial<typeof facts>) =>
    Object.fromEntries(checkDatabase({ ...facts, ...more }).map(({ check, state }) => [check, state]));
  expect(states({})).toEqual({ database: "ok", extensions: "warn" });
  for (const more of [{ versionNumber: 130010 }, { readOnly: true }, { encoding: "LATIN1" }])
    expect(states(more)).toMatchObject({ database: "bad" });
});

test("names the address of links, and settings that look misspelled", () => {
  const said = (settings: Record<string, string>, names: string[] = []) =>
    checkSettings(loadConfig(settings), misspelledSettings(names)).map(
      ({ check, state, message }) => `${state} ${check}: ${message}`,
    );
  expect(said({ PORT: "4000" })).toContainEqual(
    expect.stringMatching(/^warn APP_URL: .*start with http:\/\/localhost:4000;/),
  );
  const typed = ["DATABSE_URL", "RESEND_APIKEY", "HOME", "USER", "DATABASE_URL", "POSTGRES_DB"];
  expect(said({}, typed).filter((line) => line.startsWith("warn settings"))).toEqual([
    "warn settings: DATABSE_URL is not a setting and has no effect; did you mean DATABASE_URL?",
    "warn settings: RESEND_APIKEY is not a setting and has no effect; did you mean RESEND_API_KEY?",
  ]);
});

test("reports a missing DATA_DIR only if it will hold the database", () => {
  const DATA_DIR = join(folder, "absent");
  expect(checkDisk(loadConfig({ DATA_DIR }))).toMatchObject([{ state: "warn" }]);
  expect(checkDisk(loadConfig({ DATA_DIR, DATABASE_URL: base.url }))).toEqual([]);
});

test("checks that the captcha service answers and accepts the keys", async () => {
  const captcha = await startFakeCaptcha({ secret: "0x4secret" });
  const settings = {
    CAPTCHA_PROVIDER: "turnstile",
    CAPTCHA_SITE_KEY: "0x4AAA",
    CAPTCHA_VERIFY_URL: captcha.url,
  };
  const good = await examine({ ...settings, CAPTCHA_SECRET_KEY: "0x4secret" });
  expect(good.state("captcha")).toBe("ok");
  const wrong = await examine({ ...settings, CAPTCHA_SECRET_KEY: "wrong" });
  expect([wrong.state("captcha"), wrong.failed]).toEqual(["bad", true]);
  expect(wrong.said).toContain("it said invalid-input-secret");
  await captcha.stop();
  expect((await examine({ ...settings, CAPTCHA_SECRET_KEY: "0x4secret" })).state("captcha")).toBe("bad");
  expect((await examine({})).state("captcha")).toBeUndefined();
});
