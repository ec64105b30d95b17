"use client";
import {
  createParser,
  type inferParserType,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { useMemo } from "react";
import type { Filter } from "@/server/subscribers/schema/filter";
import { importParts, peopleOrders } from "@/server/subscribers/schema/people-list";
import { useSegments } from "../segments/use-segments";
import { parseAsId } from "../ui/parse-as-id";
import type { Field } from "./attribute-text";
import { conditionsOf } from "./conditions-of-view";
import { choiceNames, choiceParsers } from "./person-fields";
import { parseAsSpan } from "./span";
import { useColumns } from "./use-columns";

/** Conditions that are not saved, which the server checks. */
const parseAsFilter = createParser<Filter>({
  parse(text) {
    try {
      const filter: unknown = JSON.parse(text);
      return typeof filter === "object" ? (filter as Filter | null) : null;
    } catch {
      return null;
    }
  },
  serialize: (filter) => JSON.stringify(filter),
  eq: (a, b) => JSON.stringify(a) === JSON.stringify(b),
});

const parsers = {
  q: parseAsString.withDefault(""),
  ...choiceParsers,
  /** Any of these tags; and all of these values of fields, each as "key:value". */
  tags: parseAsArrayOf(parseAsString),
  fields: parseAsArrayOf(parseAsString),
  added: parseAsSpan,
  confirmed: parseAsSpan,
  /** One import's people: those it added, or those it found on the list. */
  import: parseAsId,
  importPart: parseAsStringLiteral(importParts),
  /** A saved segment, and conditions in place of its own that are not saved. */
  segment: parseAsId,
  unsaved: parseAsFilter,
  /** Absent: the segment's, or else the newest first. */
  sort: parseAsStringLiteral(peopleOrders),
  /** Other than the segment's, or of a link from when they were in the address; they win over what the browser remembers. */
  columns: parseAsArrayOf(parseAsString),
  /** The cursor the page begins after or ends before, and the page's number, for the count of its rows. */
  after: parseAsId,
  before: parseAsId,
  page: parseAsInteger.withDefault(1),
  person: parseAsId,
  /** The person's form is open. */
  edit: parseAsBoolean.withDefault(false),
  add: parseAsBoolean.withDefault(false),
};

export const PAGE_SIZE = 100;
/** Links from when conditions had groups still name people: the server says that it can't read them. */
const urlKeys = { unsaved: "groups" } as const;
const FIRST_PAGE = { after: null, before: null, page: null } as const;

const filterNames = [
  "q",
  ...choiceNames,
  "tags",
  "fields",
  "added",
  "confirmed",
  "import",
  "importPart",
  "segment",
  "unsaved",
] as const;
type FilterName = (typeof filterNames)[number];
const noFilter = Object.fromEntries(filterNames.map((name) => [name, null])) as Record<FilterName, null>;
/** As the segment has them. */
const NO_LOOK = { sort: null, columns: null } as const;

type View = inferParserType<typeof parsers>;

/** Which people the list shows, as the server takes it; fields' values need the fields' types. */
function filterOf(view: Pick<View, FilterName>, fields: Field[]) {
  const { segment, unsaved } = view;
  const conditions = conditionsOf(view, fields);
  const controls: Filter[] = conditions.length > 0 ? [{ match: "all", conditions, not: [] }] : [];
  return unsaved ? { filters: [...controls, unsaved] } : { filters: controls, ...(segment && { segment }) };
}

/** What the list shows; all of it is in the address. */
export function usePeopleView() {
  const [view, setView] = useQueryStates(parsers, { history: "replace", shallow: true, urlKeys });
  const segments = useSegments();
  const saved = segments.find(({ id }) => id === view.segment) ?? null;
  const columns = useColumns(view.columns ?? saved?.columns ?? null);
  const ownOrder = saved?.order ?? "newest";
  const sort = view.sort ?? ownOrder;
  const { after, before } = view;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only these parts of the view are in a filter
  const filter = useMemo(
    () => filterOf(view, columns.fields),
    [...filterNames.map((name) => view[name]), columns.fields],
  );
  const from = after ? { after } : before ? { before } : null;
  return {
    ...view,
    sort,
    /** The segment of the address. */
    saved,
    /** Its conditions are not those that are saved. */
    isChanged: saved !== null && view.unsaved !== null,
    columns: columns.chosen,
    columnsInAddress: view.columns,
    allColumns: columns.all,
    knownFields: columns.fields,
    /** Whether the filter is known: that of a field takes its type. */
    isReady: !view.fields?.length || !columns.isPending,
    filter,
    order: sort,
    from,
    filtered: filter.filters.length > 0 || view.segment !== null,
    /** Filters or sorts: the list begins at its first page, and the person stays open. */
    show: ({ sort: order, ...change }: Partial<Pick<typeof view, FilterName | "sort">>) =>
      setView({
        ...change,
        ...(order !== undefined && { sort: order === ownOrder ? null : order }),
        ...FIRST_PAGE,
      }),
    clear: () => setView({ ...noFilter, ...(view.segment && NO_LOOK), ...FIRST_PAGE }),
    /** Shows conditions that are not saved, null: the saved ones. A new segment has the list's filters in its conditions. */
    showUnsaved: (unsaved: Filter | null, { isNew }: { isNew: boolean }) =>
      setView({ ...(isNew && noFilter), unsaved, ...FIRST_PAGE }),
    showSaved: (segment: string, { isNew }: { isNew: boolean }) =>
      setView({ ...(isNew && noFilter), segment, unsaved: null, ...NO_LOOK, ...FIRST_PAGE }),
    setColumns(names: string[]) {
      if (saved?.columns) return setView({ columns: names });
      columns.remember(names);
      if (view.columns) void setView({ columns: null });
    },
    turn: (to: { after: string } | { before: string } | null, page: number) =>
      setView(
        { after: null, before: null, ...to, page: to === null ? null : page },
        { history: "push", scroll: true },
      ),
    open: (person: string | null) =>
      setView({ person, edit: null }, { history: person && !view.person ? "push" : "replace" }),
    setEditing: (edit: boolean) => setView({ edit: edit || null }),
    setAdding: (add: boolean) => setView({ add: add || null }),
  };
}

export type PeopleView = ReturnType<typeof usePeopleView>;
