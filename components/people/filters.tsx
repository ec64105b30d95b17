"use client";
import { Button, Menu, TextInput } from "@mantine/core";
import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { peopleOrders } from "@/server/domain/people-order";
import { icons } from "../ui/icons";
import { statusWord } from "../ui/status";
import { ImportChip } from "./import-chip";
import styles from "./people.module.css";
import { SpanChoice } from "./span-choice";
import {
  columns,
  columnWords,
  orderWords,
  type PeopleView,
  sources,
  sourceWords,
  statuses,
} from "./view-state";

const TYPING_MS = 160;

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
      <div className={styles.choices}>
        <ImportChip view={view} />
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
        <SpanChoice label="Added" value={view.added} onChange={(added) => show({ added })} />
        <SpanChoice label="Confirmed" value={view.confirmed} onChange={(confirmed) => show({ confirmed })} />
        <span className={styles.order}>
          <Choice
            label="Order"
            value={view.sort === "newest" ? null : orderWords[view.sort]}
            onClear={() => show({ sort: "newest" })}
          >
            {peopleOrders.map((order) => (
              <Item key={order} chosen={view.sort === order} onClick={() => show({ sort: order })}>
                {orderWords[order]}
              </Item>
            ))}
          </Choice>
        </span>
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
      </div>
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
