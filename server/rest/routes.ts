import { AppError } from "../kernel/errors";
import { isId } from "../kernel/ids";
import { FieldKey } from "../subscribers/schema/fields";
import type { Operation } from "./schema/operation";
import { type OperationId, operations } from "./schema/operations";

/** `id` is the path's parameter: an id, or the key of a field. */
export type Route = { operationId: OperationId; operation: Operation; id: string };

type Verbs = Partial<Record<string, OperationId>>;

const paths = new Map<string, Verbs>();
for (const [operationId, { path, method }] of Object.entries(operations))
  paths.set(path, { ...paths.get(path), [method]: operationId as OperationId });

/** Finds a path's operations: first the exact path, then with its last or last but one segment as the parameter. */
function findVerbs(pathname: string): { verbs: Verbs; id: string | null } | undefined {
  const exact = paths.get(pathname);
  if (exact) return { verbs: exact, id: null };
  const segments = pathname.split("/");
  for (const at of [-1, -2]) {
    const segment = segments.at(at) ?? "";
    // PostgreSQL would reject an id that is no UUID with a syntax error.
    const name = isId(segment) ? "{id}" : FieldKey.safeParse(segment).success ? "{key}" : null;
    const verbs = name && paths.get(segments.with(at, name).join("/"));
    if (verbs) return { verbs, id: segment };
  }
}

const nothingHere = () => new AppError("not_found", "Unknown path. See /docs for the paths of the API.");

/** @throws AppError not_found for an unknown path, method_not_allowed with the path's methods */
export function findRoute(pathname: string, method: string): Route {
  const found = findVerbs(pathname);
  if (!found || pathname.includes("{")) throw nothingHere();
  const { verbs, id } = found;
  // HEAD answers as GET, without a body (RFC 9110, 9.3.2).
  const operationId = verbs[method === "HEAD" ? "GET" : method];
  if (operationId) return { operationId, operation: operations[operationId], id: id?.toLowerCase() ?? "" };
  const allow = Object.keys(verbs)
    .flatMap((verb) => (verb === "GET" ? ["GET", "HEAD"] : [verb]))
    .join(", ");
  throw new AppError("method_not_allowed", `This path supports ${allow} only.`, {
    headers: { Allow: allow },
  });
}
