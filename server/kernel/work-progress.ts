/** Whether an import, a bulk action or the undo of one is under way. */
export const isUnderWay = (state: string) => state === "running" || state === "undoing";

/** How far it is, or its undo: the people, or rows, that are done, of all. */
export type WorkProgress = { done: number; total: number };
