import { type Operation, type OperationId, operations } from "../../contract/operations";
import { isId } from "../../domain/ids";
import { AppError } from "../../errors";

export type Route = { operationId: OperationId; operation: Operation; id: string };

type Verbs = Partial<Record<string, OperationId>>;

/** Paths without a parameter are looked up; those with one end in it, and are looked up by what stands before it. */
const exact = new Map<string, Verbs>();
const withId = new Map<string, Verbs>();

for (const [operationId, { path, method }] of Object.entries(operations)) {
  const [table, key] = path.endsWith("/{id}") ? [withId, path.slice(0, -"{id}".length)] : [exact, path];
  table.set(key, { ...table.get(key), [method]: operationId as OperationId });
}

const nothingHere = () =>
  new AppError(
    "not_found",
    "There is nothing at this path. The API's paths begin with /api/v1/subscribers; /docs is the manual.",
  );

/** @throws AppError not_found for an unknown path, method_not_allowed with the verbs that the path has */
export function findRoute(pathname: string, method: string): Route {
  let verbs = exact.get(pathname);
  let id = "";
  if (!verbs) {
    const cut = pathname.lastIndexOf("/") + 1;
    verbs = withId.get(pathname.slice(0, cut));
    id = pathname.slice(cut);
    // The database would reject a text that is no UUID as a syntax error.
    if (!verbs || !isId(id)) throw nothingHere();
  }
  // HEAD asks what GET would answer, without the body (RFC 9110, 9.3.2).
  const operationId = verbs[method === "HEAD" ? "GET" : method];
  if (operationId) return { operationId, operation: operations[operationId], id: id.toLowerCase() };
  const allow = Object.keys(verbs)
    .flatMap((verb) => (verb === "GET" ? ["GET", "HEAD"] : [verb]))
    .join(", ");
  throw new AppError("method_not_allowed", `This path answers ${allow} only.`, { headers: { Allow: allow } });
}
