import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { settingNames } from "../config";
import { parseList } from "../imports/list-parser/parse-list";
import { ListValidator } from "../imports/list-parser/validate-list";
import { restStatuses } from "../kernel/error-codes";
import { projectRoot } from "../kernel/project-root";
import { operations } from "../rest/schema/operations";
import { handleDocs, handleGuides, handleOperatorsGuide } from "./docs";
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
