import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig, settingNames } from "../config";
import { projectRoot } from "../kernel/project-root";

const fileOf = (name: string) => join(projectRoot(), "deploy", name);
const textOf = (name: string) => readFileSync(fileOf(name), "utf8");
const isInstalled = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

const compose = textOf("compose.yaml");
const block = compose.slice(compose.indexOf("environment: &settings"), compose.indexOf("\nservices:"));
const settings = Array.from(block.matchAll(/^ {4}([A-Z_]+): "?(.*?)"?$/gm), ([, name, value]) => ({
  name: name as string,
  value: value as string,
}));

test("compose.yaml sets settings that there are, and with its .env they are valid together", () => {
  expect(settings.length).toBeGreaterThan(8);
  expect(settings.map(({ name }) => name).filter((name) => !settingNames.includes(name))).toEqual([]);
  // A long secret, a Resend key and so on: what the head of the file asks for.
  const given: Record<string, string> = {
    ...{
      DOMAIN: "list.example.org",
      POSTGRES_PASSWORD: "p",
      RESEND_API_KEY: "re_x",
      SMTP_URL: "",
      MAIL_FROM: "W <w@example.org>",
    },
    ...{
      AUTH_SECRET: "s".repeat(44),
      HEALTH_TOKEN: "h".repeat(44),
      RESEND_WEBHOOK_SECRET: `whsec_${"a".repeat(32)}`,
    },
  };
  const head = compose.slice(0, compose.indexOf("name:"));
  const filled = (value: string) =>
    value.replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => {
      expect(head).toContain(`#   ${name}=`);
      return given[name] as string;
    });
  const config = loadConfig(Object.fromEntries(settings.map(({ name, value }) => [name, filled(value)])));
  expect(config).toMatchObject({ APP_URL: "https://list.example.org", DRAIN_SECONDS: 3 });
  // Caddy asks each second: a process that stops is left before it closes.
  expect(textOf("Caddyfile")).toContain("health_interval 1s");
});

test("the Dockerfile's settings exist, it runs as no root, and its base has a Node that package.json allows", () => {
  const dockerfile = textOf("Dockerfile");
  const names = Array.from(dockerfile.matchAll(/([A-Z_]+)=\S+/g), ([, name]) => name as string);
  expect(names.filter((name) => !settingNames.includes(name))).toEqual([]);
  expect(dockerfile).toMatch(/^USER \d+:\d+$/m);
  expect(dockerfile).toMatch(/^STOPSIGNAL SIGTERM$/m);
  expect(new Set(dockerfile.match(/^FROM \S+/gm))).toEqual(new Set(["FROM node:24-bookworm-slim"]));
});

test.skipIf(!isInstalled("systemd-analyze"))("systemd-analyze finds nothing wrong with the unit", () => {
  const folder = mkdtempSync(join(tmpdir(), "rollcall-unit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const unit = join(folder, "rollcall.service");
  // What it starts must exist where it is looked at.
  writeFileSync(unit, textOf("rollcall.service").replace("/usr/bin/node", process.execPath));
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  expect(stdout + stderr).toBe("");
  expect(status).toBe(0);
  copyFileSync(fileOf("rollcall.service"), unit);
  const rating = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit]);
  expect(rating.status).toBe(0);
});

test.skipIf(!isInstalled("caddy"))(
  "Caddy takes its file, as it is and for two processes of this machine",
  () => {
    for (const more of [{}, { DOMAIN: "http://127.0.0.1:8080", ROLLCALL: "127.0.0.1:3001 127.0.0.1:3002" }]) {
      const env = { PATH: process.env.PATH, HOME: tmpdir(), ...more } as unknown as NodeJS.ProcessEnv;
      const args = ["validate", "--adapter", "caddyfile", "--config", fileOf("Caddyfile")];
      const { status, stderr } = spawnSync("caddy", args, { encoding: "utf8", env });
      expect(status, stderr).toBe(0);
    }
  },
);

test("every file that the operators’ guide names in deploy is there", () => {
  const guide = readFileSync(join(projectRoot(), "server/docs/operators.md"), "utf8");
  const named = Array.from(guide.matchAll(/`deploy\/([\w.]+)`/g), ([, name]) => name as string);
  expect(named.toSorted()).toEqual([
    "Caddyfile",
    "Dockerfile",
    "compose.yaml",
    "grafana.json",
    "rollcall.service",
  ]);
  expect(named.filter((name) => !existsSync(fileOf(name)))).toEqual([]);
});
