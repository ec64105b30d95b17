"use client";
import {
  type inferParserType,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { useMemo } from "react";

import { importParts, type PeopleOrder, peopleOrders } from "@/server/contract/people-list";
import { parseAsId } from "../ui/parse-as-id";
import { type Field, readFieldFilter } from "./attribute-text";
import { type ChoiceName, choiceNames, choiceParsers } from "./person-fields";
import { momentsOf, parseAsSpan } from "./span";
import { useColumns } from "./use-columns";

export const orderWords: Record<PeopleOrder, string> = {
  newest: "Newest first",
  oldest: "Oldest first",
  email: "Email, A to Z",
  "-email": "Email, Z to A",
  name: "Name, A to Z",
  "-name": "Name, Z to A",
  "-confirmed": "Last confirmed first",
  confirmed: "First confirmed first",
};

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
  sort: parseAsStringLiteral(peopleOrders).withDefault("newest"),
  /** Of a link from when the columns were in the address; it wins over what the browser remembers. */
  columns: parseAsArrayOf(parseAsString),
  /** The cursor the page begins after or ends before, and the page's number, for the count of its rows. */
  after: parseAsId,
  before: parseAsId,
  page: parseAsInteger.withDefault(1),
  person: parseAsId,
  add: parseAsBoolean.withDefault(false),
};

export const PAGE_SIZE = 100;
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
] as const;
type FilterName = (typeof filterNames)[number];
const noFilter = Object.fromEntries(filterNames.map((name) => [name, null])) as Record<FilterName, null>;

type View = inferParserType<typeof parsers>;

/** What narrows the list, as the server takes it; a value of a field by the field's type, once the fields are known. */
function filterOf(view: Pick<View, FilterName>, fields: Field[]) {
  const { tags, q, import: importId, importPart } = view;
  const [added, confirmed] = [momentsOf(view.added), momentsOf(view.confirmed)];
  const chosen = choiceNames.filter((name) => view[name]?.length).map((name) => [name, view[name]]);
  return {
    ...(Object.fromEntries(chosen) as { [Name in ChoiceName]?: NonNullable<View[Name]> }),
    ...(tags?.length && { tags }),
    ...(view.fields?.length && { fields: readFieldFilter(view.fields, fields) }),
    ...(q.trim() && { search: q.trim() }),
    ...(importId && { import: importId, importPart: importPart ?? "added" }),
    ...(added.from && { addedFrom: added.from }),
    ...(added.before && { addedBefore: added.before }),
    ...(confirmed.from && { confirmedFrom: confirmed.from }),
    ...(confirmed.before && { confirmedBefore: confirmed.before }),
  };
}

/** What the list shows; all of it is in the address. */
export function usePeopleView() {
  const [view, setView] = useQueryStates(parsers, { history: "replace", shallow: true });
  const columns = useColumns(view.columns);
  const { sort, after, before } = view;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only these parts of the view are in a filter
  const filter = useMemo(
    () => filterOf(view, columns.fields),
    [...filterNames.map((name) => view[name]), columns.fields],
  );
  const from = after ? { after } : before ? { before } : null;
  return {
    ...view,
    columns: columns.chosen,
    allColumns: columns.all,
    knownFields: columns.fields,
    /** Whether the filter is known: that of a field takes its type. */
    isReady: !view.fields?.length || !columns.isPending,
    filter,
    order: sort,
    from,
    filtered: Object.keys(filter).length > 0,
    /** Filters or sorts: the list begins at its first page, and the person stays open. */
    show: (change: Partial<Pick<typeof view, FilterName | "sort">>) => setView({ ...change, ...FIRST_PAGE }),
    clear: () => setView({ ...noFilter, ...FIRST_PAGE }),
    setColumns(names: string[]) {
      columns.remember(names);
      if (view.columns) void setView({ columns: null });
    },
    turn: (to: { after: string } | { before: string } | null, page: number) =>
      setView(
        { after: null, before: null, ...to, page: to === null ? null : page },
        { history: "push", scroll: true },
      ),
    open: (person: string | null) =>
      setView({ person }, { history: person && !view.person ? "push" : "replace" }),
    setAdding: (add: boolean) => setView({ add: add || null }),
  };
}

export type PeopleView = ReturnType<typeof usePeopleView>;
