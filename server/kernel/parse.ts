import type { z } from "zod";
import { invalid } from "./errors";

/** Validates an adapter's input. @throws AppError validation_error with messages by field */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(result.error.issues);
  return result.data;
}
