/**
 * A problem that the operator has to fix: a folder, a port, a database. Its message says what happened, what is still
 * safe and what to do, so it is printed without a stack.
 */
export class OperatorError extends Error {
  override name = "OperatorError";
}
