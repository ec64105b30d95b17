import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { openApiDocument } from "../../server/docs/openapi";
import { findHandler } from "../../server/http-handlers";
import { handleRest } from "../../server/rest/handler";

// biome-ignore lint/suspicious/noExplicitAny: the document is read as it came, like any program that is handed one
type Loose = any;

type Asked = { method: string; path: string };
type Answered = { status: number; headers: Record<string, string>; text: string };

/** About the connection or about caches, the same on every answer. */
const TRANSPORT = new Set([
  "date",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
  "content-type",
  "cache-control",
  "x-content-type-options",
  "cross-origin-resource-policy",
  "strict-transport-security",
]);

const formats = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  // The vectors hold addresses to the product itself.
  "idn-email": true as const,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/,
};

/** Closes an object and those in it: what it does not name is a fault, unlike for a client. */
function close(schema: Loose, schemas: Loose): void {
  if (typeof schema !== "object" || schema === null || schema.isClosed) return;
  Object.defineProperty(schema, "isClosed", { value: true });
  if (schema.$ref) close(schemas[schema.$ref.split("/").at(-1)], schemas);
  if (schema.properties) schema.additionalProperties ??= false;
  const { properties = {}, anyOf = [], oneOf = [], items, additionalProperties } = schema;
  for (const inner of [...Object.values(properties), ...anyOf, ...oneOf, items, additionalProperties])
    close(inner, schemas);
}

/** The document as a validator: answers are closed, shared ones stand where they are referred to. */
function closed(document: Loose): Loose {
  const { schemas, responses: shared = {} } = document.components;
  for (const path of Object.values<Loose>(document.paths)) {
    for (const operation of Object.values<Loose>(path)) {
      for (const [status, { $ref }] of Object.entries<Loose>(operation.responses))
        if ($ref) operation.responses[status] = structuredClone(shared[$ref.split("/").at(-1)]);
      for (const response of Object.values<Loose>(operation.responses)) {
        const schema = response?.content?.["application/json"]?.schema;
        if (schema?.properties?.success) close(schema, schemas);
      }
    }
  }
  return document;
}

/** The way from a body of the document to its schema. */
const SCHEMA = ["content", "application/json", "schema"];

/** Codes of answers at unknown paths and to unknown verbs. */
const outside: Record<number, string> = {
  400: "validation_error",
  404: "not_found",
  405: "method_not_allowed",
};

