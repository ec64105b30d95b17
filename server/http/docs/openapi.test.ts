import { expect, test } from "vitest";
import { documentValidator } from "../../../e2e/contract/document";
import { operations } from "../../contract/operations";
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
