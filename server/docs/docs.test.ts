import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { extract } from "tar-stream";
import { expect, test } from "vitest";
import { settingNames } from "../config";
import { parseList } from "../imports/list-parser/parse-list";
import { ListValidator } from "../imports/list-parser/validate-list";
import { restStatuses } from "../kernel/error-codes";
import { projectRoot } from "../kernel/project-root";
import { version } from "../kernel/version";
import { operations } from "../rest/schema/operations";
import { handleClientPackage, handleDocs, handleGuides, handleOperatorsGuide } from "./docs";
import { guides } from "./manual";

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
  expect(page).not.toMatch(/<script(?! src="\/docs\/(?:try-it|code)\.js")|\son\w+="|undefined|\[object/);
  expect(page).not.toMatch(/\{\{/);
  expect(answer.headers.get("content-security-policy")).toContain("script-src 'self';");
  expect(gzipSync(page).byteLength).toBeLessThan(100_000);
});

const textOf = (name: string) => readFileSync(join(projectRoot(), name), "utf8");

test("the operators’ guide and .env.example list every setting once", () => {
  const guide = textOf("server/docs/operators.md");
  const table = guide.slice(guide.indexOf("## Settings"), guide.indexOf("## Deploying"));
  const named = Array.from(table.matchAll(/^\| `([A-Z_]+)` \|/gm), ([, name]) => name);
  expect(named.toSorted()).toEqual(settingNames.toSorted());
  const example = Array.from(textOf(".env.example").matchAll(/^#([A-Z_]+)=/gm), ([, name]) => name);
  expect(example.toSorted()).toEqual(settingNames.toSorted());
});

test("the README names only existing settings, and links the guide", () => {
  const readme = textOf("README.md");
  const table = readme.slice(readme.indexOf("## Settings"), readme.indexOf("## How it is built"));
  const named = Array.from(table.matchAll(/`([A-Z]+_[A-Z_]+)`/g), ([, name]) => name as string);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !settingNames.includes(name))).toEqual([]);
  expect(table).toContain("(server/docs/operators.md)");
});

test.each([
  [handleOperatorsGuide, "/docs/operators", ["Settings", "Deploying", "Upgrade", "Backup and restore"]],
  [handleGuides, "/docs/guides", ["Coming from another service", "Receiving webhooks", "Going live"]],
])("%o is a page with its chapters, linked from the reference", async (handle, path, chapters) => {
  const answer = handle(APP, new Request(APP.appUrl + path));
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const page = await answer.text();
  for (const chapter of chapters) {
    const id = chapter.toLowerCase().replaceAll(" ", "-");
    expect(page).toContain(`<h2 id="${id}">${chapter}</h2>`);
    expect(page).toContain(`<a href="#${id}">`);
  }
  expect(page).not.toMatch(/<script(?! src="\/docs\/code\.js")|\{\{\w|undefined|\[object/);
  expect(await handleDocs(APP, asked).text()).toContain(`href="${path}"`);
});

test("the JavaScript client is a package of this version, whose bytes stay the same", async () => {
  const ask = (init?: RequestInit) => handleClientPackage(APP, new Request(`${APP.appUrl}/sdk/js.tgz`, init));
  const answer = await ask();
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get("content-type")).toBe("application/gzip");
  // The times of gzip and tar are constants.
  expect(bytes.readUInt32LE(4)).toBe(0);
  const files: Record<string, string> = {};
  for await (const entry of Readable.from([gunzipSync(bytes)]).pipe(extract())) {
    expect(entry.header).toMatchObject({ mode: 0o644, uid: 0, mtime: new Date("1985-10-26T08:15:00Z") });
    files[entry.header.name] = await text(entry);
  }
  const names = ["package.json", "index.js", "index.d.ts", "openapi.d.ts", "README.md", "LICENSE"];
  expect(Object.keys(files)).toEqual(names.map((name) => `package/${name}`));
  const { dependencies, ...manifest } = JSON.parse(files["package/package.json"] ?? "");
  expect([manifest.version, manifest.name, dependencies]).toEqual([version, "rollcall-client", undefined]);
  expect(files["package/index.js"]).toBe(textOf("clients/js/index.js"));

  const etag = answer.headers.get("etag") ?? "";
  const again = await ask({ headers: { "If-None-Match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  expect((await ask({ headers: { "If-None-Match": '"another"' } })).status).toBe(200);
  expect((await ask({ method: "POST" })).status).toBe(405);
});

test("the guides have receivers in five languages and a checklist", () => {
  const page = guides(APP.appUrl);
  for (const language of ["js", "python", "php", "ruby", "go"]) expect(page).toContain(`\`\`\`${language}\n`);
  expect(page).toContain("- [ ] **Backups.**");
});

test("each list in the guides is read as its table says", () => {
  const text = guides(APP.appUrl);
  const section = text.slice(text.indexOf("## Coming from"), text.indexOf("## Sending with"));
  const services = section.split(/^### /m).slice(1);
  expect(services).toHaveLength(8);
  const outcomes: Record<string, string> = {};
  for (const service of services) {
    const [name = ""] = service.split("\n", 1);
    const list = parseList(/```csv\n(.+?)```/s.exec(service)?.[1] ?? "");
    const { validations } = new ListValidator(list.records).validate();
    list.records.forEach(({ email, status, leaving }, i) => {
      const kind =
        validations[i]?.kind === "asked" ? "a question" : (leaving?.reason ?? status ?? "as chosen");
      outcomes[name] = `${outcomes[name] ?? ""}${email.split("@")[0]} ${kind}, `;
    });
  }
  expect(outcomes).toEqual({
    Mailchimp: "ada as chosen, ",
    Substack: "ada as chosen, bob as chosen, alan unsubscribed, ",
    Ghost: "ada as chosen, alan unsubscribed, ",
    Kit: "ada active, alan unsubscribed, bob bounced, cy complained, ",
    beehiiv: "ada active, alan unsubscribed, bob pending, cy a question, ",
    Buttondown: "ada as chosen, bob pending, alan unsubscribed, cy bounced, ",
    MailerLite: "ada active, bob pending, alan unsubscribed, cy bounced, di complained, ",
    listmonk: "ada active, alan unsubscribed, bob unsubscribed, ",
  });
});

test("Mailchimp's other files are read as the guide says", () => {
  const read = (columns: string, fileName: string) => {
    const list = parseList(
      `Email Address,${columns}\nada@lovelace.example,2024-02-03 08:00:00\n`,
      {},
      fileName,
    );
    const [validation] = new ListValidator(list.records).validate().validations;
    return validation?.kind === "asked" ? "a question" : list.records[0]?.leaving;
  };
  const at = "2024-02-03T08:00:00Z";
  expect(read("UNSUB_TIME", "unsubscribed_export_1a.csv")).toEqual({ reason: "unsubscribed", at });
  expect(read("CLEAN_TIME", "cleaned_export_1a.csv")).toEqual({ reason: "bounced", at });
  expect(read("LAST_CHANGED", "nonsubscribed_export_1a.csv")).toBe("a question");
});
