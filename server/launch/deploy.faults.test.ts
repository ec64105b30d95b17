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

test("compose.yaml uses existing settings that are valid together with its .env", () => {
  expect(settings.length).toBeGreaterThan(8);
  expect(settings.map(({ name }) => name).filter((name) => !settingNames.includes(name))).toEqual([]);
  // The values that the file's header asks for, such as a long secret and a Resend key.
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
  // Caddy checks each second, so it stops using a stopping process before that process closes.
  expect(textOf("Caddyfile")).toContain("health_interval 1s");
});

test("the Dockerfile's settings exist, it does not run as root, and package.json allows its Node version", () => {
  const dockerfile = textOf("Dockerfile");
  const names = Array.from(dockerfile.matchAll(/([A-Z_]+)=\S+/g), ([, name]) => name as string);
  expect(names.filter((name) => !settingNames.includes(name))).toEqual([]);
  expect(dockerfile).toMatch(/^USER \d+:\d+$/m);
  expect(dockerfile).toMatch(/^STOPSIGNAL SIGTERM$/m);
  expect(new Set(dockerfile.match(/^FROM \S+/gm))).toEqual(new Set(["FROM node:24-bookworm-slim"]));
});

test.skipIf(!isInstalled("systemd-analyze"))("systemd-analyze accepts the unit", () => {
  const folder = mkdtempSync(join(tmpdir(), "rollcall-unit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const unit = join(folder, "rollcall.service");
  // systemd-analyze checks that the started program exists.
  writeFileSync(unit, textOf("rollcall.service").replace("/usr/bin/node", process.execPath));
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  expect(stdout + stderr).toBe("");
  expect(status).toBe(0);
  copyFileSync(fileOf("rollcall.service"), unit);
  const rating = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit]);
  expect(rating.status).toBe(0);
});

test.skipIf(!isInstalled("caddy"))(
  "Caddy accepts its file, unchanged and for two processes of this machine",
  () => {
    for (const more of [{}, { DOMAIN: "http://127.0.0.1:8080", ROLLCALL: "127.0.0.1:3001 127.0.0.1:3002" }]) {
      const env = { PATH: process.env.PATH, HOME: tmpdir(), ...more } as unknown as NodeJS.ProcessEnv;
      const args = ["validate", "--adapter", "caddyfile", "--config", fileOf("Caddyfile")];
      const { status, stderr } = spawnSync("caddy", args, { encoding: "utf8", env });
      expect(status, stderr).toBe(0);
    }
  },
);

test("every file in deploy that the operators’ guide names exists", () => {
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
