"use client";
import { Checkbox, UnstyledButton } from "@mantine/core";
import { type MouseEvent, memo } from "react";
import type { PeopleOrder } from "@/server/contract/people-list";
import { icons } from "../ui/icons";
import styles from "./people.module.css";
import { type Person, personFields } from "./person-fields";
import type { Column } from "./use-columns";
import type { Selection } from "./use-selection";
import { orderWords, type PeopleView } from "./view-state";

type Props = { people: Person[]; view: PeopleView; selection: Selection; stale: boolean; maySelect: boolean };

/** A page of people. The rows have no handlers of their own, so that a row is drawn again only when it changes. */
export function PeopleTable({ people, view, selection, stale, maySelect }: Props) {
  const chosen = selection.all ? people.length : people.filter(({ id }) => selection.ids.has(id)).length;

  const click = (event: MouseEvent) => {
    const target = event.target as Element;
    const link = target.closest("tr")?.querySelector<HTMLElement>("[data-person]");
    const id = link?.dataset.person;
    if (!id) return;
    if (target instanceof HTMLInputElement) return selection.set(id, target.checked, event.shiftKey);
    if (target.closest("a")) {
      // A modified click opens the link elsewhere, as everywhere.
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
    } else if (target.closest("label") || window.getSelection()?.type === "Range") return;
    view.open(id);
  };

  return (
    <table
      className={styles.table}
      aria-busy={stale}
      data-stale={stale || undefined}
      data-many={view.columns.length > 5 || undefined}
    >
      <caption className="sr">People: {orderWords[view.sort]}</caption>
      <thead>
        <tr>
          {maySelect && (
            <th scope="col" className={styles.check}>
              <Checkbox
                size="xs"
                aria-label="Select everybody on this page"
                checked={people.length > 0 && chosen === people.length}
                indeterminate={chosen > 0 && chosen < people.length}
                onChange={(event) => selection.setPage(event.currentTarget.checked)}
              />
            </th>
          )}
          {[{ name: "email", word: personFields.email.word }, ...view.columns].map((column) => (
            <Head key={column.name} column={column} view={view} />
          ))}
        </tr>
      </thead>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the link and the box in each row are what the keyboard uses */}
      <tbody onClick={click}>
        {people.map((person) => (
          <Row
            key={person.id}
            person={person}
            columns={view.columns}
            open={view.person === person.id}
            checked={selection.all || selection.ids.has(person.id)}
            maySelect={maySelect}
          />
        ))}
      </tbody>
    </table>
  );
}

type Ordered = { orders: readonly [PeopleOrder, PeopleOrder] };
const hasOrders = (field: object): field is Ordered => "orders" in field;

/** A column's name; where the list can be sorted by it, a button that sorts, and reverses what is sorted so already. */
function Head({ column: { name, word }, view }: { column: Pick<Column, "name" | "word">; view: PeopleView }) {
  const field: object = name in personFields ? personFields[name as keyof typeof personFields] : {};
  if (!hasOrders(field)) {
    return (
      <th scope="col" data-column={name}>
        {word}
      </th>
    );
  }
  const [first, second] = field.orders;
  const sorted = view.sort === first || view.sort === second;
  const order = sorted ? view.sort : first;
  const descending = order === "newest" || order.startsWith("-");
  return (
    <th
      scope="col"
      data-column={name}
      aria-sort={sorted ? (descending ? "descending" : "ascending") : undefined}
    >
      <UnstyledButton onClick={() => view.show({ sort: view.sort === first ? second : first })}>
        {word}
        {descending ? <icons.down /> : <icons.up />}
      </UnstyledButton>
    </th>
  );
}

type RowProps = { person: Person; columns: Column[]; open: boolean; checked: boolean; maySelect: boolean };

const Row = memo(function Row({ person, columns, open, checked, maySelect }: RowProps) {
  return (
    <tr data-open={open || undefined} data-checked={checked || undefined}>
      {maySelect && (
        <td className={styles.check}>
          <Checkbox size="xs" aria-label={`Select ${person.email}`} checked={checked} readOnly />
        </td>
      )}
      <td data-column="email">
        <a href={`?person=${person.id}`} data-person={person.id} aria-current={open ? "true" : undefined}>
          {person.email}
        </a>
      </td>
      {columns.map((column) => (
        <td key={column.name} data-column={column.name}>
          {column.show(person)}
        </td>
      ))}
    </tr>
  );
});
