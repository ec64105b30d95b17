import type { z } from "zod";
import { AppError } from "../../errors";

/**
 * Reads a query by its schema. Unknown parameters are ignored; a known one given twice is a mistake.
 * @throws AppError malformed_request, its messages by parameter
 */
export function readQuery<T extends z.ZodObject>(schema: T, url: URL): z.output<T> {
  const given: Record<string, string> = Object.create(null);
  const errors: Record<string, string[]> = Object.create(null);
  for (const name of Object.keys(schema.shape)) {
    const values = url.searchParams.getAll(name);
    if (values.length > 1) {
      // What is allowed is the schema's to say; no parameter's value may be a line break.
      const allowed = schema.shape[name]?.safeParse("\n").error?.issues[0]?.message ?? "";
      errors[name] = [`${name} is given ${values.length} times; give it once. ${allowed}`.trim()];
    } else if (values[0] !== undefined) {
      given[name] = values[0];
    }
  }
  const result = schema.safeParse(given);
  for (const issue of result.error?.issues ?? []) {
    const name = String(issue.path[0]);
    errors[name] ??= [issue.message];
  }
  const messages = Object.values(errors).flat();
  if (messages.length > 0)
    throw new AppError("malformed_request", `In the query: ${messages.join(" ")}`, { errors });
  return result.data as z.output<T>;
}
