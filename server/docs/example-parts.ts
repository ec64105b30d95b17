import type { z } from "zod";

export type Json = { [key: string]: unknown };
/** A sample request and its answers by status. */
export type OperationExample = { body?: Json; answers: Record<string, Json> };

/** Makes a sample record from the examples of its fields. It has only the members with an example. */
export const exampleOf = ({ shape }: z.ZodObject): Json =>
  Object.fromEntries(
    Object.entries<z.ZodType>(shape).flatMap(([name, field]) => {
      const [example] = (field.meta()?.examples as unknown[] | undefined) ?? [];
      return example === undefined ? [] : [[name, example]];
    }),
  );

/** Makes one example answer, under the name that the reference shows above it. */
export const answer = (name: string, data: unknown, more: Json = {}) => ({
  [name]: { value: { success: true, data, ...more } },
});
