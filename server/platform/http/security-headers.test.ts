import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openHttpApp } from "../../test/http-app";
import { setSecurityHeaders } from "./security-headers";

test("by https browsers are told to come by https for a year; by http they are not", async () => {
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

test("a page runs scripts of our own origin and its nonce, a new one each time, is embedded by nobody and shares no window", async () => {
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
