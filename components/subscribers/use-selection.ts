import { useState } from "react";
import type { Person } from "./person-fields";

/** The selection: single people, or all people who match `filter` until it changes. */
export function useSelection(people: Person[], filter: object) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  // A selection of "all 12" must not become all 12,000 of another filter.
  const [allOf, setAllOf] = useState<object | null>(null);
  const all = allOf === filter;
  const [last, setLast] = useState<string | null>(null);

  function change(from: Iterable<string>, touched: Person[], on: boolean) {
    const next = new Set(from);
    for (const { id } of touched) {
      if (on) next.add(id);
      else next.delete(id);
    }
    setIds(next);
    setAllOf(null);
  }

  function set(id: string, on: boolean, range: boolean) {
    const at = people.findIndex((person) => person.id === id);
    const before = range ? people.findIndex((person) => person.id === last) : -1;
    const from = before === -1 ? at : before;
    const touched = people.slice(Math.min(from, at), Math.max(from, at) + 1);
    // Deselecting one person after "all" leaves this page's other people.
    change(all ? people.map((person) => person.id) : ids, touched, on);
    setLast(id);
  }

  return {
    ids,
    all,
    set,
    setPage: (on: boolean) => change(ids, people, on),
    selectAll: () => setAllOf(filter),
    clear: () => change([], [], false),
  };
}

export type Selection = ReturnType<typeof useSelection>;
