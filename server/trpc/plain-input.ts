import { malformed } from "../kernel/errors";

/**
 * Reads an input in the format of kernel/trpc-transformer.ts. @throws AppError validation_error (400) for superjson's annotations
 */
export function plainInput(sent: unknown): unknown {
  const { json, meta } = Object(sent) as { json?: unknown; meta?: unknown };
  if (meta === undefined) return json;
  throw malformed("An input is plain JSON, without superjson's annotations. Nothing was changed.");
}
