import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { operations } from "../../contract/operations";
import { handleDocs, handleManual } from "./docs";

const APP = { appUrl: "http://localhost:3000" };
const asked = new Request(`${APP.appUrl}/docs`);

test("the reference has every operation with a form that sends it, no inline script, and is small", async () => {
  const answer = handleDocs(APP, asked);
  const page = await answer.text();
  for (const { method, path, summary } of Object.values(operations)) {
    expect(page).toContain(`<h2 id="${method}${path}">${summary}</h2>`);
    expect(page).toContain(`data-method="${method}" data-path="${path}"`);
  }
  expect(page).not.toMatch(/<script(?! src="\/docs\/try-it\.js")|\son\w+="|undefined|\[object/);
  expect(page).not.toMatch(/\{\{/);
  expect(answer.headers.get("content-security-policy")).toContain("script-src 'self';");
  expect(gzipSync(page).byteLength).toBeLessThan(100_000);
});

test("the manual for programs has the limits and errors that hold", async () => {
  const text = await handleManual(APP, asked).text();
  expect(text).toContain("60 per minute, 500 per hour, 3,000 per day");
  expect(text).toContain("| `rate_limit_exceeded` | 429 |");
});
