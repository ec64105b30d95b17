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

/** The members in the tables of a chapter, alone or in a path. */
const tabledIn = (section: string): string[] =>
  Array.from(section.matchAll(/^\| `([^`]+)`/gm), ([, path = ""]) => path.split(/[.[\]]+/)).flat();

test("the document's link comes first, then a table of all operations", () => {
  const [title, link, , table] = text.split(/\n\n+/);
  expect(title).toBe("# Rollcall API");
  expect(link).toContain(`${URL_OF_INSTANCE}/api/v1/openapi.json`);
  expect(table).toBe("## All operations");
  for (const { method, path, summary } of Object.values(operations))
    expect(text).toContain(`| \`${method} ${path}\` | ${summary} |`);
});

test.each(Object.values(operations))(
  "$summary: every parameter, member and success is described",
  (operation) => {
    const { path, method, summary } = operation;
    const { parameters, responses, requestBody } = document.paths[path][method.toLowerCase()];
    const section = sectionOf(summary);
    const successes = Object.keys(responses).filter((status) => status.startsWith("2"));
    const shapes = [requestBody, ...successes.map((status) => responses[status])];
    const members = shapes.flatMap((shape) => membersOf(shape?.content["application/json"].schema));
    const names = [...parameters.map(({ name }: { name: string }) => name), ...members];
    expect([...tabledIn(section), "success"]).toEqual(expect.arrayContaining(names));
    const examples = section.match(/```json\n\{"success":true/g) ?? [];
    expect(examples.length).toBeGreaterThanOrEqual(members.length > 0 ? successes.length : 0);
  },
);

test.each(Object.entries<Loose>(document.components.schemas))(
  "every member of %s is described",
  (name, schema) => {
    expect(tabledIn(sectionOf(name))).toEqual(expect.arrayContaining(membersOf(schema)));
  },
);

test("limits and error codes are described", () => {
  expect(sectionOf("NewSubscriber")).toMatch(/`email`.*Required.*at most 254 characters/);
  expect(sectionOf("List subscribers")).toMatch(/`limit`.*1 to 100/);
  for (const [code, status] of Object.entries(restStatuses))
    expect(text).toContain(`| \`${code}\` | ${status} |`);
  expect(text).toContain("Reads: 1,200 per minute");
  expect(text).not.toMatch(/\{\{|undefined|\[object/);
});
