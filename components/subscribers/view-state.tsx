import { useLocalStorage } from "@mantine/hooks";
import {
  type inferParserType,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsInteger,
  parseAsJson,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { type ReactNode, useMemo } from "react";
import { useTranslations } from "use-intl";
import { linkedBulkKinds } from "@/server/bulk-actions/schema/bulk-actions";
import type { Filter } from "@/server/subscribers/schema/filter";
import { importParts, peopleOrders, sources } from "@/server/subscribers/schema/people-list";
import { statuses } from "@/server/subscribers/status-moves";
import { useSegments } from "../segments/use-segments";
import { useViewer } from "../shell/viewer";
import { parseAsId } from "../ui/parse-as-id";
import { type Field, TagList, useFields, useValueText } from "./attribute-text";
import { conditionsOf } from "./conditions-of-view";
import { columns, defaultColumns, type Person, useShowField } from "./person-fields";
import { parseAsSpan } from "./span";

/** Parses unsaved conditions. The server validates them. */
const parseAsFilter = parseAsJson((value) => (typeof value === "object" ? (value as Filter | null) : null));

const filterParsers = {
  q: parseAsString.withDefault(""),
  status: parseAsArrayOf(parseAsStringLiteral(statuses)).withDefault([]),
  source: parseAsArrayOf(parseAsStringLiteral(sources)).withDefault([]),
  /** Matches any of these tags, and all of these field values, each as "key:value". */
  tags: parseAsArrayOf(parseAsString).withDefault([]),
  fields: parseAsArrayOf(parseAsString).withDefault([]),
  added: parseAsSpan,
  confirmed: parseAsSpan,
  /** One import's people: those it added, or those already on the list. */
  import: parseAsId,
  importPart: parseAsStringLiteral(importParts),
  /** A saved segment, and unsaved conditions that replace its own. */
  segment: parseAsId,
  unsaved: parseAsFilter,
};
const parsers = {
  ...filterParsers,
  /** Absent: the segment's order, or else newest first. */
  sort: parseAsStringLiteral(peopleOrders),
  /** Columns that differ from the segment's, or from an old link. They override the columns stored in the browser. */
  columns: parseAsArrayOf(parseAsString),
  /** The cursors after or before which the page's rows lie, and the page number for the row count. */
  after: parseAsId,
  before: parseAsId,
  page: parseAsInteger.withDefault(1),
  person: parseAsId,
  /** The person's form is open. */
  edit: parseAsBoolean.withDefault(false),
  add: parseAsBoolean.withDefault(false),
  /** A bulk action for all matching people, which a link opens, and its tag. */
  action: parseAsStringLiteral(linkedBulkKinds),
  actionTag: parseAsString,
};

/** Old links store groups of conditions under `groups`. With the same key, the server rejects them visibly. */
const urlKeys = { unsaved: "groups" } as const;
const FIRST_PAGE = { after: null, before: null, page: null } as const;

type FilterName = keyof typeof filterParsers;
const filterNames = Object.keys(filterParsers) as FilterName[];
const noFilter = Object.fromEntries(filterNames.map((name) => [name, null])) as Record<FilterName, null>;
/** Resets order and columns to the segment's. */
const NO_LOOK = { sort: null, columns: null } as const;

type View = inferParserType<typeof parsers>;

/** The list's filter in the server's format. Field values need the fields' types. */
function filterOf(view: Pick<View, FilterName>, fields: Field[]) {
  const { segment, unsaved } = view;
  const conditions = conditionsOf(view, fields);
  const controls: Filter[] = conditions.length > 0 ? [{ match: "all", conditions, not: [] }] : [];
  return unsaved ? { filters: [...controls, unsaved] } : { filters: controls, ...(segment && { segment }) };
}

/** The list's state. The page's address holds all of it. */
export function usePeopleView() {
  const [view, setView] = useQueryStates(parsers, { urlKeys });
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
    /** The segment that the address names. */
    saved,
    /** The segment has unsaved conditions. */
    isChanged: saved !== null && view.unsaved !== null,
    columns: columns.chosen,
    columnsInAddress: view.columns,
    allColumns: columns.all,
    knownFields: columns.fields,
    /** Whether the filter is complete. A field's filter needs the field's type. */
    isReady: view.fields.length === 0 || !columns.isPending,
    filter,
    from,
    filtered: filter.filters.length > 0 || view.segment !== null,
    /** Filters or sorts. The list returns to its first page, and the open person stays open. */
    show: ({ sort: order, ...change }: Partial<Pick<typeof view, FilterName | "sort">>) =>
      setView({
        ...change,
        ...(order !== undefined && { sort: order === ownOrder ? null : order }),
        ...FIRST_PAGE,
      }),
    clear: () => setView({ ...noFilter, ...(view.segment && NO_LOOK), ...FIRST_PAGE }),
    /** Shows unsaved conditions; null shows the saved ones. A new segment's conditions include the list's filters. */
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
    closeAction: () => view.action && setView({ action: null, actionTag: null }),
    setAdding: (add: boolean) => setView({ add: add || null }),
  };
}

export type PeopleView = ReturnType<typeof usePeopleView>;

/** A column of the list beside the email. A field's column is `fields.KEY`. */
export type Column = {
  name: string;
  word: string;
  show(person: Person): ReactNode;
};

/** All columns beside the email, including the newsletter's fields. */
function useAllColumns(fields: Field[]): Column[] {
  const t = useTranslations("people");
  const valueText = useValueText();
  const showField = useShowField();
  return useMemo(
    () => [
      ...columns.map((name) => ({
        name,
        word: t(`field.${name}`),
        show: (person: Person) => showField(name, person),
      })),
      { name: "tags", word: t("field.tags"), show: ({ tags }) => <TagList tags={tags} /> },
      ...fields.map((field) => ({
        name: `fields.${field.key}`,
        word: field.label,
        show: (person: Person) => valueText(person, field),
      })),
    ],
    [fields, t, valueText, showField],
  );
}

/**
 * The list's columns in order, all available columns, and the newsletter's fields. The address's columns come first,
 * then the columns that this browser stored for the newsletter.
 */
function useColumns(inAddress: string[] | null) {
  const { newsletterId } = useViewer();
  const { fields, isPending } = useFields();
  const [stored, remember] = useLocalStorage<string[]>({
    key: `rollcall-columns-${newsletterId}`,
    defaultValue: defaultColumns,
    // The server doesn't render the table. The first render must use the stored columns, so they don't change later.
    getInitialValueInEffect: false,
  });
  // A manual edit may have stored anything.
  const names = inAddress ?? (Array.isArray(stored) ? stored : defaultColumns);
  const all = useAllColumns(fields);
  const chosen = useMemo(
    () => [...new Set(names)].flatMap((name) => all.find((column) => column.name === name) ?? []),
    [names, all],
  );
  return { all, chosen, remember, fields, isPending };
}
