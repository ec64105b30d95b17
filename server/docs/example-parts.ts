import type { z } from "zod";

export type Json = { [key: string]: unknown };
/** A sample request and its answers by status. */
export type OperationExample = { body?: Json; answers: Record<string, Json> };

/** Makes a sample record from the examples of its fields. */
export const exampleOf = ({ shape }: z.ZodObject): Json =>
  Object.fromEntries(
    Object.entries<z.ZodType>(shape).map(([name, field]) => [
      name,
      (field.meta()?.examples as unknown[] | undefined)?.[0],
    ]),
  );

/** Makes one example answer, under the name that the reference shows above it. */
export const answer = (name: string, data: unknown, more: Json = {}) => ({
  [name]: { value: { success: true, data, ...more } },
});
