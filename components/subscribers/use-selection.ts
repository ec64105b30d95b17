import { useState } from "react";
import type { Person } from "./person-fields";

/** Who is chosen: some by hand, or everybody who matches `filter`, until it changes. */
export function useSelection(people: Person[], filter: object) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  // "All 12" of one filter must not become all of another's 12,000.
  const [allOf, setAllOf] = useState<object | null>(null);
  const all = allOf === filter;
  const [last, setLast] = useState<string | null>(null);

  function set(id: string, on: boolean, range: boolean) {
    // After "everybody", taking one out leaves those on this page.
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
