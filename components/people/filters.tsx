"use client";
import { Button, Menu, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { type RefObject, useEffect, useState } from "react";
import { peopleOrders, sources } from "@/server/contract/people-list";
import { statuses } from "@/server/domain/status-moves";
import { Choice } from "../ui/choice";
import { icons } from "../ui/icons";
import { statusWord } from "../ui/status";
import { ImportChip } from "./import-chip";
import styles from "./people.module.css";
import { SpanChoice } from "./span-choice";
import { columns, columnWords, orderWords, type PeopleView, sourceWords } from "./view-state";

const TYPING_MS = 160;

const statusOptions = [statuses.map((value) => ({ value, label: statusWord(value) }))];
const sourceOptions = [sources.map((value) => ({ value, label: sourceWords[value] ?? value }))];
const orderOptions = [peopleOrders.map((value) => ({ value, label: orderWords[value] }))];

type Props = { view: PeopleView; searchRef: RefObject<HTMLInputElement | null> };

/** What narrows the list; each choice is in the address at once. */
export function Filters({ view, searchRef }: Props) {
  const { q, show } = view;
  const [typed, setTyped] = useState(q);
  const search = useDebouncedCallback((text: string) => void show({ q: text }), TYPING_MS);
  // The address may change without typing: another search from the palette, or Back.
  useEffect(() => setTyped(q), [q]);

  return (
    <search className={styles.filters} aria-label="People">
      <TextInput
        ref={searchRef}
        className={styles.search}
        aria-label="Search by email or name"
        placeholder="Search by email or name"
        type="search"
        leftSection={<icons.search />}
        rightSection={typed === "" ? <kbd>/</kbd> : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
      <div className={styles.choices}>
        <ImportChip view={view} />
        <Choice
          label="Status"
          value={view.status}
          chosen={view.status && statusWord(view.status)}
          options={statusOptions}
          onChoose={(status) => show({ status: status as typeof view.status })}
        />
        <Choice
          label="Source"
          value={view.source}
          chosen={view.source && sourceWords[view.source]}
          options={sourceOptions}
          onChoose={(source) => show({ source: source as typeof view.source })}
        />
        <SpanChoice label="Added" value={view.added} onChange={(added) => show({ added })} />
        <SpanChoice label="Confirmed" value={view.confirmed} onChange={(confirmed) => show({ confirmed })} />
        <span className={styles.order}>
          <Choice
            label="Order"
            value={view.sort === "newest" ? null : view.sort}
            chosen={view.sort === "newest" ? null : orderWords[view.sort]}
            options={orderOptions}
            onChoose={(sort) => show({ sort: (sort as typeof view.sort | null) ?? "newest" })}
          />
        </span>
        <ColumnChoice view={view} />
      </div>
    </search>
  );
}

/** Which columns the list has. */
function ColumnChoice({ view }: { view: PeopleView }) {
  const toggle = (column: (typeof columns)[number]) =>
    view.setColumns(columns.filter((one) => view.columns.includes(one) !== (one === column)));
  return (
    <Menu position="bottom-end" width={180} closeOnItemClick={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          fw={400}
          className={styles.columnChoice}
          rightSection={<icons.down />}
        >
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map((column) => (
          <Menu.CheckboxItem
            key={column}
            checked={view.columns.includes(column)}
            checkIcon={<icons.check />}
            onChange={() => toggle(column)}
          >
            {columnWords[column]}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
