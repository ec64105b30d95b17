const QUOTED = /["\\]/;
const QUOTED_ALL = /["\\]/g;

/**
 * A text[] as Postgres writes it. One string crosses Prisma and the driver unchanged; an array is walked, wrapped and
 * escaped element by element in both, which cost a bulk of 100 more than validating it.
 */
export function textArray(values: (string | null)[]): string {
  let text = "{";
  for (const value of values) {
    if (text.length > 1) text += ",";
    text += value === null ? "NULL" : `"${QUOTED.test(value) ? value.replace(QUOTED_ALL, "\\$&") : value}"`;
  }
  return `${text}}`;
}
