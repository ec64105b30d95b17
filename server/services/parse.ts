import type { z } from "zod";
import { AppError } from "../errors";

/** What the schema found wrong, as an error with its messages by field. */
export function invalidInput(error: z.ZodError): AppError {
  const errors: Record<string, string[]> = Object.create(null);
  for (const issue of error.issues) {
    const field = issue.path.findLast((part) => typeof part === "string") ?? "body";
    errors[field] ??= [];
    errors[field].push(issue.message);
  }
  return new AppError("validation_error", Object.values(errors).flat().join(" "), { errors });
}

/** Validates an adapter's input. @throws AppError validation_error, its messages by field */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidInput(result.error);
  return result.data;
}
