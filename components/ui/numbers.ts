import { useFormatter } from "use-intl";

/** Writes whole numbers in the reader's language: 1,204 or 1.204. */
export function useCount(): (n: number) => string {
  const format = useFormatter();
  return (n) => format.number(n);
}
