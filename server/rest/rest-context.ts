import type { LiveKey, Principal } from "../api-keys/api-key-cache";
import type { AppContext } from "../app";
import { parseJsonBody, readJsonBytes } from "../platform/http/request-body";
import type { Ctx } from "../subscribers/context";
import { ignoredFields } from "./ignored-fields";
import { ignoredFieldsHeader } from "./response-headers";
import type { Operation } from "./schema/operation";

/** A request with an accepted key. `id` and `number` are the path's parameters, as in `Route`. */
export type RestContext = {
  app: AppContext;
  request: Request;
  operation: Operation;
  /** Headers of every answer to the request, including errors. */
  headers: Record<string, string>;
  url: URL;
  id: string;
  number: number;
  ctx: Ctx;
  principal: Principal;
};

/** A request of an operation that is about the key. */
export type KeyContext = Pick<RestContext, "app"> & { key: LiveKey };

export const newsletterOf = ({ principal }: RestContext) => ({
  newsletterId: principal.newsletterId,
  accountId: principal.accountId,
});

/** Reads the body. @throws AppError as `readJsonBytes` and `parseBody` */
export async function readBody(context: RestContext) {
  return parseBody(context, await readJsonBytes(context.request));
}

/**
 * Parses the body. Names members that the operation doesn't know in the Ignored-Fields header.
 * @throws AppError as `parseJsonBody`
 */
export function parseBody({ request, operation, headers }: RestContext, bytes: Uint8Array) {
  const value = parseJsonBody(request, bytes);
  const ignored = operation.body ? ignoredFields(operation.body, value) : null;
  Object.assign(headers, ignoredFieldsHeader(ignored));
  return value;
}
