/** What a generated client read from its answers, by their types alone. */
export type Facts = {
  /** Whether a dry run said so. */
  valid: boolean;
  id: string;
  tags: string[];
  skipped: number | undefined;
  total: number;
  name: string;
  status: string;
};

/** What a create answers: only a dry run answers otherwise. */
export function madeOf<T extends object>(data: T): Exclude<T, { valid: true }> {
  if ("valid" in data) throw new Error("This was a dry run.");
  return data as Exclude<T, { valid: true }>;
}
