import { fromServer } from "../texts/server-sentences";
import { leaveIfSignedOut } from "../trpc";
import { RejectedError, type Rejection } from "../ui/error-of";

/**
 * The error that the worker met: an error of its own would lose what it carries, so it sends a plain rejection. A worker
 * has no language: it sends the server's sentences as they are.
 */
export function workerError(thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new RejectedError(translated(thrown as Rejection));
  leaveIfSignedOut(error);
  return error;
}

function translated({ message, errors, code }: Rejection): Rejection {
  const fields = Object.entries(errors).map(([field, messages]) => [field, messages.map(fromServer)]);
  return { message: fromServer(message), errors: Object.fromEntries(fields), code };
}
