/** What a generated client was answered. */
export type Calls = {
  /** Read from the answers by their types alone. */
  facts: {
    /** Whether a dry run said so. */
    valid: boolean;
    id: string;
    tags: string[];
    skipped: number | undefined;
    total: number;
    name: string;
    status: string;
  };
  /** By the names of the operations. */
  answers: Record<string, unknown>;
};

/** What a create answers: only a dry run answers otherwise. */
export function madeOf<T extends object>(data: T): Exclude<T, { valid: true }> {
  if ("valid" in data) throw new Error("This was a dry run.");
  return data as Exclude<T, { valid: true }>;
}
