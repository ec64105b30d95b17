import { Checkbox, UnstyledButton } from "@mantine/core";
import { type CSSProperties, type KeyboardEvent, type MouseEvent, memo, useState } from "react";
import { useTranslations } from "use-intl";
import type { Texts } from "../texts/texts";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import styles from "./people.module.css";
import { ordersOf, type Person } from "./person-fields";
import type { Column, PeopleView } from "./view-state";

type Props = {
  people: Person[];
  view: PeopleView;
  selection: Selection;
  stale: boolean;
  maySelect: boolean;
  /** Opens a person. @param byKey opened by keyboard, so the focus moves into the panel */
  onOpen(id: string, byKey: boolean): void;
  onStep(by: 1 | -1): void;
};

const personAt = (target: EventTarget) =>
  (target as Element).closest("tr")?.querySelector<HTMLElement>("[data-person]")?.dataset.person;

/** A page of people. Rows have no handlers of their own, so a row renders only when it changes. */
export function PeopleTable({ people, view, selection, stale, maySelect, onOpen, onStep }: Props) {
  const t = useTranslations("people");
  const tTable = useTranslations("people.table");
  const chosen = people.filter(({ id }) => selection.has(id)).length;
  // All rows are one Tab stop: the last focused row, or at first the first row.
  const [focused, setFocused] = useState<string | null>(null);
  const stop = [focused, view.person].find((id) => people.some((one) => one.id === id)) ?? people[0]?.id;

  const click = (event: MouseEvent) => {
    const target = event.target as Element;
    const id = personAt(target);
    if (!id) return;
    if (target instanceof HTMLInputElement) return selection.set(id, target.checked, event.shiftKey);
    if (target.closest("a")) {
      // A modified click opens the link in another tab or window, as usual.
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
    } else if (target.closest("label") || window.getSelection()?.type === "Range") return;
    onOpen(id, event.detail === 0);
  };

  const press = (event: KeyboardEvent) => {
    const id = personAt(event.target);
    const { key } = event;
    const isAll = key === "a" && (event.metaKey || event.ctrlKey);
    if (key === "ArrowDown") onStep(1);
    else if (key === "ArrowUp") onStep(-1);
    else if (maySelect && isAll) selection.setPage(true);
    else if (maySelect && key === " " && id && event.target instanceof HTMLAnchorElement)
      selection.set(id, !selection.has(id), event.shiftKey);
    else return;
    event.preventDefault();
  };

  return (
    <table
      className={`${kit.table} ${styles.table}`}
      aria-busy={stale}
      data-stale={stale || undefined}
      data-many={view.columns.length > 5 || undefined}
    >
      <caption className="sr">{tTable("caption", { order: t(`order.${view.sort}`) })}</caption>
      <thead>
        <tr>
          {maySelect && (
            <th scope="col" className={styles.check}>
              <Checkbox
                size="xs"
                aria-label={tTable("selectPage")}
                checked={people.length > 0 && chosen === people.length}
                indeterminate={chosen > 0 && chosen < people.length}
                onChange={(event) => selection.setPage(event.currentTarget.checked)}
              />
            </th>
          )}
          {[{ name: "email", word: t("field.email") }, ...view.columns].map((column) => (
            <Head key={column.name} column={column} view={view} />
          ))}
        </tr>
      </thead>
      <tbody onClick={click} onKeyDown={press} onFocus={({ target }) => setFocused(personAt(target) ?? null)}>
        {people.map((person) => (
          <Row
            key={person.id}
            person={person}
            columns={view.columns}
            open={view.person === person.id}
            checked={selection.has(person.id)}
            maySelect={maySelect}
            isStop={stop === person.id}
            t={tTable}
          />
        ))}
      </tbody>
    </table>
  );
}

/** A column's header. For sortable columns it is a button that sorts, and reverses the current order. */
function Head({ column: { name, word }, view }: { column: Pick<Column, "name" | "word">; view: PeopleView }) {
  const orders = ordersOf(name);
  if (!orders) {
    return (
      <th scope="col" data-column={name}>
        {word}
      </th>
    );
  }
  const [first, second] = orders;
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

type RowProps = {
  person: Person;
  columns: Column[];
  open: boolean;
  checked: boolean;
  maySelect: boolean;
  /** This row is the Tab stop. */
  isStop: boolean;
  t: Texts<"people.table">;
};

const Row = memo(function Row({ person, columns, open, checked, maySelect, isStop, t }: RowProps) {
  return (
    <tr data-open={open || undefined} data-checked={checked || undefined}>
      {maySelect && (
        <td className={styles.check}>
          {/* A native checkbox: rendering 100 of Mantine's again takes a tenth of a second. */}
          <label>
            <input
              type="checkbox"
              aria-label={t("select", { email: person.email })}
              checked={checked}
              tabIndex={-1}
              readOnly
            />
          </label>
        </td>
      )}
      <td data-column="email">
        <a
          href={`?person=${person.id}`}
          data-person={person.id}
          data-initial={Array.from(person.name || person.email)[0]?.toLocaleUpperCase()}
          style={{ "--hue": hueOf(person.email) } as CSSProperties}
          aria-current={open ? "true" : undefined}
          tabIndex={isStop ? 0 : -1}
        >
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

/** One of 12 colours for the initial before a person's address. */
const hueOf = (email: string) =>
  (Array.from(email).reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 12) * 30;

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
    isEmpty: !all && ids.size === 0,
    has: (id: string) => all || ids.has(id),
    set,
    setPage: (on: boolean) => change(ids, people, on),
    selectAll: () => setAllOf(filter),
    clear: () => change([], [], false),
  };
}

export type Selection = ReturnType<typeof useSelection>;
