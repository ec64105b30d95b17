export const maxCallsInRequest = 10;

/** An answer as it arrives. Functions, which a Map has, and bigints don't arrive. */
export type Sendable<T> = T extends bigint | symbol | ((...args: never) => unknown)
  ? never
  : T extends Date
    ? T
    : T extends readonly (infer One)[]
      ? Sendable<One>[]
      : unknown extends T
        ? T
        : { [Key in keyof T]: Sendable<T[Key]> };

/** Marks a date in an answer. A text that begins with it is sent with one more. */
const MARK = "@";

/** Replaces each value by another one, at any depth. Any name of a property stays, even `__proto__`. */
function replaced(value: unknown, replace: (value: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date) return replace(value);
  if (Array.isArray(value)) return value.map((one) => replaced(one, replace));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, replace)]));
}

function marked(value: unknown): unknown {
  if (value instanceof Date) return MARK + value.toISOString();
  return typeof value === "string" && value.startsWith(MARK) ? MARK + value : value;
}

function unmarked(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith(MARK)) return value;
  const text = value.slice(MARK.length);
  return text.startsWith(MARK) ? text : new Date(text);
}

type Sent = { json?: unknown };

/** The wire format of the dashboard's calls. Input is plain JSON, validated by zod. Output also has dates. */
export const transformer = {
  input: {
    serialize: (input: unknown): Sent => ({ json: input }),
    deserialize: (sent: unknown) => (Object(sent) as Sent).json,
  },
  output: {
    serialize: (output: unknown): Sent => ({ json: replaced(output, marked) }),
    deserialize: ({ json }: Sent) => replaced(json, unmarked),
  },
};
