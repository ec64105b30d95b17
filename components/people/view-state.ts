"use client";
import {
  parseAsArrayOf,
  parseAsBoolean,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { useMemo } from "react";
import { peopleOrders, sources } from "@/server/contract/people-list";
import { statuses } from "@/server/domain/status-moves";
import type { Outputs } from "../trpc";
import { parseAsId } from "../ui/parse-as-id";
import { momentsOf, parseAsSpan } from "./span";

export type Person = Outputs["people"]["page"]["people"][number];

export const sourceWords: Record<string, string> = {
  api: "API",
  dashboard: "Dashboard",
  import: "Import",
  public: "Sign-up page",
  operator: "Command line",
};
/** Where somebody came from: the adapter, and who used it. */
export function sourceOf({ source, sourceName }: Pick<Person, "source" | "sourceName">): string {
  const adapter = sourceWords[source] ?? source;
  if (source === "import" && sourceName) return sourceName;
  return sourceName ? `${adapter} · ${sourceName}` : adapter;
}

export const columns = ["name", "status", "source", "added", "confirmed"] as const;
export type Column = (typeof columns)[number];
export const columnWords: Record<Column, string> = {
  name: "Name",
  status: "Status",
  source: "Source",
  added: "Added",
  confirmed: "Confirmed",
};
/** What a column's head sorts by, and by what when it is pressed again. */
export const columnOrders = {
  email: ["email", "-email"],
  name: ["name", "-name"],
  added: ["newest", "oldest"],
  confirmed: ["-confirmed", "confirmed"],
} as const;
export const orderWords: Record<(typeof peopleOrders)[number], string> = {
  newest: "Newest first",
  oldest: "Oldest first",
  email: "Email, A to Z",
  "-email": "Email, Z to A",
  name: "Name, A to Z",
  "-name": "Name, Z to A",
  "-confirmed": "Last confirmed first",
  confirmed: "First confirmed first",
};
const DEFAULT_COLUMNS: Column[] = ["name", "status", "source", "added"];

const parsers = {
  q: parseAsString.withDefault(""),
  status: parseAsStringLiteral(statuses),
  source: parseAsStringLiteral(sources),
  added: parseAsSpan,
  confirmed: parseAsSpan,
  /** One import's people: those it added, or those it found on the list. */
  import: parseAsId,
  importPart: parseAsStringLiteral(["added", "unchanged"] as const),
  sort: parseAsStringLiteral(peopleOrders).withDefault("newest"),
  columns: parseAsArrayOf(parseAsStringLiteral(columns)).withDefault(DEFAULT_COLUMNS),
  /** The cursor the page begins after or ends before, and the page's number, for the count of its rows. */
  after: parseAsId,
  before: parseAsId,
  page: parseAsInteger.withDefault(1),
  person: parseAsId,
  add: parseAsBoolean.withDefault(false),
};

export const PAGE_SIZE = 100;
const FIRST_PAGE = { after: null, before: null, page: null } as const;

const NO_FILTER = {
  q: null,
  status: null,
  source: null,
  added: null,
  confirmed: null,
  import: null,
  importPart: null,
} as const;
type FilterName = keyof typeof NO_FILTER;

/** What the list shows; all of it is in the address. */
export function usePeopleView() {
  const [view, setView] = useQueryStates(parsers, { history: "replace", shallow: true });
  const { q, status, source, added, confirmed, import: importId, importPart, sort, after, before } = view;
  const filter = useMemo(() => {
    const [whenAdded, whenConfirmed] = [momentsOf(added), momentsOf(confirmed)];
    return {
      ...(q.trim() && { search: q.trim() }),
      ...(status && { status }),
      ...(source && { source }),
      ...(importId && { import: importId, importPart: importPart ?? "added" }),
      ...(whenAdded.from && { addedFrom: whenAdded.from }),
      ...(whenAdded.before && { addedBefore: whenAdded.before }),
      ...(whenConfirmed.from && { confirmedFrom: whenConfirmed.from }),
      ...(whenConfirmed.before && { confirmedBefore: whenConfirmed.before }),
    };
  }, [q, status, source, added, confirmed, importId, importPart]);
  const from = after ? { after } : before ? { before } : null;
  return {
    ...view,
    filter,
    order: sort,
    from,
    filtered: Object.keys(filter).length > 0,
    /** Filters or sorts: the list begins at its first page, and the person stays open. */
    show: (change: Partial<Pick<typeof view, FilterName | "sort">>) => setView({ ...change, ...FIRST_PAGE }),
    clear: () => setView({ ...NO_FILTER, ...FIRST_PAGE }),
    setColumns: (chosen: Column[]) => setView({ columns: chosen }),
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
