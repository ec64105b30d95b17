/** What a generated client was answered. */
export type Calls = {
  /** Read from the answers by their types alone. */
  facts: {
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
