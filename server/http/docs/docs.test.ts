import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { settingNames } from "../../config";
import { restStatuses } from "../../contract/error-codes";
import { operations } from "../../contract/operations";
import { projectRoot } from "../../project-root";
import { handleDocs, handleGuide, handleManual } from "./docs";

const APP = { appUrl: "http://localhost:3000" };
const asked = new Request(`${APP.appUrl}/docs`);

test("the reference has every operation with a form that sends it, no inline script, and is small", async () => {
  const answer = handleDocs(APP, asked);
  const page = await answer.text();
  for (const { method, path, summary } of Object.values(operations)) {
    expect(page).toContain(`<h2 id="${method}${path}">${summary.replaceAll("'", "&#x27;")}</h2>`);
    expect(page).toContain(`data-method="${method}" data-path="${path}"`);
  }
  for (const code of Object.keys(restStatuses)) expect(page.split(`<tr id="${code}">`)).toHaveLength(2);
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

const textOf = (name: string) => readFileSync(join(projectRoot(), name), "utf8");

test("the guide's table has every setting once, and none else; so has .env.example", () => {
  const guide = textOf("server/http/docs/operators.md");
  const table = guide.slice(guide.indexOf("## Settings"), guide.indexOf("## Deploying"));
  const named = Array.from(table.matchAll(/^\| `([A-Z_]+)` \|/gm), ([, name]) => name);
  expect(named.toSorted()).toEqual(settingNames.toSorted());
  const example = Array.from(textOf(".env.example").matchAll(/^#([A-Z_]+)=/gm), ([, name]) => name);
  expect(example.toSorted()).toEqual(settingNames.toSorted());
});

test("the README names no setting that there isn't, and links the guide", () => {
  const readme = textOf("README.md");
  const table = readme.slice(readme.indexOf("## Settings"), readme.indexOf("## How it is built"));
  const named = Array.from(table.matchAll(/`([A-Z]+_[A-Z_]+)`/g), ([, name]) => name as string);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !settingNames.includes(name))).toEqual([]);
  expect(table).toContain("(server/http/docs/operators.md)");
});

test("the operators’ guide is a page with its chapters, tables and no script", async () => {
  const answer = handleGuide(APP, new Request(`${APP.appUrl}/docs/operators`));
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const page = await answer.text();
  for (const chapter of ["Settings", "Deploying", "Proxies", "Upgrade", "Backup and restore", "Metrics"])
    expect(page).toContain(`<h2 id="${chapter.toLowerCase().replaceAll(" ", "-")}">${chapter}</h2>`);
  expect(page).toContain('<a href="#backup-and-restore">');
  expect(page).toContain("<td><code>DATABASE_URL</code></td>");
  expect(page).not.toMatch(/<script|undefined|\[object/);
  expect(await handleDocs(APP, asked).text()).toContain('href="/docs/operators"');
});
