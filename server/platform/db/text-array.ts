const QUOTED = /["\\]/;
const QUOTED_ALL = /["\\]/g;

/**
 * Formats a text[] in PostgreSQL's syntax. One string passes through Prisma and the driver unchanged. Both would walk
 * and escape an array element by element, which cost a bulk of 100 more than its validation.
 */
export function textArray(values: (string | null)[]): string {
  let text = "{";
  for (const value of values) {
    if (text.length > 1) text += ",";
    text += value === null ? "NULL" : `"${QUOTED.test(value) ? value.replace(QUOTED_ALL, "\\$&") : value}"`;
  }
  return `${text}}`;
}
