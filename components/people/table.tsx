"use client";
import { Checkbox } from "@mantine/core";
import { type MouseEvent, memo } from "react";
import type { Outputs } from "../trpc";
import { icons } from "../ui/icons";
import { Status } from "../ui/status";
import { Time } from "../ui/time";
import styles from "./people.module.css";
import {
  type Column,
  columnOrders,
  columnWords,
  orderWords,
  type PeopleView,
  sourceWords,
} from "./view-state";

export type Person = Outputs["people"]["page"]["people"][number];

/** Where somebody came from: the adapter, and who used it. */
export function sourceOf({ source, sourceName }: Pick<Person, "source" | "sourceName">): string {
  const adapter = sourceWords[source] ?? source;
  if (source === "import" && sourceName) return sourceName;
  return sourceName ? `${adapter} · ${sourceName}` : adapter;
}

const cells: Record<Column, (person: Person) => React.ReactNode> = {
  name: (person) => person.name,
  status: (person) => <Status status={person.status} />,
  source: (person) => sourceOf(person),
  added: (person) => <Time at={person.createdAt} />,
  confirmed: (person) => (person.confirmedAt ? <Time at={person.confirmedAt} /> : null),
};

type Props = {
  people: Person[];
  view: PeopleView;
  selected: ReadonlySet<string>;
  /** Everybody who matches, on other pages too. */
  allSelected: boolean;
  onSelect(id: string, on: boolean, range: boolean): void;
  onSelectPage(on: boolean): void;
  stale: boolean;
  mayEdit: boolean;
};

export function PeopleTable({
  people,
  view,
  selected,
  allSelected,
  onSelect,
  onSelectPage,
  stale,
  mayEdit,
}: Props) {
  const chosen = allSelected ? people.length : people.filter((person) => selected.has(person.id)).length;
  return (
    <table className={styles.table} aria-busy={stale} data-stale={stale || undefined}>
      <caption className="sr">People: {orderWords[view.sort]}</caption>
      <thead>
        <tr>
          {mayEdit && (
            <th scope="col" className={styles.check}>
              <Checkbox
                size="xs"
                aria-label="Select everybody on this page"
                checked={people.length > 0 && chosen === people.length}
                indeterminate={chosen > 0 && chosen < people.length}
                onChange={(event) => onSelectPage(event.currentTarget.checked)}
              />
            </th>
          )}
          {(["email", ...view.columns] as const).map((column) => (
            <Head key={column} column={column} view={view} />
          ))}
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <Row
            key={person.id}
            person={person}
            columns={view.columns}
            open={view.person === person.id}
            checked={allSelected || selected.has(person.id)}
            onOpen={view.open}
            onSelect={onSelect}
            mayEdit={mayEdit}
          />
        ))}
      </tbody>
    </table>
  );
}

/** A column's name; where the list can be sorted by it, a button that does, and turns round what is sorted so already. */
function Head({ column, view }: { column: "email" | Column; view: PeopleView }) {
  const word = column === "email" ? "Email" : columnWords[column];
  const orders = column in columnOrders ? columnOrders[column as keyof typeof columnOrders] : null;
  const [first, second] = orders ?? [];
  if (!first || !second) {
    return (
      <th scope="col" data-column={column}>
        {word}
      </th>
    );
  }
  const sorted = view.sort === first || view.sort === second;
  const descending = view.sort === "newest" || view.sort.startsWith("-");
  return (
    <th
      scope="col"
      data-column={column}
      aria-sort={sorted ? (descending ? "descending" : "ascending") : undefined}
    >
      <button type="button" onClick={() => view.show({ sort: view.sort === first ? second : first })}>
        {word}
        <span data-sorted={sorted || undefined}>
          {(sorted ? descending : first === "newest" || first.startsWith("-")) ? (
            <icons.down />
          ) : (
            <icons.up />
          )}
        </span>
      </button>
    </th>
  );
}

type RowProps = {
  person: Person;
  columns: Column[];
  open: boolean;
  checked: boolean;
  onOpen(id: string): void;
  onSelect(id: string, on: boolean, range: boolean): void;
  mayEdit: boolean;
};

const Row = memo(
  function Row({ person, columns, open, checked, onOpen, onSelect, mayEdit }: RowProps) {
    const click = (event: MouseEvent) => {
      // The link in it and the box speak for themselves, and marking text is no click.
      if ((event.target as Element).closest("a, input, label") || window.getSelection()?.type === "Range")
        return;
      onOpen(person.id);
    };
    const follow = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      onOpen(person.id);
    };
    return (
      <tr data-open={open || undefined} data-checked={checked || undefined} onClick={click}>
        {mayEdit && (
          <td className={styles.check}>
            <Checkbox
              size="xs"
              aria-label={`Select ${person.email}`}
              checked={checked}
              onChange={(event) =>
                onSelect(
                  person.id,
                  event.currentTarget.checked,
                  (event.nativeEvent as globalThis.MouseEvent).shiftKey,
                )
              }
            />
          </td>
        )}
        <td data-column="email">
          <a
            href={`?person=${person.id}`}
            onClick={follow}
            data-person={person.id}
            aria-current={open ? "true" : undefined}
          >
            {person.email}
          </a>
        </td>
        {columns.map((column) => (
          <td key={column} data-column={column}>
            {cells[column](person)}
          </td>
        ))}
      </tr>
    );
  },
  // `onOpen` and `onSelect` act the same whenever they were made.
  (a, b) =>
    a.person === b.person &&
    a.columns === b.columns &&
    a.open === b.open &&
    a.checked === b.checked &&
    a.mayEdit === b.mayEdit,
);
