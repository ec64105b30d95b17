import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openHttpApp } from "../../test/http-app";
import { setSecurityHeaders } from "./security-headers";

test("https responses send HSTS for a year, and http responses do not", async () => {
  for (const [APP_URL, wanted] of [
    ["https://list.example.org", "max-age=31536000"],
    ["http://list.example.org", null],
  ] as const) {
    const opened = await openHttpApp({ APP_URL });
    const answer = await fetch(`${opened.origin}/api/health`);
    await opened.close();
    expect(answer.headers.get("strict-transport-security")).toBe(wanted);
  }
});

test("a page allows scripts of its own origin with a fresh nonce, and forbids embedding and shared windows", async () => {
  const server = createServer((request, response) => {
    setSecurityHeaders(request, response, false);
    response.end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const ask = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const [one, other] = [await ask(), await ask()];
  const policyOf = (answer: Response) => answer.headers.get("content-security-policy") ?? "";
  const scripts = /script-src ([^;]+)/.exec(policyOf(one))?.[1];
  expect(scripts).toMatch(/'nonce-[\w+/]{22}=='/);
  expect(scripts).not.toMatch(/unsafe|https?:|\*/);
  expect(policyOf(one)).toContain("frame-ancestors 'none'");
  expect(policyOf(other)).not.toBe(policyOf(one));
  expect(one.headers.get("cross-origin-opener-policy")).toBe("same-origin");
});
