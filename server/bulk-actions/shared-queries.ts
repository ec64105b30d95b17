// Other modules run these queries in their own transactions. All others are private.
export { endAsUndone, findBulkAction, listUndoable } from "./queries/bulk-actions";
