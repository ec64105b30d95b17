import { maxMessageNumber } from "../events/schema/webhook-records";
import { AppError } from "../kernel/errors";
import { isId } from "../kernel/ids";
import { FieldKey } from "../subscribers/schema/fields";
import { isInNewsletter, type Operation } from "./schema/operation";
import { type OperationId, operations } from "./schema/operations";

/**
 * `id` is the path's first parameter: an id, the key of a field, or the name of a tag as the path encodes it. `number` is its second; 0 without one. `address` is
 * the email address in place of a subscriber's id; null: none. `named` is the newsletter that the path names; null: none.
 */
export type Route = {
  operationId: OperationId;
  operation: Operation;
  id: string;
  number: number;
  address: string | null;
  named: string | null;
};

/** Returns null for a text that is not URL-encoded UTF-8. */
function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** The values that each parameter accepts. PostgreSQL would reject another id or number with an error. */
const parameters: Record<string, (segment: string) => boolean> = {
  "{id}": isId,
  "{key}": (segment) => FieldKey.safeParse(segment).success,
  "{name}": (segment) => segment !== "" && decoded(segment) !== null,
  "{number}": (segment) => /^[1-9]\d{0,9}$/.test(segment) && Number(segment) <= maxMessageNumber,
};

/** The operations of each path, and its parts. */
const paths = new Map<string, { segments: string[]; ids: OperationId[] }>();
for (const [operationId, { path }] of Object.entries(operations)) {
  const ids = [...(paths.get(path)?.ids ?? []), operationId as OperationId];
  paths.set(path, { segments: path.split("/"), ids });
}

/** Returns the email address in a subscriber's path; null: the segment is none. */
function addressIn(pathname: string, segment: string): string | null {
  if (!/@|%40/i.test(segment) || !pathname.startsWith("/api/v1/subscribers/")) return null;
  return decoded(segment);
}

/** Finds the operations of a path, and the values of its parameters. */
function findPath(pathname: string): { ids: OperationId[]; values: string[] } | undefined {
  const given = pathname.split("/");
  for (const { segments, ids } of paths.values()) {
    if (segments.length !== given.length) continue;
    const fits = segments.every((segment, i) => {
      const value = given[i] as string;
      const accepts = parameters[segment];
      if (!accepts) return segment === value;
      return accepts(value) || (segment === "{id}" && addressIn(pathname, value) !== null);
    });
    if (fits) return { ids, values: given.filter((_, i) => parameters[segments[i] as string]) };
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

const OF_NEWSLETTER = /^\/api\/v1\/newsletters\/([^/]+)(?=\/)/;

/** Takes the newsletter out of the path: `/api/v1/newsletters/{id}/x` means `/api/v1/x` of that newsletter. */
function withoutNewsletter(pathname: string): { pathname: string; named: string | null } {
  const [start, id] = OF_NEWSLETTER.exec(pathname) ?? [];
  if (start === undefined || id === undefined || !isId(id)) return { pathname, named: null };
  return { pathname: `/api/v1${pathname.slice(start.length)}`, named: id.toLowerCase() };
}

/**
 * A slash at the end makes no other path.
 * @throws AppError not_found for an unknown path, method_not_allowed with the path's methods
 */
export function findRoute(given: string, method: string): Route {
  const { pathname, named } = withoutNewsletter(given.endsWith("/") ? given.slice(0, -1) : given);
  const found = findPath(pathname);
  if (!found) throw nothingHere();
  const { ids, values } = found;
  const [id = "", number = "0"] = values;
  if (named && ids.some((one) => !isInNewsletter(operationOf(one)))) throw nothingHere();
  const operationId = ids.find((one) => methodsOf(one).includes(method));
  if (operationId)
    return {
      operationId,
      operation: operationOf(operationId),
      id: id.toLowerCase(),
      number: Number(number),
      address: addressIn(pathname, id),
      named,
    };
  const allow = ids.flatMap(methodsOf).join(", ");
  throw new AppError("method_not_allowed", `This path supports ${allow} only.`, {
    headers: { Allow: allow },
  });
}
