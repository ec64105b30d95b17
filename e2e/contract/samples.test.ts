// The programs of the docs, in every language that this machine has.
import { execFile, spawn, spawnSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeSamples, type SampleLanguage } from "../../server/docs/code-samples";
import { guides } from "../../server/docs/manual";
import { projectRoot } from "../../server/kernel/project-root";
import { createTestDatabase, type TestDatabase } from "../../server/test/database";
import { until } from "../../server/test/mail-fixture";
import { freePort, type Product } from "../../server/test/product";
import { type Installation, openInstallation, type Tenant } from "./installation";
import { NO_LIMITS, startContract } from "./start";

const PYTHON = "/usr/bin/python3";
const runs = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
/** How a program of each language is run; null: this machine has not got it. */
const commands: Record<SampleLanguage, [ending: string, command: string, ...args: string[]] | null> = {
  sh: runs("curl", "--version") ? ["sh", "sh"] : null,
  js: ["mjs", process.execPath],
  python: runs(PYTHON, "-c", "import requests") ? ["py", PYTHON] : null,
  php: runs("php", "-r", "curl_version();") ? ["php", "php"] : null,
  ruby: runs("ruby", "-v") ? ["rb", "ruby"] : null,
  go: runs("go", "version") ? ["go", "go", "run"] : null,
};
const languages = Object.keys(commands) as SampleLanguage[];

let folder: string;
let database: TestDatabase;
let at: Installation;
let product: Product;
let tenant: Tenant;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rollcall-samples-"));
  database = await createTestDatabase();
  at = await openInstallation(database.url);
  product = await startContract({ ...NO_LIMITS, DATABASE_URL: database.url });
  tenant = await at.tenant();
});
afterAll(async () => {
  await product?.stop();
  await at?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = (more: Record<string, string>) => ({
  ...process.env,
  HOME: folder,
  GOCACHE: join(folder, "go"),
  ...more,
});

async function runProgram(language: SampleLanguage, code: string): Promise<string> {
  const [ending, command, ...args] = commands[language] ?? [];
  const file = join(folder, `program.${ending}`);
  writeFileSync(file, code);
  const env = environment({ ROLLCALL_KEY: tenant.key });
  return (await promisify(execFile)(command as string, [...args, file], { env })).stdout;
}

describe.each(languages)("%s", (language) => {
  test.skipIf(!commands[language])("the quickstart creates a subscriber", async () => {
    const email = `${language}@sample.example`;
    // Quotes, a dollar sign and letters beyond ASCII must survive each language's own spelling of texts.
    const body = { email, name: 'Zoë O\'Brien "$HOME" \\n', status: "active", tags: ["a b"], fields: {} };
    const [, code = ""] =
      codeSamples({ method: "POST", url: `${product.url}/api/v1/subscribers`, body }).find(
        ([name]) => name === language,
      ) ?? [];
    const said = await runProgram(language, code);
    const [created] = (await at.list(tenant.newsletterId)).filter((one) => one.email === email);
    expect(`${created?.first} ${created?.last}`, said).toBe(body.name);
    expect(said).toMatch(language === "sh" ? /"success":true/ : /201/);
  });

  test.skipIf(!commands[language])("sends requests without a body, and requests that change", async () => {
    const email = `${language}.left@sample.example`;
    const made = await fetch(`${product.url}/api/v1/subscribers`, {
      method: "POST",
      headers: { Authorization: `Bearer ${tenant.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ email }),
    });
    const { data } = (await made.json()) as { data: { id: string } };
    const sampleOf = (method: string, url: string) =>
      codeSamples({ method, url }).find(([name]) => name === language)?.[1] ?? "";
    expect(await runProgram(language, sampleOf("GET", `${product.url}/api/v1/me`))).toContain("News");
    const said = await runProgram(
      language,
      sampleOf("DELETE", `${product.url}/api/v1/subscribers/${data.id}`),
    );
    expect(said).toContain("unsubscribed");
  });
});

test.skipIf(!commands.python)("the guide's program prints active people and their links", async () => {
  const all = guides(product.url);
  const program = /```python\n(import os, requests\n.+?)```/s.exec(all)?.[1] ?? "";
  const said = await runProgram("python", program);
  const active = (await at.list(tenant.newsletterId)).filter(({ status }) => status === "active");
  expect(active.length).toBeGreaterThan(0);
  const lines = said.trim().split("\n");
  for (const line of lines) expect(line).toMatch(/^\S+ http\S+\/unsubscribe\/[\w-]{60,}$/);
  expect(lines.map((line) => line.split(" ")[0]).toSorted()).toEqual(
    active.map(({ email }) => email).toSorted(),
  );
});

describe.each(languages.filter((language) => language !== "sh"))("the receiver in %s", (language) => {
  test.skipIf(!commands[language])("accepts only signed requests", async () => {
    const secret = randomBytes(32);
    const port = await freePort();
    const [ending, command, ...args] = commands[language] ?? [];
    const file = join(projectRoot(), `server/docs/receivers/receiver.${ending}`);
    const server = language === "php" ? ["-S", `127.0.0.1:${port}`, file] : [...args, file];
    const env = environment({ PORT: String(port), ROLLCALL_SECRET: `whsec_${secret.toString("base64")}` });
    const receiver = spawn(command as string, server, { env, stdio: "ignore", detached: true });
    const body = JSON.stringify({ type: "subscriber.created", number: 1, data: { name: "Zoë" } });
    const now = Math.floor(Date.now() / 1000);
    const signatureOf = (key: Buffer, time: number) =>
      `v1,${createHmac("sha256", key).update(`msg_1.${time}.${body}`).digest("base64")}`;
    const send = async (signature: string, time = now) => {
      const headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": String(time),
        "webhook-signature": signature,
      };
      return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body })).status;
    };
    try {
      const good = signatureOf(secret, now);
      const listens = () =>
        send(good).then(
          () => true,
          () => false,
        );
      await until(listens, "the receiver");
      expect(await send(good)).toBe(204);
      expect(await send(`${signatureOf(randomBytes(32), now)} ${good}`)).toBe(204);
      expect(await send(signatureOf(randomBytes(32), now))).toBe(401);
      expect(await send("")).toBe(401);
      expect(await send(good, now + 1)).toBe(401);
      expect(await send(signatureOf(secret, now - 3600), now - 3600)).toBe(401);
    } finally {
      process.kill(-(receiver.pid as number));
    }
  });
});
