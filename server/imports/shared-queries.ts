// Other modules run these queries in their own transactions. All others are private.
export { listPendingNames } from "./queries/import-rows";
export { endOutdated, findImport, noteWritten } from "./queries/imports";
