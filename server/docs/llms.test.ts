import { expect, test } from "vitest";
import { restStatuses } from "../kernel/error-codes";
import { operations } from "../rest/schema/operations";
import { manualForPrograms } from "./llms";
import { openApiDocument } from "./openapi";

// biome-ignore lint/suspicious/noExplicitAny: the document is read as it came, like any program that is handed one
type Loose = any;

const URL_OF_INSTANCE = "http://localhost:3000";
const text = manualForPrograms(URL_OF_INSTANCE);
const document: Loose = JSON.parse(JSON.stringify(openApiDocument(URL_OF_INSTANCE)));
/** The chapter of one operation. */
const sectionOf = (summary: string) => text.split(`### ${summary}\n`)[1]?.split("\n### ")[0] ?? "";

/** The names of all members that a schema describes, at any depth. */
function membersOf(schema: Loose): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {}, ...rest } = schema;
  const inner = Object.values<Loose>(properties).flatMap(membersOf);
  return [...Object.keys(properties), ...inner, ...Object.values<Loose>(rest).flatMap(membersOf)];
}

/** Whether a table has a row of this member, alone or at the end of a path. */
const hasMember = (part: string, name: string) =>
  part.split("\n").some(
    (line) =>
      line.startsWith("| `") &&
      line
        .split("`")[1]
        ?.split(/[.[\]]+/)
        .includes(name),
  );

test("the document's link comes first, then a table of all operations", () => {
  const [title, link, , table] = text.split(/\n\n+/);
  expect(title).toBe("# Rollcall API");
  expect(link).toContain(`${URL_OF_INSTANCE}/api/v1/openapi.json`);
  expect(table).toBe("## All operations");
  for (const { method, path, summary } of Object.values(operations))
    expect(text).toContain(`| \`${method} ${path}\` | ${summary} |`);
});

test("every parameter and every member of the document is described, with its limits", () => {
  for (const { method, path, summary } of Object.values(operations)) {
    const section = sectionOf(summary);
    const { parameters, responses, requestBody } = document.paths[path][method.toLowerCase()];
    for (const { name } of parameters)
      expect({ summary, name, isThere: section.includes(`| \`${name}\` |`) }).toEqual({
        summary,
        name,
        isThere: true,
      });
    const successes = Object.keys(responses).filter((status) => status.startsWith("2"));
    const shapes = [requestBody, ...successes.map((status) => responses[status])];
    for (const shape of shapes)
      for (const name of membersOf(shape?.content["application/json"].schema))
        if (name !== "success")
          expect({ summary, name, isThere: hasMember(section, name) }).toEqual({
            summary,
            name,
            isThere: true,
          });
  }
  for (const [name, schema] of Object.entries<Loose>(document.components.schemas)) {
    const section = sectionOf(name);
    for (const member of membersOf(schema))
      expect({ name, member, isThere: hasMember(section, member) }).toEqual({ name, member, isThere: true });
  }
  expect(sectionOf("NewSubscriber")).toMatch(/`email`.*Required.*at most 254 characters/);
  expect(sectionOf("NewSubscriber")).toMatch(/`name`.*at most 255 characters/);
  expect(sectionOf("List subscribers")).toMatch(/`limit`.*1 to 100/);
});

test("every answer of success has an example, DELETE says what it does, every error code is told", () => {
  for (const [operationId, { method, path, summary }] of Object.entries(operations)) {
    if (operationId === "getDocument") continue;
    const examples = sectionOf(summary).match(/```json\n\{"success":true/g) ?? [];
    const { responses } = document.paths[path][method.toLowerCase()];
    const statuses = Object.keys(responses).filter((status) => status.startsWith("2"));
    expect(examples.length).toBeGreaterThanOrEqual(statuses.length);
  }
  expect(sectionOf("Unsubscribe a subscriber")).toContain("stays on the list as unsubscribed");
  for (const [code, status] of Object.entries(restStatuses))
    expect(text).toContain(`| \`${code}\` | ${status} |`);
  expect(text).toContain("60 per minute, 500 per hour, 3,000 per day");
  expect(text).not.toMatch(/\{\{|undefined|\[object/);
});
