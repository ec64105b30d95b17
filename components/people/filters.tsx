"use client";
import { Button, Menu, TextInput } from "@mantine/core";
import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { icons } from "../icons";
import { statusWord } from "../parts/status";
import styles from "./people.module.css";
import {
  type Added,
  columns,
  columnWords,
  type PeopleView,
  sources,
  sourceWords,
  statuses,
} from "./view-state";

const TYPING_MS = 160;

const spans = [
  { days: 1, label: "Today" },
  { days: 7, label: "Last 7 days" },
  { days: 30, label: "Last 30 days" },
  { days: 90, label: "Last 90 days" },
];

function addedWord(added: Added): string {
  if ("days" in added)
    return spans.find(({ days }) => days === added.days)?.label ?? `Last ${added.days} days`;
  if (added.from && added.to) return `${added.from} – ${added.to}`;
  return added.from ? `since ${added.from}` : `until ${added.to}`;
}

/** What narrows the list; each choice is in the address at once. */
export function Filters({
  view,
  searchRef,
}: {
  view: PeopleView;
  searchRef: RefObject<HTMLInputElement | null>;
}) {
  const [typed, setTyped] = useState(view.q);
  const { q, show } = view;

  // The address may change without typing: another search from the palette, or Back.
  useEffect(() => setTyped(q), [q]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing sets the clock
  useEffect(() => {
    if (typed === q) return;
    const timer = setTimeout(() => show({ q: typed }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);

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
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
      <Choice
        label="Status"
        value={view.status && statusWord(view.status)}
        onClear={() => show({ status: null })}
      >
        {statuses.map((status) => (
          <Item key={status} chosen={view.status === status} onClick={() => show({ status })}>
            {statusWord(status)}
          </Item>
        ))}
      </Choice>
      <Choice
        label="Source"
        value={view.source && sourceWords[view.source]}
        onClear={() => show({ source: null })}
      >
        {sources.map((source) => (
          <Item key={source} chosen={view.source === source} onClick={() => show({ source })}>
            {sourceWords[source] ?? source}
          </Item>
        ))}
      </Choice>
      <Choice label="Added" value={view.added && addedWord(view.added)} onClear={() => show({ added: null })}>
        {spans.map(({ days, label }) => (
          <Item
            key={days}
            chosen={view.added !== null && "days" in view.added && view.added.days === days}
            onClick={() => show({ added: { days } })}
          >
            {label}
          </Item>
        ))}
        <Menu.Divider />
        <Days view={view} />
      </Choice>
      <span className={styles.push}>
        <Menu position="bottom-end" width={180} closeOnItemClick={false}>
          <Menu.Target>
            <Button variant="subtle" color="gray" className={styles.quiet} rightSection={<icons.down />}>
              Columns
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {columns.map((column) => {
              const shown = view.columns.includes(column);
              return (
                <Menu.CheckboxItem
                  key={column}
                  checked={shown}
                  checkIcon={<icons.check />}
                  onChange={() =>
                    view.setColumns(
                      columns.filter((one) => (one === column ? !shown : view.columns.includes(one))),
                    )
                  }
                >
                  {columnWords[column]}
                </Menu.CheckboxItem>
              );
            })}
          </Menu.Dropdown>
        </Menu>
      </span>
    </search>
  );
}

type ChoiceProps = { label: string; value: string | null | undefined; onClear(): void; children: ReactNode };

function Choice({ label, value, onClear, children }: ChoiceProps) {
  return (
    <Menu position="bottom-start" width={200}>
      <Menu.Target>
        <Button
          variant="default"
          className={styles.choice}
          data-set={value ? true : undefined}
          rightSection={<icons.down />}
        >
          {value ? `${label}: ${value}` : label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {children}
        {value && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<icons.close />} onClick={onClear}>
              Any
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Item({ chosen, onClick, children }: { chosen: boolean; onClick(): void; children: string }) {
  return (
    <Menu.RadioItem
      value={children}
      checked={chosen}
      checkIcon={<icons.check />}
      closeMenuOnClick
      onChange={onClick}
    >
      {children}
    </Menu.RadioItem>
  );
}

/** Two days of one's own, either may be left out. */
function Days({ view }: { view: PeopleView }) {
  const days = view.added && "from" in view.added ? view.added : { from: null, to: null };
  const set = (change: { from?: string | null; to?: string | null }) => {
    const next = { ...days, ...change };
    view.show({ added: next.from || next.to ? next : null });
  };
  return (
    <div className={styles.days}>
      <label>
        From
        <input
          type="date"
          value={days.from ?? ""}
          max={days.to ?? undefined}
          onChange={(e) => set({ from: e.target.value || null })}
        />
      </label>
      <label>
        To
        <input
          type="date"
          value={days.to ?? ""}
          min={days.from ?? undefined}
          onChange={(e) => set({ to: e.target.value || null })}
        />
      </label>
    </div>
  );
}
