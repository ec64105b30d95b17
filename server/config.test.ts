import { describe, expect, it } from "vitest";
import { appUrl, limitsOf, loadConfig, ownOrigins } from "./config";

describe("the settings", () => {
  it("are all optional", () => {
    const config = loadConfig({});
    expect(config).toMatchObject({ PORT: 3000, HOST: "127.0.0.1", DATA_DIR: ".data", LOG_LEVEL: "info" });
    const perMinute = (quota: number) => [{ name: "minute", quota, windowSeconds: 60 }];
    const tenMinutes = { windowSeconds: 600, lockSeconds: 600 };
    expect(limitsOf(config)).toEqual({
      policies: {
        read: perMinute(1200),
        write: perMinute(600),
        bulk: perMinute(60),
        stream: perMinute(10),
        me: perMinute(120),
      },
      lockouts: { auth: { limit: 100, ...tenMinutes }, signIn: { limit: 20, ...tenMinutes }, errors: null },
    });
  });

  it("of earlier versions still work: RATE_LIMIT sets reads and writes, LOCKOUT_AUTH also sign-ins", () => {
    const given = { RATE_LIMIT: "5/h", LOCKOUT_AUTH: "off" };
    const { policies, lockouts } = limitsOf(loadConfig(given));
    expect([policies.read, policies.write].map(([window]) => window?.quota)).toEqual([5, 5]);
    expect(lockouts).toEqual({ auth: null, signIn: null, errors: null });
    const newer = { RATE_LIMIT_READ: "off", RATE_LIMIT_WRITE: "7/m", LOCKOUT_SIGN_IN: "3/1m for 1m" };
    const both = limitsOf(loadConfig({ ...given, ...newer }));
    expect([both.policies.read, both.policies.write[0]?.quota]).toEqual([[], 7]);
    expect([both.lockouts.auth, both.lockouts.signIn?.limit]).toEqual([null, 3]);
  });

  it("treat an empty value as absent", () => {
    expect(loadConfig({ PORT: "", DATABASE_URL: " " })).toMatchObject({ PORT: 3000 });
  });

  it("accept several secrets and validate each", () => {
    const [newer, older] = ["n".repeat(32), "o".repeat(32)];
    expect(loadConfig({ AUTH_SECRET: `${newer}, ${older}` }).AUTH_SECRET).toEqual([newer, older]);
    expect(loadConfig({ AUTH_SECRET: older }).AUTH_SECRET).toEqual([older]);
    expect(() => loadConfig({ AUTH_SECRET: `${newer},short` })).toThrow(/AUTH_SECRET: .*of several, each/);
    const webhook = `whsec_${"a".repeat(32)}`;
    expect(() => loadConfig({ RESEND_WEBHOOK_SECRET: `${webhook},whsec_` })).toThrow(/RESEND_WEBHOOK_SECRET/);
  });

  it.each([
    ["PORT", "http"],
    ["PORT", "70000"],
    ["DATABASE_URL", "mysql://x"],
    ["APP_URL", "example.org"],
    ["APP_ORIGINS", "list.example.org"],
    ["APP_ORIGINS", "https://list.example.org/path"],
    ["APP_ORIGINS", "https://a.example.org,ftp://b.example.org"],
    ["APP_ORIGINS", "https://me@list.example.org"],
    ["AUTH_SECRET", "short"],
    ["HEALTH_TOKEN", "short"],
    ["RESEND_API_KEY", "sk_123"],
    ["REDIS_URL", "localhost:6379"],
    ["ALLOW_PLAINTEXT", "yes"],
    ["RATE_LIMIT", "60 per minute"],
    ["RATE_LIMIT_STREAM", "10"],
    ["LOCKOUT_AUTH", "20"],
    ["TRUST_PROXY", "yes"],
    ["LOG_LEVEL", "loud"],
  ])("reject %s=%s, naming it and how to fix it", (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(
      new RegExp(`These settings are not valid:\\n  ${name}: .{10,}`),
    );
  });

  it("list all invalid settings in one message", () => {
    expect(() => loadConfig({ PORT: "x", LOG_LEVEL: "loud" })).toThrow(/PORT: .*\n {2}LOG_LEVEL: /);
  });

  it("reject a setting without its counterpart", () => {
    expect(() => loadConfig({ UPSTASH_REDIS_REST_URL: "https://x.upstash.io" })).toThrow(
      /all of them or none/,
    );
    expect(() => loadConfig({ RESEND_API_KEY: "re_123" })).toThrow(/MAIL_FROM: needed with RESEND_API_KEY/);
  });

  it("give the base address of links", () => {
    expect(appUrl(loadConfig({ PORT: "4000" }))).toBe("http://localhost:4000");
    expect(appUrl(loadConfig({ APP_URL: "https://list.example.org/" }))).toBe("https://list.example.org");
  });

  it("give the origins of browsers: all loopback names for this machine, otherwise only the configured ones", () => {
    const of = (settings: Record<string, string>) => ownOrigins(loadConfig(settings));
    const local = ["http://localhost:4000", "http://127.0.0.1:4000", "http://[::1]:4000"];
    expect(of({ PORT: "4000" })).toEqual(local);
    expect(of({ APP_URL: "http://[::1]:4000" }).sort()).toEqual([...local].sort());
    expect(of({ APP_URL: "https://list.example.org/" })).toEqual(["https://list.example.org"]);
    const more = "https://B.example.org/, http://10.0.0.5:3000,";
    expect(of({ APP_URL: "https://list.example.org", APP_ORIGINS: more })).toEqual([
      "https://list.example.org",
      "https://b.example.org",
      "http://10.0.0.5:3000",
    ]);
    // In a container, localhost on another port is another origin.
    expect(of({ HOST: "0.0.0.0", PORT: "4000" })).not.toContain("http://localhost:8080");
  });
});
