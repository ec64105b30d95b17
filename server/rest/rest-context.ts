import type { Principal } from "../api-keys/api-key-cache";
import type { AppContext } from "../app";
import { readJsonBody } from "../platform/http/request-body";
import type { Ctx } from "../subscribers/context";
import { ignoredFields } from "./ignored-fields";
import type { Operation } from "./schema/operation";

/** One request whose key has been admitted. `id` is the path's parameter, where it has one. */
export type RestContext = {
  app: AppContext;
  request: Request;
  operation: Operation;
  /** Headers that its answer has in any case, also when it is an error. */
  headers: Record<string, string>;
  url: URL;
  id: string;
  ctx: Ctx;
  principal: Principal;
};

export const newsletterOf = ({ principal }: RestContext) => ({
  id: principal.newsletterId,
  accountId: principal.accountId,
});

/** The body; members of it that nothing reads are named in the answer. @throws AppError as `readJsonBody` */
export async function readBody({ request, operation, headers }: RestContext) {
  const body = await readJsonBody(request);
  const ignored = operation.body ? ignoredFields(operation.body, body.value) : null;
  if (ignored !== null) headers["Ignored-Fields"] = ignored;
  return body;
}
