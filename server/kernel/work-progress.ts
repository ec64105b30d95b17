/** Whether an import, a bulk action or its undo is running. */
export const isUnderWay = (state: string) => state === "running" || state === "undoing";

/** Progress of the work or its undo, in people or rows. */
export type WorkProgress = { done: number; total: number };
