import SuperJSON from "superjson";

export const maxCallsInRequest = 10;

type FieldValue = string | number | boolean;

class FieldValues {}

/** Marks field values by key. They travel as entries, because superjson refuses keys such as `constructor`. */
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
 * The wire format of the dashboard's calls. Input is plain JSON, validated by zod. superjson would follow annotations
 * in a stranger's input, such as an array of any length. Output keeps its dates.
 */
export const transformer = {
  input: {
    serialize: (input: unknown) => ({ json: input }),
    deserialize: (sent: { json?: unknown }) => sent.json,
  },
  output: superjson,
};
