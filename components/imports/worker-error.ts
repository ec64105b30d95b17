import { fromServer } from "../texts/server-sentences";
import { leaveIfSignedOut } from "../trpc";
import { RejectedError, type Rejection } from "../ui/error-of";

/**
 * Restores an error from the worker. The worker sends a plain rejection, because an Error loses its extra properties.
 * The worker has no language and sends the server's sentences in English.
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
