import { TRPCClientError } from "@trpc/client";

/** What a rejection says: a sentence, and messages by field. */
export type Rejection = { message: string; errors: Record<string, string[]>; code: string | null };

/** A rejection that reached the page by way of a worker, where the error itself cannot go. */
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
    return { message: error.message, errors: data.errors ?? {}, code: data.code ?? null };
  }
  return {
    message: "Rollcall can't be reached. Nothing was changed; check your connection and try again.",
    errors: {},
    code: null,
  };
}

/** The first message about a field, if there is one. */
export function messageFor(rejection: Rejection | null, field: string): string | undefined {
  return rejection?.errors[field]?.[0];
}
