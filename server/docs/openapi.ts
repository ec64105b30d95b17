import { z } from "zod";
import { maxMessageNumber } from "../events/schema/webhook-records";
import { type Operation, streamTypes } from "../rest/schema/operation";
import { type OperationId, operations } from "../rest/schema/operations";
import { FieldKey } from "../subscribers/schema/fields";
import { statuses } from "../subscribers/status-moves";
import type { Json } from "./example-parts";
import { examples } from "./examples";
import { chapters } from "./manual";
import { answerHeaders, errorAnswers, json, quotas, ref, refsTo, sharedErrors } from "./openapi-answers";

/** Converts a schema to JSON Schema. Nested definitions go into the document's components. */
function schemaOf(schema: z.ZodType, io: "input" | "output", components: Json): Json {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ jsonSchema: own, path }) {
      // zod adds these members, which are useless to readers.
      if (own.type === "integer" || own.format === "uuid" || own.format === "date-time") delete own.pattern;
      if (own.maximum === Number.MAX_SAFE_INTEGER) delete own.maximum;
      // Strict clients must accept future members in answers.
      if (io === "output" && own.additionalProperties === false) delete own.additionalProperties;
      // Some generators make a member with a default required.
      if (io === "input" && path.length > 0 && own.default !== undefined) {
        own.description = `${own.description} Left out: ${own.default}.`;
        delete own.default;
      }
    },
  });
  const text = JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _, $defs = {}, id, ...plain } = JSON.parse(text);
  for (const [name, { id: _id, ...definition }] of Object.entries<Json>($defs)) components[name] = definition;
  if (id === undefined) return plain;
  components[id] = plain;
  return ref("schemas", id);
}

function successAnswer(
  { data, pagination, when }: { data: z.ZodType; pagination?: z.ZodType; when?: string },
  operation: Operation,
  { components, examples }: { components: Json; examples: Json | undefined },
): Json {
  const properties: Json = {
    success: { type: "boolean", const: true },
    data: schemaOf(data, "output", components),
    ...(pagination && { pagination: schemaOf(pagination, "output", components) }),
  };
  const headers = [
    ...quotas,
    ...(operation.idempotent ? ["Idempotency-Replayed"] : []),
    ...(operation.body ? ["Ignored-Fields"] : []),
    ...(operation.query?.shape.dry_run ? ["Related-Opt-Out"] : []),
    ...(operation.queuesConfirmations ? ["Confirmation-Mail"] : []),
  ];
  return {
    description: when ? `Done (${when})` : "Done",
    headers: refsTo("X-Request-Id", ...headers),
    content: json({ type: "object", properties, required: Object.keys(properties) }, examples),
  };
}

/** Returns an operation's success answers and errors. */
function answersOf(operationId: OperationId, operation: Operation, components: Json): Json {
  const successes = operation.answers.map((answer) => [
    String(answer.status),
    successAnswer(answer, operation, { components, examples: examples[operationId]?.answers[answer.status] }),
  ]);
  return { ...Object.fromEntries(successes), ...errorAnswers(operation) };
}

function pathParameter({ path }: Operation, name: string, components: Json): Json {
  if (name === "key") return { schema: schemaOf(FieldKey, "input", components) };
  if (name === "name")
    return {
      description: "The tag's name (URL-encoded). Case does not matter.",
      schema: { type: "string", minLength: 1 },
    };
  if (name === "number") return { schema: { type: "integer", minimum: 1, maximum: maxMessageNumber } };
  if (!path.startsWith("/api/v1/subscribers/")) return { schema: { type: "string", format: "uuid" } };
  return { description: "The id, or the email address (URL-encoded).", schema: { type: "string" } };
}

