import type { Condition, SegmentGroups } from "@/server/contract/segments";
import { type Field, readFieldFilter } from "../people/attribute-text";
import { momentsOf, type Span } from "../people/span";
import type { PeopleView } from "../people/view-state";

/** A search of fewer letters looks at the beginnings of words. */
const SHORT_SEARCH = 3;

type Filters = Pick<
  PeopleView,
  "q" | "status" | "source" | "tags" | "fields" | "added" | "confirmed" | "import" | "importPart"
>;

/** A span of some days goes on with time: it begins so many days ago, while the list's begins with a midnight. */
function timeConditions(about: "added" | "confirmed", span: Span | null): Condition[] {
  if (span && "days" in span) return [{ about, test: "within_days", days: span.days }];
  const { from, before } = momentsOf(span);
  return [
    ...(from ? [{ about, test: "after" as const, at: from.toISOString() }] : []),
    ...(before ? [{ about, test: "before" as const, at: before.toISOString() }] : []),
  ];
}

/**
 * What narrows the list, as a segment's groups: they mean the same people. Only a field's text is compared in any case
 * there, and a search of one or two letters (`isCut`) becomes the beginning of the address or of the whole name.
 */
export function groupsOfView(
  view: Filters,
  fields: Field[],
  base: SegmentGroups,
): { groups: SegmentGroups; isCut: boolean } {
  const { status, source, tags } = view;
  const values = Object.entries(readFieldFilter(view.fields ?? [], fields));
  const conditions: Condition[] = [
    ...(status?.length ? [{ about: "status" as const, is: status }] : []),
    ...(source?.length ? [{ about: "source" as const, is: source }] : []),
    ...(tags?.length ? [{ about: "tag" as const, is: tags }] : []),
    ...values.map(([key, value]): Condition => ({ about: "field", key, test: "is", value })),
    ...timeConditions("added", view.added),
    ...timeConditions("confirmed", view.confirmed),
    ...(view.import ? [{ about: "import" as const, id: view.import, part: view.importPart ?? "added" }] : []),
  ];
  const value = view.q.trim();
  const isCut = value !== "" && Array.from(value).length < SHORT_SEARCH;
  const test = isCut ? "starts_with" : "contains";
  const groups: SegmentGroups = [...base];
  if (conditions.length > 0) groups.push({ match: "all", conditions });
  if (value !== "") {
    const texts: Condition[] = [
      { about: "email", test, value },
      { about: "name", test, value },
    ];
    groups.push({ match: "any", conditions: texts });
  }
  return { groups, isCut };
}
