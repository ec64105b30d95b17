import type { LiveKey, Principal } from "../api-keys/api-key-cache";
import type { AppContext } from "../app";
import { readJsonBody } from "../platform/http/request-body";
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
export type KeyContext = Pick<RestContext, "app" | "url"> & { key: LiveKey };

export const newsletterOf = ({ principal }: RestContext) => ({
  newsletterId: principal.newsletterId,
  accountId: principal.accountId,
});

/**
 * Reads the body. Names members that the operation doesn't know in the Ignored-Fields header.
 * @throws AppError as `readJsonBody`
 */
export async function readBody({ request, operation, headers }: RestContext) {
  const body = await readJsonBody(request);
  const ignored = operation.body ? ignoredFields(operation.body, body.value) : null;
  Object.assign(headers, ignoredFieldsHeader(ignored));
  return body;
}
