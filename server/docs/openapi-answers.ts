import { malformedStatus, type RestCode, restStatuses } from "../kernel/error-codes";
import { type Operation, rejectsOf } from "../rest/schema/operation";
import type { Json } from "./example-parts";
import { meaningOf } from "./manual";

export const json = (schema: Json, examples?: Json): Json => ({
  "application/json": { schema, examples },
});

/** `required`: the header is on every answer that lists it. Rate limit headers are absent when rate limits are off. */
const header = (type: "string" | "integer", description: string, required = false): Json => ({
  description,
  schema: { type },
  ...(required && { required }),
});

export const answerHeaders: Json = {
  "X-Request-Id": header(
    "string",
    "Identifies this response in the server's log. Your own id is used if it has 1 to 128 of [A-Za-z0-9._-].",
    true,
  ),
  "RateLimit-Policy": header("string", "The key's limits by window: q requests in w seconds."),
  RateLimit: header("string", "Requests left in each window (r) and seconds until it resets (t)."),
  "X-RateLimit-Limit": header("integer", "The quota of the tightest window."),
  "X-RateLimit-Remaining": header("integer", "Requests left in the tightest window."),
  "X-RateLimit-Reset": header("integer", "When the tightest window resets, in Unix seconds."),
  "Retry-After": header("integer", "Seconds to wait before a retry.", true),
  Allow: header("string", "The methods of the path.", true),
  "WWW-Authenticate": header("string", "Bearer", true),
  "Idempotency-Replayed": header("string", "true: repeats the first response to this Idempotency-Key."),
  "Ignored-Fields": header(
    "string",
    "Unknown members of the body, which were ignored. Separated by commas and percent-encoded. Absent if there are none.",
  ),
  "Confirmation-Mail": header(
    "string",
    "The state of the confirmation email that this request queued. `queued`: it is sent within seconds. `held; reason=…; until=…`: it is sent later. The reasons are those of the member `confirmation`; without `until`, the time is not known. Bulk requests count: `queued=98, held=2`. Absent if the request queued no email, and on idempotent repeats.",
  ),
  "Related-Opt-Out": header(
    "integer",
    "Number of subscribers added as active although another spelling of the address opted out or is suppressed. Gmail addresses are compared without dots, and addresses without their +tag. Absent if there are none, and on idempotent repeats.",
  ),
};
export const quotas = Object.keys(answerHeaders).filter((name) => name.includes("RateLimit"));

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
export const refsTo = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, ref("headers", name)]));
const headersOf: Partial<Record<RestCode, string>> = {
  unauthorized: "WWW-Authenticate",
  rate_limit_exceeded: "Retry-After",
  service_unavailable: "Retry-After",
  idempotency_conflict: "Retry-After",
};

/** With these statuses, the body was never read as JSON. */
const unreadStatuses = new Set<number>([401, 403, 413, 415, 429]);

/** The error codes of every operation with a key. */
export const keyedCodes: RestCode[] = [
  "unauthorized",
  "api_access_disabled",
  "rate_limit_exceeded",
  "internal_error",
  "service_unavailable",
];

function codesByStatus(operation: Operation): Map<number, RestCode[]> {
  const { permission } = operation;
  const codes: RestCode[] =
    permission === "none" ? ["internal_error"] : [...rejectsOf(operation), ...keyedCodes];
  if (permission !== null && permission !== "none") codes.push("api_module_access_disabled");
  const found = [
    ...codes.map((code) => ({ code, status: restStatuses[code] as number })),
    { code: "validation_error" as const, status: malformedStatus },
  ];
  const byStatus = new Map<number, RestCode[]>();
  for (const { code, status } of found.sort((a, b) => a.status - b.status))
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  return byStatus;
}

function errorSchema(codes: RestCode[]): Json {
  const messages = { type: "object", additionalProperties: { type: "array", items: { type: "string" } } };
  const retryAfter = {
    type: "object",
    properties: { retry_after: { type: "integer", minimum: 1 } },
    required: ["retry_after"],
  };
  const properties: Json = {
    success: { type: "boolean", const: false },
    code: { type: "string", enum: codes },
    message: { type: "string", description: "For people. Programs should use the code." },
    errors: codes.includes("rate_limit_exceeded")
      ? retryAfter
      : { ...messages, description: "Messages by field." },
    ...(codes.includes("validation_error") && {
      items: { type: "array", items: ref("schemas", "ItemFault") },
    }),
    ...(codes.includes("email_already_subscribed") && { subscriber: ref("schemas", "ExistingSubscriber") }),
    docs: { type: "string", description: "A link to what the code means and what to do." },
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

function errorAnswer(status: number, codes: RestCode[], headerNames: string[]): Json {
  const examples = Object.fromEntries(codes.map((code) => [code, errorExample(code, status)]));
  return {
    description: codes.join(", "),
    headers: refsTo("X-Request-Id", ...headerNames),
    content: json(errorSchema(codes), examples),
  };
}

/**
 * The errors before an operation is found, and the errors for invalid HTTP. Each has this name in the document's
 * components.
 */
const beforeOperation: { name: string; status: number; code: RestCode; headers: string[] }[] = [
  { name: "MethodNotAllowed", status: 405, code: "method_not_allowed", headers: ["Allow", ...quotas] },
  { name: "RequestTimeout", status: 408, code: "validation_error", headers: [] },
  { name: "HeadersTooLarge", status: 431, code: "payload_too_large", headers: [] },
];

export function errorAnswers(operation: Operation): Json {
  const answers = Array.from(codesByStatus(operation), ([status, codes]) => {
    const headers = codes.flatMap((code) => headersOf[code] ?? []);
    // With a valid key every answer has rate limit headers, errors too.
    if (operation.permission !== "none" && status !== 401) headers.push(...quotas);
    if (operation.idempotent && codes.includes("email_already_subscribed"))
      headers.push("Idempotency-Replayed");
    if (operation.body && !unreadStatuses.has(status)) headers.push("Ignored-Fields");
    return [status, errorAnswer(status, codes, headers)];
  });
  for (const { name, status } of beforeOperation) answers.push([status, ref("responses", name)]);
  return Object.fromEntries(answers);
}

/** The errors that any path may answer, for the document's components. */
export const sharedErrors: Json = Object.fromEntries(
  beforeOperation.map(({ name, status, code, headers }) => [name, errorAnswer(status, [code], headers)]),
);
