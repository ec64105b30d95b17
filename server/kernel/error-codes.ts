/** All error codes of the REST API with their statuses. No other file maps a code to a status. */
export const restStatuses = {
  validation_error: 422,
  email_already_subscribed: 422,
  email_suppressed: 422,
  unauthorized: 401,
  api_access_disabled: 403,
  api_module_access_disabled: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limit_exceeded: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const;
export type RestCode = keyof typeof restStatuses;

/**
 * Adds the dashboard's own codes. `forbidden`: the staff member's role does not allow the action. `sign_in_again`: the
 * action needs a recent sign-in. `second_factor_missing`: the account requires one.
 */
export const errorStatuses = {
  ...restStatuses,
  forbidden: 403,
  sign_in_again: 403,
  second_factor_missing: 403,
} as const;
export type ErrorCode = keyof typeof errorStatuses;

/** The status of a `validation_error` for unreadable input: a body that is not JSON, or a bad query parameter. */
export const malformedStatus = 400;
