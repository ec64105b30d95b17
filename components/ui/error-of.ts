import { TRPCClientError } from "@trpc/client";
import { fromServer } from "../texts/server-sentences";

/** Why a call failed: a sentence, messages by field, and the error code. */
export type Rejection = { message: string; errors: Record<string, string[]>; code: string | null };

/** A rejection from a worker. A worker can't post an Error without losing its properties. */
export class RejectedError extends Error {
  constructor(readonly rejection: Rejection) {
    super(rejection.message);
  }
}

/** A rejection as a whole, without messages by field. */
export const rejected = (message: string, code: string | null = null) =>
  new RejectedError({ message, errors: {}, code });

/** Converts any error of a call to a rejection. */
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
    // Without an answer, the result of the call is unknown.
    message: fromServer(
      "Rollcall can't be reached. Check your connection, and check whether your change was saved before you try again.",
    ),
    errors: {},
    code: null,
  };
}

/** The unreachable part: all of Rollcall, or its database. Null: no outage. */
export type Outage = "rollcall" | "database" | null;

const causes: Record<string, Outage> = { "": "rollcall", service_unavailable: "database" };

/** The outage behind an error; null for an error that a retry would repeat. */
export const outageOf = (error: unknown): Outage => causes[rejectionOf(error).code ?? ""] ?? null;

/** Another person changed or deleted the record since it was read. */
export function isConflictError(error: unknown): boolean {
  const rejection = rejectionOf(error);
  return rejection.code === "not_found" || messageFor(rejection, "version") !== undefined;
}

/** The first message about a field, if there is one. */
export function messageFor(rejection: Rejection | null, field: string): string | undefined {
  return rejection?.errors[field]?.[0];
}
