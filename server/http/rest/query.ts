import type { z } from "zod";
import { invalid, malformed } from "../../errors";

/**
 * Reads a query by its schema. Unknown parameters are ignored. A known one given twice counts as both values joined
 * with a comma, which no schema accepts.
 * @throws AppError validation_error (400), its messages by parameter
 */
export function readQuery<T extends z.ZodObject>(schema: T, url: URL): z.output<T> {
  const given: Record<string, string> = Object.create(null);
  for (const name of Object.keys(schema.shape)) {
    const values = url.searchParams.getAll(name);
    if (values.length > 0) given[name] = values.join(",");
  }
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const { message, errors } = invalid(result.error.issues);
  throw malformed(`In the query: ${message}`, { errors });
}
