import superjson from "superjson";

/** How many of the dashboard's calls one request carries. */
export const maxCallsInRequest = 10;

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
