import { type Operation, policyOf, rejectsOf } from "../rest/schema/operation";
import { type OperationId, operations } from "../rest/schema/operations";
import { chapters } from "./manual";
import { openApiDocument } from "./openapi";
import { keyedCodes } from "./openapi-answers";
import type { DocumentedAnswer, ReferenceDocument, ReferenceOperation } from "./reference";
import {
  parameterFields,
  referencedName,
  type Schema,
  type SchemaField,
  schemaFields,
} from "./schema-fields";

const table = (head: string[], rows: string[][]) => {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
};

const memberTable = (fields: SchemaField[], required: string) =>
  table(
    ["member", "type", "description"],
    fields.map(({ path, type, isRequired, description }) => [
      `\`${path}\``,
      `\`${type}\``,
      [isRequired ? required : "", description].filter(Boolean).join(" "),
    ]),
  );

const all = Object.entries(operations) as [OperationId, Operation][];

function operationTable(): string {
  const rows = all.map(([, operation]) => {
    const { method, path, summary, permission, permissionWith } = operation;
    return [
      `\`${method} ${path}\``,
      summary,
      permission === "none"
        ? "no key"
        : [permission ?? "any key", permissionWith?.permission].filter(Boolean).join(" or "),
      policyOf(operation) ?? "none",
    ];
  });
  return table(["operation", "summary", "permission", "rate limit"], rows);
}

/** Describes a body with the type names of the chapter "Members". */
function bodySentence({ requestBody }: ReferenceOperation): string[] {
  const schema = requestBody?.content["application/json"].schema;
  if (!schema) return [];
  const item = schema.type === "array" ? (schema.items as Schema) : schema;
  const what = schema.type === "array" ? `a JSON array of ${schema.minItems} to ${schema.maxItems}` : "one";
  return [`Body: ${what} ${referencedName(item) ?? item.format}.`];
}

const codes = (list: readonly string[]) => list.map((code) => `\`${code}\``).join(", ");

/** Describes an answer: the members that no record has, and an example of each kind. */
function answerText(status: string, { description, content }: DocumentedAnswer): string[] {
  const { schema, examples = {} } = content["application/json"];
  const members = schemaFields(schema, {}).filter(({ path }) => path !== "success");
  const shown = Object.entries(examples).map(
    ([name, { value }]) => `${name}:\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\``,
  );
  return [
    `${status} ${description}`,
    ...(members.length > 0 ? [memberTable(members, "Always present.")] : []),
    ...shown,
  ];
}

function operationText(
  [operationId, declared]: [OperationId, Operation],
  document: ReferenceDocument,
): string {
  const { method, path } = declared;
  const rejects = rejectsOf(declared);
  const operation = document.paths[path]?.[method.toLowerCase()] as ReferenceOperation;
  const parameters = parameterFields(operation.parameters);
  const answers = Object.entries(operation.responses).flatMap(([status, answer]) =>
    Number(status) < 400 && "content" in answer ? answerText(status, answer) : [],
  );
  return [
    `### ${operation.summary}`,
    `\`${method} ${path}\` (${operationId})`,
    operation.description,
    ...(parameters.length > 0 ? [memberTable(parameters, "Required.")] : []),
    ...bodySentence(operation),
    ...answers,
    ...(rejects.length > 0 ? [`Specific errors: ${codes(rejects)}.`] : []),
  ].join("\n\n");
}

function membersText({ components: { schemas } }: ReferenceDocument): string {
  const parts = Object.entries(schemas).map(
    ([name, schema]) => `### ${name}\n\n${memberTable(schemaFields(schema, {}), "Required.")}`,
  );
  return parts.join("\n\n");
}

/**
 * Returns the API manual as Markdown for programs. The manual is made from the schemas that validate requests.
 * @param appUrl this instance's URL, without a trailing slash
 */
export function manualForPrograms(appUrl: string): string {
  const document = JSON.parse(JSON.stringify(openApiDocument(appUrl))) as ReferenceDocument;
  return [
    "# Rollcall API",
    `OpenAPI 3.1, generated from the same schemas as this page: ${appUrl}/api/v1/openapi.json`,
    `All paths start with ${appUrl}. Request and response bodies are JSON.`,
    "## All operations",
    operationTable(),
    chapters(appUrl).trim(),
    "## Operations one by one",
    `Operations with a key can also return ${codes([...keyedCodes, "api_module_access_disabled"])}. All operations can return \`validation_error\` with 400.`,
    ...all.map((one) => operationText(one, document)),
    "## Members",
    "Records and bodies of the operations.",
    membersText(document),
    "",
  ].join("\n\n");
}
