import { useState } from "react";
import type { Person } from "./person-fields";

/** The selection: single people, or all people who match `filter` until it changes. */
export function useSelection(people: Person[], filter: object) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  // A selection of "all 12" must not become all 12,000 of another filter.
  const [allOf, setAllOf] = useState<object | null>(null);
  const all = allOf === filter;
  const [last, setLast] = useState<string | null>(null);

  function set(id: string, on: boolean, range: boolean) {
    // Deselecting one person after "all" leaves this page's other people.
    const next = new Set(all ? people.map((person) => person.id) : ids);
    const [from, to] = [people.findIndex((p) => p.id === last), people.findIndex((p) => p.id === id)];
    const touched =
      range && from >= 0
        ? people.slice(Math.min(from, to), Math.max(from, to) + 1)
        : people.slice(to, to + 1);
    for (const person of touched) {
      if (on) next.add(person.id);
      else next.delete(person.id);
    }
    setIds(next);
    setAllOf(null);
    setLast(id);
  }

  function setPage(on: boolean) {
    const next = new Set(ids);
    for (const person of people) {
      if (on) next.add(person.id);
      else next.delete(person.id);
    }
    setIds(next);
    setAllOf(null);
  }

  return {
    ids,
    all,
    set,
    setPage,
    selectAll: () => setAllOf(filter),
    clear: () => {
      setIds(new Set());
      setAllOf(null);
    },
  };
}

export type Selection = ReturnType<typeof useSelection>;
