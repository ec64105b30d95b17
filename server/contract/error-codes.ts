// server/contract: what every adapter promises, as zod schemas and tables. Safe in a browser; imports domain only.

/**
 * Every fault the product can answer with: the public code, the HTTP status and tRPC's name for it.
 * The one place where a code meets a status; the types below are derived from it.
 */
export const faults = {
  malformed_request: { code: "validation_error", status: 400, trpc: "BAD_REQUEST" },
  request_timeout: { code: "validation_error", status: 408, trpc: "TIMEOUT" },
  validation_error: { code: "validation_error", status: 422, trpc: "UNPROCESSABLE_CONTENT" },
  email_already_subscribed: { code: "email_already_subscribed", status: 422, trpc: "CONFLICT" },
  unauthorized: { code: "unauthorized", status: 401, trpc: "UNAUTHORIZED" },
  api_access_disabled: { code: "api_access_disabled", status: 403, trpc: "FORBIDDEN" },
  api_module_access_disabled: { code: "api_module_access_disabled", status: 403, trpc: "FORBIDDEN" },
  not_found: { code: "not_found", status: 404, trpc: "NOT_FOUND" },
  method_not_allowed: { code: "method_not_allowed", status: 405, trpc: "METHOD_NOT_SUPPORTED" },
  idempotency_conflict: { code: "idempotency_conflict", status: 409, trpc: "CONFLICT" },
  payload_too_large: { code: "payload_too_large", status: 413, trpc: "PAYLOAD_TOO_LARGE" },
  unsupported_media_type: { code: "unsupported_media_type", status: 415, trpc: "UNSUPPORTED_MEDIA_TYPE" },
  idempotency_key_reused: { code: "idempotency_key_reused", status: 422, trpc: "UNPROCESSABLE_CONTENT" },
  headers_too_large: { code: "payload_too_large", status: 431, trpc: "PAYLOAD_TOO_LARGE" },
  rate_limit_exceeded: { code: "rate_limit_exceeded", status: 429, trpc: "TOO_MANY_REQUESTS" },
  internal_error: { code: "internal_error", status: 500, trpc: "INTERNAL_SERVER_ERROR" },
  service_unavailable: { code: "service_unavailable", status: 503, trpc: "SERVICE_UNAVAILABLE" },
} as const;

export type Fault = keyof typeof faults;
export type ErrorCode = (typeof faults)[Fault]["code"];
