// The queries that other modules run in their own transactions. All others are private.
export { endAsUndone, findBulkAction, listUndoable } from "./queries/bulk-actions";
