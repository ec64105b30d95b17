import { z } from "zod";
import { malformedStatus, type RestCode, restStatuses } from "../../contract/error-codes";
import { type Operation, type OperationId, operations } from "../../contract/operations";
import { examples } from "./examples";
import { chapters, meaningOf } from "./manual";

type Json = { [key: string]: unknown };

/** A schema as JSON Schema; what it defines beside itself goes into the document's components. */
function schemaOf(schema: z.ZodType, io: "input" | "output", components: Json): Json {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ jsonSchema: own }) {
      // Added by zod, and of no use to a reader.
      if (own.type === "integer" || own.format === "uuid" || own.format === "date-time") delete own.pattern;
      if (own.maximum === Number.MAX_SAFE_INTEGER) delete own.maximum;
    },
  });
  const text = JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _, $defs = {}, id, ...plain } = JSON.parse(text);
  for (const [name, { id: _id, ...definition }] of Object.entries<Json>($defs)) components[name] = definition;
  if (id === undefined) return plain;
  components[id] = plain;
  return ref("schemas", id);
}

const json = (schema: Json, examples?: Json): Json => ({ "application/json": { schema, examples } });
/** `required`: on every answer that names it; the headers of limits are absent where limits are switched off. */
const header = (type: "string" | "integer", description: string, required = false): Json => ({
  description,
  schema: { type },
  ...(required && { required }),
});

const headers: Json = {
  "X-Request-Id": header(
    "string",
    "Names this answer in our logs; your own is used when it is 1 to 128 of [A-Za-z0-9._-].",
    true,
  ),
  "RateLimit-Policy": header("string", "The key's limits, by window: q requests in w seconds."),
  RateLimit: header("string", "What remains in each window: r requests, t seconds to its reset."),
  "X-RateLimit-Limit": header("integer", "The quota of the tightest window."),
  "X-RateLimit-Remaining": header("integer", "What remains in the tightest window."),
  "X-RateLimit-Reset": header("integer", "When the tightest window starts anew, in Unix seconds."),
  "Retry-After": header("integer", "Seconds to wait before another try.", true),
  "WWW-Authenticate": header("string", "Bearer", true),
  "Idempotency-Replayed": header("string", "true: this is the first answer to this Idempotency-Key, again."),
  "Ignored-Fields": header(
    "string",
    "Members of the body that the API does not know and did not read, separated by commas, percent-encoded; absent when there is none.",
  ),
};
const quotas = Object.keys(headers).filter((name) => name.includes("RateLimit"));

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
const refsTo = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, ref("headers", name)]));
const headersOf: Partial<Record<RestCode, string>> = {
  unauthorized: "WWW-Authenticate",
  rate_limit_exceeded: "Retry-After",
  service_unavailable: "Retry-After",
  idempotency_conflict: "Retry-After",
};

/** Where these are answered, no body was read as JSON. */
const unreadStatuses = new Set<number>([401, 403, 413, 415, 429]);

/** The codes of any operation with a key. */
const keyedCodes: RestCode[] = [
  "unauthorized",
  "api_access_disabled",
  "rate_limit_exceeded",
  "internal_error",
  "service_unavailable",
];

/** The codes that an operation answers with, by status. */
function codesByStatus(operation: Operation): Map<number, RestCode[]> {
  const { permission, rejects } = operation;
  const codes = permission === "none" ? (["internal_error"] as const) : [...rejects, ...keyedCodes];
  const found: { code: RestCode; status: number }[] = codes.map((code) => ({
    code,
    status: restStatuses[code],
  }));
  if (permission?.startsWith("subscribers:"))
    found.push({ code: "api_module_access_disabled", status: restStatuses.api_module_access_disabled });
  found.push({ code: "validation_error", status: malformedStatus });
  const byStatus = new Map<number, RestCode[]>();
  for (const { code, status } of found.sort((a, b) => a.status - b.status))
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  return byStatus;
}

/** The envelope of an error with one of these codes. */
function errorSchema(codes: RestCode[]): Json {
  const messages = { type: "object", additionalProperties: { type: "array", items: { type: "string" } } };
  const retryAfter = {
    type: "object",
    properties: { retry_after: { type: "integer", minimum: 1 } },
    required: ["retry_after"],
  };
  const properties: Json = {
    success: { const: false },
    code: { type: "string", enum: codes },
    message: { type: "string", description: "For people. Programs go by code." },
    errors: codes.includes("rate_limit_exceeded")
      ? retryAfter
      : { ...messages, description: "Messages by field." },
    ...(codes.includes("validation_error") && {
      items: { type: "array", items: ref("schemas", "ItemFault") },
    }),
  };
  return { type: "object", properties, required: ["success", "code", "message"] };
}

