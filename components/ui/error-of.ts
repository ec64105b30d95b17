import { TRPCClientError } from "@trpc/client";
import { fromServer } from "../texts/server-sentences";

/** Why a call failed: a sentence, messages by field, and the error code. */
export type Rejection = { message: string; errors: Record<string, string[]>; code: string | null };

/** A rejection that came from a worker: an error itself cannot be posted from there. */
export class RejectedError extends Error {
  constructor(readonly rejection: Rejection) {
    super(rejection.message);
  }
}

/** Reads whatever a call failed with. */
export function rejectionOf(error: unknown): Rejection {
  if (error instanceof RejectedError) return error.rejection;
  if (error instanceof TRPCClientError && error.data) {
    const data = error.data as { errors?: Record<string, string[]>; code?: string };
    const errors = Object.entries(data.errors ?? {}).map(([field, messages]) => [
      field,
      messages.map(fromServer),
    ]);
    return {
      message: fromServer(error.message),
      errors: Object.fromEntries(errors),
      code: data.code ?? null,
    };
  }
  return {
    // An answer that never came says nothing of what was done.
    message: fromServer(
      "Rollcall can't be reached. Check your connection, and check whether your change was saved before you try again.",
    ),
    errors: {},
    code: null,
  };
}

/** The first message about a field, if there is one. */
export function messageFor(rejection: Rejection | null, field: string): string | undefined {
  return rejection?.errors[field]?.[0];
}
