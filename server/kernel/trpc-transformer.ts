import SuperJSON from "superjson";

/** How many of the dashboard's calls one request carries. */
export const maxCallsInRequest = 10;

type FieldValue = string | number | boolean;

class FieldValues {}

/** Marks values of fields by key: they travel as entries, because superjson refuses a key such as `constructor`. */
export const fieldValues = (values: Record<string, FieldValue>): Record<string, FieldValue> =>
  Object.setPrototypeOf(values, FieldValues.prototype);

const superjson = new SuperJSON();
superjson.registerCustom<FieldValues, [string, FieldValue][]>(
  {
    isApplicable: (value): value is FieldValues => value instanceof FieldValues,
    serialize: Object.entries,
    deserialize: Object.fromEntries,
  },
  "fields",
);

/**
 * How the dashboard's calls travel. Input is plain JSON, which zod sees first: superjson would carry out what a
 * stranger's annotations ask for, such as an array of any length. Output keeps its dates.
 */
export const transformer = {
  input: {
    serialize: (input: unknown) => ({ json: input }),
    deserialize: (sent: { json?: unknown }) => sent.json,
  },
  output: superjson,
};
