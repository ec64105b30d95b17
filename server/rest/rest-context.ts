import type { LiveKey, Principal } from "../api-keys/api-key-cache";
import type { AppContext } from "../app";
import type { Ctx } from "../subscribers/context";
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