/** Holds answers, and what is asked, to an OpenAPI document. */
export function documentValidator(given: object = openApiDocument("http://localhost:3000")) {
  const document = closed(structuredClone(given));
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, formats });
  ajv.addSchema(document, "document");
  const compiled = new Map<string, ValidateFunction>();
  const validator = (...steps: string[]): ValidateFunction => {
    const pointer = steps.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")));
    const $ref = `document#/${pointer.join("/")}`;
    const known = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, known);
    return known;
  };
  const templates = Object.keys(document.paths)
    .sort((a, b) => Number(a.includes("{")) - Number(b.includes("{")))
    .map((template) => ({ template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}/?$`) }));

  const find = ({ method, path }: Asked) => {
    if (!URL.canParse(path, "http://localhost")) return null;
    // A path that names the newsletter is an alias, which the document does not repeat for each operation.
    const pathname = new URL(path, "http://localhost").pathname.replace(
      /^(\/api\/v1)\/newsletters\/[^/]+(?=\/)/,
      "$1",
    );
    const template = templates.find(({ pattern }) => pattern.test(pathname))?.template;
    const verb = (method === "HEAD" ? "GET" : method).toLowerCase();
    // Verbs are told apart by case.
    if (template === undefined || verb.toUpperCase() !== (method === "HEAD" ? "GET" : method)) return null;
    const operation = document.paths[template][verb] as Loose;
    return operation ? { template, verb, operation } : null;
  };

  const say = (validate: ValidateFunction) =>
    (validate.errors ?? []).map((error) => `${error.instancePath || "body"} ${error.message}`);

  function headerFaults(described: Loose, headers: Record<string, string>): string[] {
    const found: string[] = [];
    const named = new Set(TRANSPORT);
    for (const [name, header] of Object.entries<Loose>(described ?? {})) {
      const { required, schema } = header.$ref
        ? document.components.headers[header.$ref.split("/").at(-1)]
        : header;
      named.add(name.toLowerCase());
      const value = headers[name.toLowerCase()];
      if (value === undefined && required) found.push(`header ${name} is missing`);
      if (value !== undefined && schema.type === "integer" && !/^\d+$/.test(value))
        found.push(`header ${name} is no integer: ${value}`);
    }
    for (const name of Object.keys(headers))
      if (!named.has(name)) found.push(`header ${name} is not in the document`);
    return found;
  }

  return {
    document,
    find,

    /** Whether the document lets this through as the body of a request; true where there is none to check. */
    allowsBody(asked: Asked, body: unknown): boolean {
      const found = find(asked);
      if (!found?.operation.requestBody) return true;
      return validator("paths", found.template, found.verb, "requestBody", ...SCHEMA)(body) as boolean;
    },

    /** Differences between an answer and the document; none for answers of other paths than the API. */
    faultsOf(asked: Asked, { status, headers, text }: Answered): string[] {
      if (findHandler(asked.path) !== handleRest) return [];
      const found: string[] = [];
      const type = headers["content-type"]?.replace(/;.*/, "");
      const streamed = find(asked)?.operation;
      if (status === 200 && streamed?.["x-streams"]?.includes(type))
        return headerFaults(streamed.responses[200].headers, headers);
      if (headers["content-type"] !== "application/json")
        found.push(`content type ${headers["content-type"]}`);
      let body: Loose;
      if (asked.method === "HEAD") {
        if (text !== "") found.push("a body for HEAD");
      } else {
        try {
          body = JSON.parse(text);
        } catch {
          return [...found, `no JSON: ${text.slice(0, 80)}`];
        }
      }
      const known = find(asked);
      if (!known) {
        if (!/^[A-Za-z0-9._-]{1,128}$/.test(headers["x-request-id"] ?? "")) found.push("no X-Request-Id");
        if (status === 405 && !headers.allow) found.push("405 without Allow");
        if (!(status in outside)) found.push(`status ${status} outside the document`);
        if (body !== undefined) {
          const { success, code, message, docs, ...rest } = body ?? {};
          if (success !== false || code !== outside[status] || typeof message !== "string" || message === "")
            found.push(`no envelope: ${text.slice(0, 120)}`);
          // Before the product knows its own address, its parser rejects what is no HTTP.
          if (docs !== undefined && !String(docs).endsWith(`#${code}`))
            found.push(`no link to the meaning of ${code}: ${docs}`);
          if (Object.keys(rest).length > 0) found.push(`more than an envelope: ${Object.keys(rest)}`);
        }
        return found;
      }
      const response = known.operation.responses[String(status)];
      if (!response) return [...found, `status ${status} is not in the document: ${text.slice(0, 200)}`];
      found.push(...headerFaults(response.headers, headers));
      if (body !== undefined) {
        const where = ["responses", String(status), ...SCHEMA];
        const validate = validator("paths", known.template, known.verb, ...where);
        if (!validate(body)) found.push(...say(validate));
      }
      return found;
    },

    /** Examples in the document that its own schemas reject. */
    badExamples(): string[] {
      const bad: string[] = [];
      for (const [template, path] of Object.entries<Loose>(document.paths)) {
        for (const [verb, operation] of Object.entries<Loose>(path)) {
          const places = Object.keys(operation.responses).map((status) => ["responses", status]);
          if (operation.requestBody) places.push(["requestBody"]);
          for (const place of places) {
            const holder = place.reduce((at, step) => at[step], operation).content["application/json"];
            const validate = validator("paths", template, verb, ...place, ...SCHEMA);
            for (const [name, { value }] of Object.entries<Loose>(holder.examples ?? {}))
              if (!validate(value))
                bad.push(`${verb} ${template} ${place.join(" ")} ${name}: ${say(validate)}`);
          }
        }
      }
      return bad;
    },
  };
}
