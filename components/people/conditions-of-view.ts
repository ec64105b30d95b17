import type { Condition, Filter } from "@/server/contract/filter";
import { type Field, readFieldFilter } from "../people/attribute-text";
import { momentsOf, type Span } from "../people/span";
import type { PeopleView } from "../people/view-state";

type Controls = Pick<
  PeopleView,
  "q" | "status" | "source" | "tags" | "fields" | "added" | "confirmed" | "import" | "importPart"
>;

/** In a segment a span of days moves on with time: it begins that many days ago. On the list it begins at a midnight. */
function timeConditions(about: "added" | "confirmed", span: Span | null): Condition[] {
  if (span && "days" in span) return [{ about, test: "within_days", days: span.days }];
  const { from, before } = momentsOf(span);
  return [
    ...(from ? [{ about, test: "after" as const, at: from.toISOString() }] : []),
    ...(before ? [{ about, test: "before" as const, at: before.toISOString() }] : []),
  ];
}

/** The conditions that the list's controls set. */
function conditionsOf(view: Controls, fields: Field[]): Condition[] {
  const { status, source, tags } = view;
  const value = view.q.trim();
  const values = Object.entries(readFieldFilter(view.fields ?? [], fields));
  const isText = (key: string) => fields.find((field) => field.key === key)?.type === "text";
  return [
    ...(value ? [{ about: "search" as const, value }] : []),
    ...(status?.length ? [{ about: "status" as const, is: status }] : []),
    ...(source?.length ? [{ about: "source" as const, is: source }] : []),
    ...(tags?.length ? [{ about: "tag" as const, is: tags }] : []),
    ...values.map(
      ([key, value]): Condition => ({ about: "field", key, test: isText(key) ? "equals" : "is", value }),
    ),
    ...timeConditions("added", view.added),
    ...timeConditions("confirmed", view.confirmed),
    ...(view.import ? [{ about: "import" as const, id: view.import, part: view.importPart ?? "added" }] : []),
  ];
}

/**
 * The list as the filter of a new segment: the same people.
 * @param base the filter that the controls narrow further
 * @returns `isLeftOut` when the controls' conditions can't be added, since the base asks for any of several
 */
export function filterOfView(
  view: Controls,
  fields: Field[],
  base: Filter | null,
): { filter: Filter | null; isLeftOut: boolean } {
  const added = conditionsOf(view, fields);
  if (added.length === 0) return { filter: base, isLeftOut: false };
  const { match, conditions, not } = base ?? { match: "all", conditions: [], not: [] };
  if (match === "any" && conditions.length > 1) return { filter: base, isLeftOut: true };
  return { filter: { match: "all", conditions: [...conditions, ...added], not }, isLeftOut: false };
}
