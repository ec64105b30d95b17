import type { z } from "zod";
import { AppError } from "../errors";

/** Validates what an adapter handed in. @throws AppError validation_error, its messages by field */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors: Record<string, string[]> = Object.create(null);
  for (const issue of result.error.issues) {
    const field = typeof issue.path[0] === "string" ? issue.path[0] : "body";
    errors[field] ??= [];
    errors[field]?.push(issue.message);
  }
  throw new AppError("validation_error", Object.values(errors).flat().join(" "), { errors });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether this can be an id at all: the database throws at anything else. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