function errorExample(code: RestCode, status: number): Json {
  const message = meaningOf(code, status);
  const aboutEmail = code === "email_already_subscribed" || (code === "validation_error" && status === 422);
  const errors =
    code === "rate_limit_exceeded" ? { retry_after: 42 } : aboutEmail ? { email: [message] } : undefined;
  return { value: { success: false, code, message, ...(errors && { errors }) } };
}

function errorAnswers(operation: Operation): Json {
  const answers = Array.from(codesByStatus(operation), ([status, codes]) => {
    const headers = codes.flatMap((code) => headersOf[code] ?? []);
    // With a valid key every answer has the state of its limits, errors too.
    if (operation.permission !== "none" && status !== 401) headers.push(...quotas);
    if (operation.idempotent && codes.includes("email_already_subscribed"))
      headers.push("Idempotency-Replayed");
    if (operation.body && !unreadStatuses.has(status)) headers.push("Ignored-Fields");
    const examples = Object.fromEntries(codes.map((code) => [code, errorExample(code, status)]));
    return [
      status,
      {
        description: codes.join(", "),
        headers: refsTo("X-Request-Id", ...headers),
        content: json(errorSchema(codes), examples),
      },
    ];
  });
  return Object.fromEntries(answers);
}

function successes(operationId: string, operation: Operation, components: Json): Json {
  return Object.fromEntries(
    operation.answers.map(({ status, data, pagination, when }) => {
      const properties: Json = { success: { const: true }, data: schemaOf(data, "output", components) };
      const required = ["success", "data"];
      if (pagination) {
        properties.pagination = schemaOf(pagination, "output", components);
        required.push("pagination");
      }
      return [
        String(status),
        {
          description: when ? `Done (${when})` : "Done",
          headers: refsTo(
            "X-Request-Id",
            ...quotas,
            ...(operation.idempotent ? ["Idempotency-Replayed"] : []),
            ...(operation.body ? ["Ignored-Fields"] : []),
          ),
          content: json(
            { type: "object", properties, required },
            examples[operationId as OperationId]?.answers[status] as Json,
          ),
        },
      ];
    }),
  );
}

function parameters(operation: Operation, components: Json): Json[] {
  const list: Json[] = [];
  if (operation.path.includes("{id}")) {
    list.push({ name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } });
  }
  for (const [name, schema] of Object.entries(operation.query?.shape ?? {})) {
    const { description, ...json } = schemaOf(schema as z.ZodType, "input", components);
    list.push({ name, in: "query", required: false, description, schema: json });
  }
  if (operation.idempotent) {
    list.push({
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description:
        "1 to 255 printable ASCII characters. For 24 hours a repeat with the same key gets the first answer.",
      schema: { type: "string", minLength: 1, maxLength: 255 },
    });
  }
  return list;
}

const plainDocument: Json = {
  "200": {
    description: "An OpenAPI document",
    headers: refsTo("X-Request-Id"),
    content: json({ type: "object" }),
  },
};

/**
 * The OpenAPI 3.1 document, built from the schemas that validate.
 * @param appUrl where this instance is reached, without a trailing slash
 */
export function openApiDocument(appUrl: string): Json {
  const schemas: Json = {
    ItemFault: {
      type: "object",
      description: "One bad item of a bulk.",
      properties: {
        index: { type: "integer", description: "Counted from 0." },
        field: { type: "string" },
        code: { type: "string", description: "The rule that was broken." },
        message: { type: "string" },
      },
      required: ["index", "field", "code", "message"],
    },
  };
  const paths: Record<string, Json> = {};
  for (const [operationId, operation] of Object.entries<Operation>(operations)) {
    const path = paths[operation.path] ?? {};
    paths[operation.path] = path;
    path[operation.method.toLowerCase()] = {
      operationId,
      summary: operation.summary,
      description: operation.description,
      ...(operation.permission === "none" && { security: [] }),
      parameters: parameters(operation, schemas),
      ...(operation.body && {
        requestBody: {
          required: true,
          content: json(
            schemaOf(operation.body, "input", schemas),
            examples[operationId as OperationId]?.body,
          ),
        },
      }),
      responses: {
        ...(operation.answers.length > 0 ? successes(operationId, operation, schemas) : plainDocument),
        ...errorAnswers(operation),
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Rollcall", version: "1", description: chapters(appUrl) },
    servers: [{ url: appUrl }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key; it begins with sk_." },
      },
      headers,
      schemas,
    },
  };
}

const texts = new Map<string, string>();

/** The document as JSON, made once: it changes with the code and the address only. */
export function openApiText(appUrl: string): string {
  const text = texts.get(appUrl) ?? JSON.stringify(openApiDocument(appUrl));
  texts.set(appUrl, text);
  return text;
}
