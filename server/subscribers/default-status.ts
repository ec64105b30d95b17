// Without zod, for the browser's worker.

/** The status of new people whose list has none. With "list", they become pending. */
export const defaultStatusOf = (rule: "list" | "pending" | "active") =>
  rule === "active" ? "active" : "pending";
