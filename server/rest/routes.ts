import { AppError } from "../kernel/errors";
import { isId } from "../kernel/ids";
import { FieldKey } from "../subscribers/schema/fields";
import type { Operation } from "./schema/operation";
import { type OperationId, operations } from "./schema/operations";

/**
 * `id` is the path's parameter: an id, or the key of a field. `address` is the email address in place of a
 * subscriber's id; null: none.
 */
export type Route = { operationId: OperationId; operation: Operation; id: string; address: string | null };

type Verbs = Partial<Record<string, OperationId>>;

const paths = new Map<string, Verbs>();
for (const [operationId, { path, method }] of Object.entries(operations))
  paths.set(path, { ...paths.get(path), [method]: operationId as OperationId });

/** Returns the email address in a segment; null: it has none. Only subscribers' paths accept one. */
function addressIn(pathname: string, segment: string): string | null {
  if (!/@|%40/i.test(segment) || !pathname.startsWith("/api/v1/subscribers/")) return null;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** Finds a path's operations: first the exact path, then with its last or last but one segment as the parameter. */
function findVerbs(pathname: string): { verbs: Verbs; id: string; address: string | null } | undefined {
  const exact = paths.get(pathname);
  if (exact) return { verbs: exact, id: "", address: null };
  const segments = pathname.split("/");
  for (const at of [-1, -2]) {
    const segment = segments.at(at) ?? "";
    const address = addressIn(pathname, segment);
    // PostgreSQL would reject an id that is no UUID with a syntax error.
    const name =
      isId(segment) || address !== null ? "{id}" : FieldKey.safeParse(segment).success ? "{key}" : null;
    const verbs = name && paths.get(segments.with(at, name).join("/"));
    if (verbs) return { verbs, id: segment.toLowerCase(), address };
  }
}

const nothingHere = () => new AppError("not_found", "Unknown path. See /docs for the paths of the API.");

const operationOf = (operationId: OperationId): Operation => operations[operationId];

/** The methods that answer as an operation does. HEAD answers as GET, without a body (RFC 9110, 9.3.2). */
function methodsOf(operationId: OperationId): string[] {
  const { method, isPartial } = operationOf(operationId);
  if (method === "GET") return ["GET", "HEAD"];
  return isPartial ? [method, "PATCH"] : [method];
}

/**
 * A slash at the end makes no other path.
 * @throws AppError not_found for an unknown path, method_not_allowed with the path's methods
 */
export function findRoute(pathname: string, method: string): Route {
  const found = findVerbs(pathname.endsWith("/") ? pathname.slice(0, -1) : pathname);
  if (!found || pathname.includes("{")) throw nothingHere();
  const { verbs, id, address } = found;
  const ids = Object.values(verbs) as OperationId[];
  const operationId = ids.find((one) => methodsOf(one).includes(method));
  if (operationId) return { operationId, operation: operationOf(operationId), id, address };
  const allow = ids.flatMap(methodsOf).join(", ");
  throw new AppError("method_not_allowed", `This path supports ${allow} only.`, {
    headers: { Allow: allow },
  });
}
