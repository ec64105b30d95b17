/**
 * Something that the person who runs Rollcall has to fix: a folder, a port, a database. Its message is
 * complete (what happened, what is still safe, what to do), so it is printed without a stack.
 */
export class OperatorError extends Error {
  override name = "OperatorError";
}
