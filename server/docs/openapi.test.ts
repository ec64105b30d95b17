import { expect, test } from "vitest";
import { documentValidator } from "../../e2e/contract/document";
import { operations } from "../rest/schema/operations";
import { openApiDocument } from "./openapi";

const validate = documentValidator(JSON.parse(JSON.stringify(openApiDocument("http://localhost:3000"))));

test("each example is one that the document's own schemas allow", () => {
  expect(validate.badExamples()).toEqual([]);
});

test("every operation of the contract is in the document, with an example of each answer", () => {
  for (const [operationId, { method, path }] of Object.entries(operations)) {
    const operation = validate.document.paths[path][method.toLowerCase()];
    expect(operation.operationId).toBe(operationId);
    if (operationId === "getDocument") continue;
    for (const [status, response] of Object.entries(operation.responses)) {
      const { examples } = (response as { content: Record<string, { examples?: object }> }).content[
        "application/json"
      ] as { examples?: object };
      expect({ operationId, status, examples: Object.keys(examples ?? {}).length > 0 }).toEqual({
        operationId,
        status,
        examples: true,
      });
    }
  }
});

// biome-ignore lint/suspicious/noExplicitAny: the document is read as it came, like any program that is handed one
type Loose = any;

/** Every object inside a value, itself first. */
function* objectsIn(value: unknown): Generator<Loose> {
  if (typeof value !== "object" || value === null) return;
  yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

const document: Loose = JSON.parse(JSON.stringify(openApiDocument("http://localhost:3000")));
const described = Object.keys(operations).map((operationId) => {
  const { path, method } = operations[operationId as keyof typeof operations];
  return { operationId, operation: document.paths[path][method.toLowerCase()] };
});

test("clients can be made from it: one shape of success but for a dry run, no closed answers, no member required by its default", () => {
  for (const { operationId, operation } of described) {
    const shapes = Object.entries<Loose>(operation.responses)
      .filter(([status]) => status.startsWith("2"))
      .map(([, answer]) => JSON.stringify(answer.content["application/json"].schema));
    const hasDryRun = JSON.stringify(operation.parameters).includes("dry_run");
    expect({ operationId, shapes: new Set(shapes).size }).toEqual({ operationId, shapes: hasDryRun ? 2 : 1 });
    for (const schema of objectsIn(operation.responses)) expect(schema.additionalProperties).not.toBe(false);
    for (const schema of objectsIn(operation.requestBody?.content?.["application/json"]?.schema))
      expect(schema).not.toHaveProperty("default");
  }
  for (const schema of objectsIn(document.components.schemas)) {
    expect(schema.additionalProperties).not.toBe(false);
    expect(schema).not.toHaveProperty("default");
  }
  expect(document.components.schemas.NewSubscriber).toMatchObject({
    required: ["email"],
    properties: {
      email: { type: "string", format: "idn-email", maxLength: 254 },
      name: { maxLength: 255 },
      status: {
        anyOf: [{ type: "string", enum: ["active", "pending"] }, { type: "null" }],
        description: expect.stringContaining("Left out or null: active."),
      },
    },
  });
});

test("it has every status that is answered, each with the schema of an error", () => {
  for (const { operationId, operation } of described) {
    const statuses = Object.keys(operation.responses);
    const wanted = ["400", "405", "408", "431", "500"];
    if (operationId !== "getDocument") wanted.push("401", "403", "429", "503");
    if (operation.requestBody) wanted.push("413", "415", "422");
    expect({ operationId, missing: wanted.filter((status) => !statuses.includes(status)) }).toEqual({
      operationId,
      missing: [],
    });
  }
  for (const answer of Object.values<Loose>(document.components.responses))
    expect(answer.content["application/json"].schema.required).toEqual(["success", "code", "message"]);
});
