import { TRPCClientError } from "@trpc/client";

/** What a refusal says: a sentence, and messages by field. */
export type Refusal = { message: string; errors: Record<string, string[]>; fault: string | null };

/** A refusal that reached the page by way of a worker, where the error itself cannot go. */
export class RefusedError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/** Reads whatever a call failed with. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  if (error instanceof TRPCClientError && error.data) {
    const data = error.data as { errors?: Record<string, string[]>; fault?: string };
    return { message: error.message, errors: data.errors ?? {}, fault: data.fault ?? null };
  }
  return {
    message: "Rollcall can't be reached. Nothing was changed; check your connection and try again.",
    errors: {},
    fault: null,
  };
}

/** The first message about a field, if there is one. */
export function messageFor(refusal: Refusal | null, field: string): string | undefined {
  return refusal?.errors[field]?.[0];
}
