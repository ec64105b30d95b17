import type { z } from "zod";
import type { Permission } from "../../api-keys/schema/permissions";
import type { RestCode } from "../../kernel/error-codes";

type Success = { status: 200 | 201; data: z.ZodType; pagination?: z.ZodType; when?: string };

/** One method on one path: its input and its answers. Routes, OpenAPI document and manual are made from these. */
export type Operation = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** `{id}` and `{key}` stand for one path segment. */
  path: string;
  summary: string;
  description: string;
  /** What the key needs; null: any live key; "none": no key. */
  permission: Permission | null | "none";
  /** Which rate limit counts it; null: none does. */
  policy: "single" | "bulk" | "me" | null;
  query?: z.ZodObject;
  body?: z.ZodType;
  idempotent?: true;
  answers: Success[];
  /** Codes that it answers with beyond those of every operation. */
  rejects: RestCode[];
};

/** What every operation with a body rejects. */
export const bodyCodes: RestCode[] = ["unsupported_media_type", "payload_too_large", "validation_error"];
/** What those that take an Idempotency-Key reject. */
export const idempotencyCodes: RestCode[] = ["idempotency_conflict", "idempotency_key_reused"];
