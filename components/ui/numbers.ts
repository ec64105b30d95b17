import { useFormatter } from "use-intl";

const whole = new Intl.NumberFormat("en");

export const count = (n: number) => whole.format(n);

/** "1 person", "1,204 people" */
export const people = (n: number) => `${whole.format(n)} ${n === 1 ? "person" : "people"}`;

/** "1 address", "1,204 addresses" */
export const addresses = (n: number) => `${whole.format(n)} ${n === 1 ? "address" : "addresses"}`;

/** "1 mail", "38 mails"; for nouns that take an s. */
export const counted = (n: number, noun: string) => `${whole.format(n)} ${noun}${n === 1 ? "" : "s"}`;

/** A span in its largest fitting unit: "4 min", "3 hours". */
export function span(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return counted(Math.round(seconds / 3600), "hour");
  return counted(Math.round(seconds / 86_400), "day");
}

/** Writes whole numbers in the reader's language: 1,204 or 1.204. */
export function useCount(): (n: number) => string {
  const format = useFormatter();
  return (n) => format.number(n);
}
