// Without zod, for the browser's worker.

/** The status of new people without one of their own: "list" asks those of whom the list says nothing. */
export const defaultStatusOf = (rule: "list" | "pending" | "active") =>
  rule === "active" ? "active" : "pending";