function parameters(operation: Operation, components: Json): Json[] {
  const list: Json[] = [];
  for (const [, name] of operation.path.matchAll(/\{(\w+)\}/g)) {
    list.push({ name, in: "path", required: true, ...pathParameter(operation, name as string, components) });
  }
  for (const [name, schema] of Object.entries(operation.query?.shape ?? {})) {
    const { description, ...json } = schemaOf(schema as z.ZodType, "input", components);
    // An object becomes one parameter for each member, such as field[company]=….
    const form = json.type === "object" ? { style: "deepObject", explode: true } : {};
    list.push({ name, in: "query", required: false, description, ...form, schema: json });
  }
  if (operation.idempotent) {
    list.push({
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description:
        "1 to 255 printable ASCII characters. For 24 hours, a repeat with the same key gets the first response.",
      schema: { type: "string", minLength: 1, maxLength: 255 },
    });
  }
  return list;
}

function permissionSentence({ permission, permissionWith }: Operation): string | null {
  if (permission === null || permission === "none") return null;
  const other =
    permissionWith &&
    `; with ${permissionWith.parameter}=${permissionWith.value}, \`${permissionWith.permission}\``;
  return `Needs the permission \`${permission}\`${other ?? ""}.`;
}

const plainDocument: Json = {
  "200": {
    description: "An OpenAPI document",
    headers: refsTo("X-Request-Id"),
    content: json({ type: "object" }),
  },
};

/** Schemas that no answer has on its own. */
const partSchemas: Json = {
  ItemFault: {
    type: "object",
    description: "An invalid item of a bulk request.",
    properties: {
      index: { type: "integer", description: "Counted from 0." },
      field: { type: "string" },
      code: { type: "string", description: "The rule that the item breaks." },
      message: { type: "string" },
    },
    required: ["index", "field", "code", "message"],
  },
  ExistingSubscriber: {
    type: "object",
    description: "Only with email_already_subscribed: the subscriber who has the address.",
    properties: {
      id: { type: "string", format: "uuid" },
      status: { type: "string", enum: statuses },
    },
    required: ["id", "status"],
  },
};

/** Describes an operation, and adds the schemas of its body and its answers to `schemas`. */
function describeOperation(operationId: OperationId, operation: Operation, schemas: Json): Json {
  return {
    summary: operation.summary,
    description: [operation.description, permissionSentence(operation)].filter(Boolean).join(" "),
    ...(operation.permission === "none" && { security: [] }),
    // Not as content of the 200 answer: generated clients would then return a text instead of records.
    ...(operation.streams && { "x-streams": Object.values(streamTypes) }),
    parameters: parameters(operation, schemas),
    ...(operation.body && {
      requestBody: {
        required: true,
        content: {
          ...json(schemaOf(operation.body, "input", schemas), examples[operationId]?.body),
          ...Object.fromEntries(
            (operation.bodyTypes ?? []).map((type) => [type, { schema: { type: "string" } }]),
          ),
        },
      },
    }),
    responses:
      operation.answers.length > 0
        ? answersOf(operationId, operation, schemas)
        : { ...plainDocument, ...errorAnswers(operation) },
  };
}

/**
 * Builds the OpenAPI 3.1 document from the schemas that validate requests.
 * @param appUrl this instance's URL, without a trailing slash
 */
export function openApiDocument(appUrl: string): Json {
  const schemas = { ...partSchemas };
  const paths: Record<string, Json> = {};
  for (const [operationId, operation] of Object.entries<Operation>(operations)) {
    const path = paths[operation.path] ?? {};
    paths[operation.path] = path;
    const described = describeOperation(operationId as OperationId, operation, schemas);
    path[operation.method.toLowerCase()] = { operationId, ...described };
    if (operation.isPartial) {
      const summary = `${operation.summary} with PATCH`;
      path.patch = { ...described, operationId: operationId.replace("update", "patch"), summary };
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Rollcall", version: "1", description: chapters(appUrl) },
    servers: [{ url: appUrl }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key. It starts with sk_." },
      },
      headers: answerHeaders,
      responses: sharedErrors,
      schemas,
    },
  };
}

const texts = new Map<string, string>();

/** Returns the document as JSON, made once: it depends only on the code and the URL. */
export function openApiText(appUrl: string): string {
  const text = texts.get(appUrl) ?? JSON.stringify(openApiDocument(appUrl));
  texts.set(appUrl, text);
  return text;
}
