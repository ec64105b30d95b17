import type { z } from "zod";
import type { Permission } from "../../api-keys/schema/permissions";
import type { RestCode } from "../../kernel/error-codes";

/** The rate limits of a key. */
export type KeyPolicy = "read" | "write" | "bulk" | "stream" | "me";

type Success = { status: 200 | 201 | 202; data: z.ZodType; pagination?: z.ZodType; when?: string };

/** The formats in which an operation can stream its whole result, with their media types. */
export const streamTypes = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;
export type StreamFormat = keyof typeof streamTypes;

/**
 * One method on one path: its input and its answers. Routes, the OpenAPI document and the manual derive from
 * operations.
 */
export type Operation = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** `{id}`, `{key}`, `{name}` and `{number}` stand for one path segment. */
  path: string;
  summary: string;
  description: string;
  /** The permission that the key needs; null: any live key; "none": no key. */
  permission: Permission | null | "none";
  /** With this value of a query parameter, the key needs this permission instead. */
  permissionWith?: { parameter: string; value: string; permission: Permission };
  /** The rate limit that counts the operation; null: none. Default: read for GET, write otherwise. */
  policy?: KeyPolicy | null;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The media types of the body besides JSON. */
  bodyTypes?: readonly string[];
  idempotent?: true;
  /** The operation is about the key. Its path names no newsletter, so it works with every key. */
  isAboutKey?: true;
  /** Of a PUT that keeps the members that are left out: PATCH does the same. */
  isPartial?: true;
  /** Can queue confirmation emails, and tells in a header what happens to them. */
  queuesConfirmations?: true;
  /** The answer has a secret, so the answer that is kept for an Idempotency-Key is encrypted. */
  hasSecret?: true;
  answers: Success[];
  /** The request header Accept can ask for the whole result as a stream. */
  streams?: true;
  /** The error codes that do not follow from the other members; see `rejectsOf`. */
  rejects?: RestCode[];
};

/** Whether the operation acts in one newsletter, which `/api/v1/newsletters/{id}` in its path can name. */
export const isInNewsletter = ({ isAboutKey, permission }: Operation) => !isAboutKey && permission !== "none";

/** Returns the rate limit that counts an operation; null: none. HEAD counts as GET. */
export function policyOf({
  method,
  policy,
}: {
  method: string;
  policy?: KeyPolicy | null;
}): KeyPolicy | null {
  if (policy !== undefined) return policy;
  return method === "GET" || method === "HEAD" ? "read" : "write";
}

/** Returns the error codes beyond those of every operation. */
export const rejectsOf = ({ path, body, idempotent, rejects = [] }: Operation): RestCode[] => [
  ...(body ? (["unsupported_media_type", "payload_too_large", "validation_error"] as const) : []),
  ...(path.includes("{") ? (["not_found"] as const) : []),
  ...rejects,
  ...(idempotent ? (["idempotency_conflict", "idempotency_key_reused"] as const) : []),
];
