import type { Condition, Filter } from "@/server/subscribers/schema/filter";
import type { importParts } from "@/server/subscribers/schema/people-list";
import { type Field, sentValue, typedFilter } from "./attribute-text";
import { momentsOf, type Span } from "./span";

/** The values of the list's controls, in the address format. */
type Controls = {
  q: string;
  status: Extract<Condition, { about: "status" }>["is"];
  source: Extract<Condition, { about: "source" }>["is"];
  tags: string[];
  fields: string[];
  added: Span | null;
  confirmed: Span | null;
  import: string | null;
  importPart: (typeof importParts)[number] | null;
};

/** @param pairs each as "key:value" */
const fieldConditions = (pairs: string[], fields: Field[]): Condition[] =>
  Object.entries(typedFilter(pairs)).map(([key, typed]): Condition => {
    const field = fields.find((one) => one.key === key);
    const value = (field && sentValue(field, typed)) ?? typed;
    return { about: "field", key, test: field?.type === "text" ? "equals" : "is", value };
  });

function timeConditions(about: "added" | "confirmed", span: Span | null, isForSegment: boolean): Condition[] {
  if (isForSegment && span && "days" in span) return [{ about, test: "within_days", days: span.days }];
  const { from, before } = momentsOf(span);
  return [
    ...(from ? [{ about, test: "after" as const, at: from.toISOString() }] : []),
    ...(before ? [{ about, test: "before" as const, at: before.toISOString() }] : []),
  ];
}

/**
 * The conditions that the list's controls set.
 * @param isForSegment makes a span of days relative to now. On the list, the span starts at a fixed midnight.
 */
export function conditionsOf(view: Controls, fields: Field[], isForSegment = false): Condition[] {
  const { status, source, tags } = view;
  const value = view.q.trim();
  return [
    ...(value ? [{ about: "search" as const, value }] : []),
    ...(status.length > 0 ? [{ about: "status" as const, is: status }] : []),
    ...(source.length > 0 ? [{ about: "source" as const, is: source }] : []),
    ...(tags.length > 0 ? [{ about: "tag" as const, is: tags }] : []),
    ...fieldConditions(view.fields, fields),
    ...timeConditions("added", view.added, isForSegment),
    ...timeConditions("confirmed", view.confirmed, isForSegment),
    ...(view.import ? [{ about: "import" as const, id: view.import, part: view.importPart ?? "added" }] : []),
  ];
}

/**
 * The list's controls as the filter of a new segment with the same people.
 * @param base the filter that the controls narrow further
 * @returns `isLeftOut` when the base matches any of several conditions, so the controls' conditions can't be added
 */
export function filterOfView(
  view: Controls,
  fields: Field[],
  base: Filter | null,
): { filter: Filter | null; isLeftOut: boolean } {
  const added = conditionsOf(view, fields, true);
  if (added.length === 0) return { filter: base, isLeftOut: false };
  const { match, conditions, not } = base ?? { match: "all", conditions: [], not: [] };
  if (match === "any" && conditions.length > 1) return { filter: base, isLeftOut: true };
  return { filter: { match: "all", conditions: [...conditions, ...added], not }, isLeftOut: false };
}
