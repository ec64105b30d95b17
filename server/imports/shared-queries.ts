// The only queries that other modules may run, in their own transactions.
export { listPendingNames } from "./queries/import-rows";
export { endOutdated, findImport, noteWritten } from "./queries/imports";
