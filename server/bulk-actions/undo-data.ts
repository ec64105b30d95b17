// A lower layer than the rest of this module: subscribers call it.
export { deleteUndoData } from "./queries/undo-data";
